#include "zbd.h"

#include "offset_parts.h"
#include "zone_table.h"

#define MILLION 1000000u
/* After so many turns a worker asks whether the owner of a zone lives. */
#define OWNER_TURNS 256u

size_t zbd_bytes(void)
{
	return sizeof(struct zbd);
}

void zbd_set(struct offset_gen *g, void *memory, const struct zone_use *use)
{
	struct zbd *s = memory;
	uint64_t size = use->table->size;

	*s = (struct zbd){
		.use = use,
		.first = g->start / size,
		.zones = g->len / size,
		.pass_bytes = g->len,
		.pass_left = g->len,
	};
	g->zbd = s;
}

enum zbd_stop zbd_stopped(const struct offset_gen *g)
{
	return g->zbd ? g->zbd->stop : ZBD_PASS_OVER;
}

void zbd_begin(struct offset_gen *g, uint64_t key)
{
	struct zbd *s = g->zbd;

	offset_begin_order(g, key);
	if (!s)
		return;
	s->pass_left = s->pass_bytes;
	s->wrapped = s->held = false;
}

/* Returns a zone of the range, counted from 0. */
static struct zone *zone_at(const struct zbd *s, uint64_t i)
{
	return zone_table_zone(s->use->table, s->first + i);
}

static uint64_t capacity(const struct zbd *s, uint64_t i)
{
	return zone_table_capacity(s->use->table, s->first + i);
}

static uint64_t room(const struct zbd *s, uint64_t i)
{
	const struct zone *z = zone_at(s, i);

	return capacity(s, i) - (z->conventional ? s->cursor_at : zone_pointer(z) + z->appending);
}

static bool is_full(const struct offset_gen *g, uint64_t i)
{
	return room(g->zbd, i) < g->least[DIR_WRITE];
}

static bool stop_because(struct zbd *s, enum zbd_stop why)
{
	s->stop = why;
	return false;
}

static void move_pointer(struct offset_gen *g, uint64_t i, uint64_t wp)
{
	struct zbd *s = g->zbd;

	zone_table_move(s->use->table, (uint32_t)(s->first + i), wp, g->least[DIR_WRITE], s->use->me);
}

/* Sends a command about a zone that this worker owns. The caller holds the lock, and loses it meanwhile. */
static bool command(struct zbd *s, uint64_t i, enum zone_command c, struct zone *as)
{
	struct zone_table *t = s->use->table;
	bool ok;

	zone_table_unlock(t);
	ok = s->use->command(s->use->arg, c, (s->first + i) * t->size, t->size, as);
	zone_table_lock(t, s->use->me);
	return ok;
}

/* Sends a command that the device refuses if the zone is read-only or offline. Returns false if the job
   cannot go on; a zone that takes no writes any more is retired. */
static bool change_zone(struct zbd *s, uint64_t i, enum zone_command c)
{
	struct zone as = { 0 };
	bool ok = command(s, i, c, &as);

	if (as.state)
		zone_table_retire(s->use->table, (uint32_t)(s->first + i), as.state);
	return ok;
}

/* Asks the device for the write pointer of a zone that this worker owns. It is taken to be at wp if the
   device does not say. */
static void locate(struct offset_gen *g, uint64_t i, uint64_t wp)
{
	struct zbd *s = g->zbd;
	struct zone as = { .wp = wp };

	command(s, i, ZONE_LOCATE, &as);
	if (as.state)
		zone_table_retire(s->use->table, (uint32_t)(s->first + i), as.state);
	else
		move_pointer(g, i, as.wp);
}

static bool reset_zone(struct offset_gen *g, uint64_t i)
{
	struct zbd *s = g->zbd;
	struct zone *z = zone_at(s, i);
	bool ok = true;

	if (s->use->command) {
		z->owner = s->use->me;
		ok = change_zone(s, i, ZONE_RESET);
		z->owner = 0;
	}
	if (!ok) {
		move_pointer(g, i, z->wp); /* it is full, thus not open */
		return stop_because(s, ZBD_FAILED);
	}
	if (z->state)
		return stop_because(s, ZBD_AGAIN);
	s->written -= z->wp < s->written ? z->wp : s->written;
	move_pointer(g, i, 0);
	if (s->use->resets)
		++*s->use->resets;
	return true;
}

/* zone_reset_frequency: counts what is written in the range. Once in a while, because there may be many
 * zones. */
static void count_written(struct zbd *s)
{
	s->written = s->writable = 0;
	s->count_after = s->zones;
	for (uint64_t i = 0; i < s->zones; i++) {
		if (zone_at(s, i)->conventional || zone_at(s, i)->state)
			continue;
		s->written += zone_pointer(zone_at(s, i));
		s->writable += capacity(s, i);
	}
}

/* Returns whether this write must reset its zone (zone_reset_frequency). Call it once for each write. */
static bool reset_is_due(const struct offset_gen *g)
{
	const struct zone_cfg *c = &g->cfg->zone;
	struct zbd *s = g->zbd;

	if (!c->reset_frequency)
		return false;
	if (!s->count_after--)
		count_written(s);
	if ((double)s->written <= (double)s->writable / MILLION * c->reset_threshold)
		return false;
	s->reset_sum += c->reset_frequency;
	if (s->reset_sum < MILLION)
		return false;
	s->reset_sum -= MILLION;
	return true;
}

/* Returns whether an owner other than this worker has died. */
static bool is_orphan(const struct zbd *s, const struct zone *z)
{
	return z->owner && z->owner != s->use->me && !thread_exists(z->owner);
}

/* A worker died with a write in flight: asks the device where the write pointer is. */
static void adopt(struct offset_gen *g, uint64_t i)
{
	struct zbd *s = g->zbd;
	struct zone *z = zone_at(s, i);

	z->owner = s->use->me;
	if (s->use->command)
		locate(g, i, z->wp);
	z->owner = z->appends = 0;
	z->appending = 0;
}

/* Returns whether the zone has no write in flight; otherwise says why the generator stops. */
static bool zone_is_idle(struct offset_gen *g, uint64_t i)
{
	struct zbd *s = g->zbd;
	struct zone *z = zone_at(s, i);

	if (!z->owner)
		return true;
	if (z->owner == s->use->me)
		return stop_because(s, ZBD_BUSY);
	__atomic_store_n(&z->shared, true, __ATOMIC_RELAXED);
	if (++s->turns % OWNER_TURNS == 0 && is_orphan(s, z))
		adopt(g, i);
	return stop_because(s, ZBD_BUSY_OTHER);
}

/* Returns whether this worker may append to a zone in which it has appends in flight. */
static bool may_join(const struct zbd *s, const struct zone *z)
{
	return z->appends && z->owner == s->use->me && s->use->appends;
}

/* Returns whether a write of the zone may be sent; otherwise says why the generator stops. */
static bool takes_write(struct offset_gen *g, uint64_t i)
{
	return (may_join(g->zbd, zone_at(g->zbd, i)) && !is_full(g, i)) || zone_is_idle(g, i);
}

/* Returns how many of the open zones this worker opened. */
static uint32_t own_zones(const struct zbd *s)
{
	struct zone_table *t = s->use->table;
	const uint32_t *open = zone_table_open(t);
	uint32_t n = 0;

	for (uint32_t k = 0; k < t->nopen; k++)
		n += zone_table_zone(t, open[k])->opener == s->use->me;
	return n;
}

/* Chooses an idle zone of the range among the open ones. own: among those that this worker opened. */
static bool choose_open(struct offset_gen *g, uint64_t *zone, bool own)
{
	struct zbd *s = g->zbd;
	struct zone_table *t = s->use->table;
	const uint32_t *open = zone_table_open(t);

	s->stop = ZBD_ALL_OPEN;
	for (uint32_t k = 0; k < t->nopen; k++) {
		uint64_t i = open[(*zone + k) % t->nopen] - s->first;

		if (i >= s->zones || (own && zone_at(s, i)->opener != s->use->me) || !takes_write(g, i))
			continue;
		*zone = i;
		return true;
	}
	return false;
}

/* Replaces a zone that may not be opened by an open one. Returns false if the write must wait. */
static bool open_zone(struct offset_gen *g, uint64_t *zone)
{
	struct zbd *s = g->zbd;
	const struct zone_use *u = s->use;

	if (!zone_at(s, *zone)->open) {
		if (u->job_max_open && own_zones(s) >= u->job_max_open)
			return choose_open(g, zone, true);
		if (u->max_open && u->table->nopen >= u->max_open)
			return choose_open(g, zone, false);
	}
	return takes_write(g, *zone);
}

static void move_cursor(struct zbd *s)
{
	s->cursor += 1 + s->use->skip / s->use->table->size;
	if (s->cursor >= s->zones)
		s->cursor = 0;
	s->cursor_at = 0;
	s->cursor_used = false;
}

/* Finds the zone of the next sequential write. Returns false if none takes writes any more. */
static bool next_in_order(struct offset_gen *g, uint64_t *zone)
{
	struct zbd *s = g->zbd;

	if (is_full(g, s->cursor) && s->cursor_used)
		move_cursor(s);
	for (uint64_t n = 0; n <= s->zones && zone_at(s, s->cursor)->state; n++)
		move_cursor(s);
	*zone = s->cursor;
	return !zone_at(s, s->cursor)->state || stop_because(s, ZBD_WORN_OUT);
}

/* Replaces a zone that takes no writes any more by the next one that does. Returns false if there is none. */
static bool next_normal(struct zbd *s, uint64_t *zone, uint64_t *offset)
{
	uint64_t size = s->use->table->size, n = 0;

	while (n < s->zones && zone_at(s, (*zone + n) % s->zones)->state)
		n++;
	if (n == s->zones)
		return stop_because(s, ZBD_WORN_OUT);
	if (n) {
		*zone = (*zone + n) % s->zones;
		*offset = *zone * size + *offset % size;
	}
	return true;
}

/* Writes a conventional zone where the order says. */
static void write_anywhere(struct offset_gen *g, uint64_t zone, uint64_t *offset, uint32_t *len)
{
	struct zbd *s = g->zbd;
	uint64_t start = zone * s->use->table->size, at = *offset - start;
	bool random = g->order != OFFSET_SEQUENTIAL;

	if (!random)
		at = s->cursor_at;
	if (capacity(s, zone) - at < g->least[DIR_WRITE])
		at = 0;
	if (*len > capacity(s, zone) - at)
		*len = offset_draw_within(g, DIR_WRITE, random, capacity(s, zone) - at);
	*offset = start + at;
	if (!random)
		s->cursor_at = at + *len;
}

/* Counts a zone as open. */
static void count_open(const struct zbd *s, uint64_t i)
{
	const struct zone_use *u = s->use;

	zone_table_open_zone(u->table, (uint32_t)(s->first + i), u->me);
	if (u->most_open && u->table->nopen > *u->most_open)
		*u->most_open = u->table->nopen;
}

/* A write of the zone is about to be sent to the device. */
static void own(const struct zbd *s, struct zone *z, uint32_t len)
{
	z->owner = s->use->me;
	if (!s->use->appends)
		return;
	z->appends++;
	z->appending += len;
}

/* Writes at the write pointer of a zone, or of another one if it may not be opened. */
static bool write_in_zone(struct offset_gen *g, uint64_t *zone, uint64_t *offset, uint32_t *len)
{
	struct zbd *s = g->zbd;
	struct zone *z;

	if (!open_zone(g, zone))
		return false;
	z = zone_at(s, *zone);
	count_open(s, *zone); /* before a reset, during which other workers open zones */
	if (!z->owner && (is_full(g, *zone) || (z->wp && reset_is_due(g))) && !reset_zone(g, *zone))
		return false;
	count_open(s, *zone);
	if (*len > room(s, *zone))
		*len = offset_draw_within(g, DIR_WRITE, g->order != OFFSET_SEQUENTIAL, room(s, *zone));
	*offset = *zone * s->use->table->size + z->wp + z->appending;
	s->written += *len;
	if (s->use->command)
		own(s, z, *len);
	else
		move_pointer(g, *zone, z->wp + *len);
	return true;
}

/* Writes at the write pointer of a zone that is open and stays so, as most writes do. Returns false if it is
   another one. */
static inline bool append(struct offset_gen *g, uint64_t i, uint64_t *offset, uint32_t len)
{
	struct zbd *s = g->zbd;
	struct zone *z = zone_at(s, i);

	if (!z->open || (z->owner && !may_join(s, z)) ||
	    capacity(s, i) < z->wp + z->appending + len + g->least[DIR_WRITE] || g->cfg->zone.reset_frequency)
		return false;
	*offset = i * s->use->table->size + z->wp + z->appending;
	if (s->use->command)
		own(s, z, len);
	else
		__atomic_store_n(&z->wp, z->wp + len, __ATOMIC_RELAXED);
	return true;
}

static bool write_any(struct offset_gen *g, uint64_t *zone, uint64_t *offset, uint32_t *len)
{
	if (g->order == OFFSET_SEQUENTIAL ? !next_in_order(g, zone) : !next_normal(g->zbd, zone, offset))
		return false;
	if (!zone_at(g->zbd, *zone)->conventional)
		return write_in_zone(g, zone, offset, len);
	write_anywhere(g, *zone, offset, len);
	return true;
}

static bool next_write(struct offset_gen *g, uint64_t *offset, uint32_t *len)
{
	struct zbd *s = g->zbd;
	struct zone_table *t = s->use->table;
	uint64_t zone = s->cursor;
	bool ok;

	if (g->order != OFFSET_SEQUENTIAL)
		zone = *offset / t->size < s->zones ? *offset / t->size : s->zones - 1;
	zone_table_lock(t, s->use->me);
	do
		ok = append(g, zone, offset, *len) || write_any(g, &zone, offset, len);
	while (!ok && s->stop == ZBD_AGAIN);
	s->cursor_used |= ok && zone == s->cursor;
	zone_table_unlock(t);
	return ok;
}

/* Returns how many bytes of a zone can be read. */
static uint64_t readable(const struct zbd *s, uint64_t i)
{
	const struct zone *z = zone_at(s, i);

	if (__atomic_load_n(&z->state, __ATOMIC_RELAXED) == ZONED_OFFLINE)
		return 0;
	return z->conventional ? capacity(s, i) : zone_pointer(z);
}

/* Moves a random read to data: in its zone, or in the next one that has any. Another worker may reset the
   zone at any time, so its write pointer is read once. */
static bool read_random(struct offset_gen *g, uint64_t *offset, uint32_t *len)
{
	struct zbd *s = g->zbd;
	uint64_t size = s->use->table->size, zone = *offset / size, at = *offset % size, data = 0, n = 0;
	uint32_t least = g->least[DIR_READ];

	while (n < s->zones && (data = readable(s, (zone + n) % s->zones)) < least)
		n++;
	if (n == s->zones)
		return stop_because(s, ZBD_NO_DATA);
	zone = (zone + n) % s->zones;
	if (at + least > data)
		at = at / least % (data / least) * least;
	if (*len > data - at)
		*len = offset_draw_within(g, DIR_READ, true, data - at);
	*offset = zone * size + at;
	return true;
}

/* Returns how many bytes a sequential read at this position may have; 0: no read can begin there. */
static uint64_t readable_from(const struct offset_gen *g, uint64_t at)
{
	const struct zbd *s = g->zbd;
	uint64_t size = s->use->table->size, end;

	if (at % (size + s->use->skip) >= size)
		return 0;
	end = g->cfg->zone.read_beyond_wp ? g->len : at - at % size + readable(s, at / size);
	return end < at + g->least[DIR_READ] ? 0 : end - at;
}

/* Moves the position of sequential reads to the next place where one can begin; to the end if there is none.
   Returns how many bytes can be read there. */
static uint64_t skip_zones(struct offset_gen *g)
{
	uint64_t size = g->zbd->use->table->size, stride = size + g->zbd->use->skip;
	uint64_t *pos = &g->pos[DIR_READ], data = 0;

	/* The skip is a multiple of the size. */
	while (*pos < g->len && !(data = readable_from(g, *pos)))
		*pos += *pos % stride < size ? size - *pos % size : stride - *pos % stride;
	*pos = *pos < g->len ? *pos : g->len;
	return data;
}

static bool read_in_order(struct offset_gen *g, uint64_t *offset, uint32_t *len)
{
	struct zbd *s = g->zbd;
	uint64_t *pos = &g->pos[DIR_READ], data = skip_zones(g);

	if (!data) {
		if (!g->cfg->zone.read_beyond_wp && (s->wrapped || !(g->cfg->rw & RW_WRITE)))
			return stop_because(s, s->wrapped ? ZBD_NO_DATA : ZBD_PASS_OVER);
		s->wrapped = true;
		*pos = 0;
		data = skip_zones(g);
		if (!data)
			return stop_because(s, ZBD_NO_DATA);
	}
	*offset = *pos;
	*len = offset_draw_within(g, DIR_READ, false, data);
	*pos += *len;
	s->wrapped = false;
	return true;
}

/* Finds the next zone that is not empty, from `zone` on. Returns false if the trim must wait, or there is
 * none. */
static bool find_written(struct offset_gen *g, uint64_t *zone)
{
	struct zbd *s = g->zbd;

	s->stop = ZBD_NO_DATA;
	for (uint64_t n = 0; n < s->zones; n++) {
		uint64_t i = (*zone + n) % s->zones;

		if (zone_at(s, i)->conventional || zone_at(s, i)->state ||
		    (!zone_pointer(zone_at(s, i)) && !zone_at(s, i)->owner) || !zone_is_idle(g, i))
			continue;
		*zone = i;
		return true;
	}
	return false;
}

static bool next_trim(struct offset_gen *g, uint64_t *offset, uint32_t *len)
{
	struct zbd *s = g->zbd;
	struct zone_table *t = s->use->table;
	uint64_t zone = *offset / t->size;
	bool ok;

	zone_table_lock(t, s->use->me);
	ok = find_written(g, &zone);
	if (ok)
		zone_at(s, zone)->owner = s->use->me;
	zone_table_unlock(t);
	*offset = zone * t->size;
	*len = (uint32_t)t->size;
	return ok;
}

/* Draws a place by the order of the generator, again and again over the range. */
static void draw_place(struct offset_gen *g, enum io_dir dir, uint64_t *offset, uint32_t *len)
{
	struct zbd *s = g->zbd;

	if (s->held && s->held_dir == dir) {
		*offset = s->held_offset;
		*len = s->held_len;
		return;
	}
	if (dir == DIR_WRITE && g->order == OFFSET_SEQUENTIAL) { /* the zones say where */
		*offset = 0;
		*len = g->fixed[dir] ? g->fixed[dir] : offset_draw_within(g, dir, false, g->len);
		return;
	}
	while (!offset_draw_order(g, dir, offset, len)) {
		if (g->order == OFFSET_SEQUENTIAL)
			g->pos[dir] = 0;
		else
			offset_begin_order(g, rng_u64(&g->rng));
	}
}

static bool use_place(struct offset_gen *g, enum io_dir dir, uint64_t *offset, uint32_t *len)
{
	if (dir == DIR_WRITE)
		return next_write(g, offset, len);
	if (dir == DIR_TRIM)
		return next_trim(g, offset, len);
	return g->cfg->zone.read_beyond_wp || read_random(g, offset, len);
}

bool zbd_next(struct offset_gen *g, enum io_dir dir, uint64_t *offset, uint32_t *len)
{
	struct zbd *s = g->zbd;
	bool ok;

	if (!s) /* an engine without data */
		return offset_draw_order(g, dir, offset, len);
	s->stop = ZBD_PASS_OVER;
	if (s->pass_left < g->least[dir] || g->places[dir] == 0 || !s->zones)
		return false;
	if (dir == DIR_READ && g->order == OFFSET_SEQUENTIAL) {
		ok = read_in_order(g, offset, len);
	} else {
		draw_place(g, dir, offset, len);
		s->held_offset = *offset;
		s->held_len = *len;
		s->held_dir = dir;
		ok = use_place(g, dir, offset, len);
		s->held = !ok && s->stop != ZBD_NO_DATA;
	}
	if (ok)
		s->pass_left -= *len < s->pass_left ? *len : s->pass_left;
	return ok;
}

/* The last write left less room in the zone than a write needs: ends the zone, so that the device counts it
   as open no more. Moves *wp. */
static void finish_zone(struct offset_gen *g, uint64_t i, uint64_t *wp)
{
	struct zbd *s = g->zbd;

	if (*wp >= capacity(s, i) || capacity(s, i) - *wp >= g->least[DIR_WRITE] ||
	    !change_zone(s, i, ZONE_FINISH) || zone_at(s, i)->state)
		return;
	if (s->use->finishes)
		++*s->use->finishes;
	*wp = capacity(s, i);
}

/* An append has completed. Returns false if others are in flight. After the last one, *failed says whether
   one of them has failed. */
static bool last_append(struct zone *z, uint64_t bytes, bool *failed)
{
	const uint64_t wp = z->wp + (*failed ? 0 : bytes);

	z->appends--;
	z->appending -= bytes;
	z->append_failed |= *failed;
	*failed = z->append_failed;
	if (z->appends) {
		__atomic_store_n(&z->wp, wp, __ATOMIC_RELAXED);
		return false;
	}
	z->append_failed = false;
	return true;
}

/* Asks whether the zone can still be read, unless another write or reset of it is in flight. */
static void read_failed(struct offset_gen *g, uint64_t i)
{
	struct zbd *s = g->zbd;
	struct zone *z = zone_at(s, i);

	zone_table_lock(s->use->table, s->use->me);
	if (s->use->command && !z->owner && !z->conventional && z->state != ZONED_OFFLINE) {
		z->owner = s->use->me;
		locate(g, i, z->wp);
		z->owner = 0;
	}
	zone_table_unlock(s->use->table);
}

void zbd_done(struct offset_gen *g, enum io_dir dir, uint64_t offset, uint64_t bytes, bool failed)
{
	struct zbd *s = g->zbd;
	struct zone_table *t = s->use->table;
	uint64_t i = offset / t->size - s->first, wp;
	struct zone *z = zone_at(s, i);

	if (dir == DIR_READ) {
		read_failed(g, i);
		return;
	}
	if (!s->use->command || z->owner != s->use->me)
		return;
	zone_table_lock(t, s->use->me);
	wp = dir == DIR_TRIM ? 0 : z->wp + bytes;
	if (z->appends && !last_append(z, bytes, &failed)) {
		zone_table_unlock(t);
		return;
	}
	if (failed) {
		locate(g, i, wp);
	} else {
		if (dir == DIR_WRITE)
			finish_zone(g, i, &wp);
		else if (s->use->resets)
			++*s->use->resets;
		move_pointer(g, i, wp);
	}
	z->owner = 0;
	zone_table_unlock(t);
}

bool zbd_has_rows(const struct offset_gen *g)
{
	return g->zbd && g->zbd->zones && g->order == OFFSET_SEQUENTIAL && g->fixed[DIR_WRITE] &&
	       !g->zbd->use->appends && !g->cfg->zone.reset_frequency;
}

/* Returns how many writes fit into a zone that stays open after them. */
static uint64_t row_room(const struct offset_gen *g, const struct zone *z)
{
	uint64_t most = g->zbd->use->table->device ? z->capacity : g->zbd->use->table->capacity;
	uint64_t size = g->fixed[DIR_WRITE], left = most - z->wp;

	return z->wp > most || left < size ? 0 : left / size - 1;
}

/* Takes the zone that sequential writes fill, if it is open and no other worker wants it. */
static bool begin_row(struct offset_gen *g)
{
	struct zbd *s = g->zbd;
	struct zone_table *t = s->use->table;
	struct zone *z = zone_at(s, s->cursor);
	bool ok;

	zone_table_lock(t, s->use->me);
	ok = z->open && !z->owner && !z->shared && !z->conventional && !s->held && row_room(g, z);
	if (ok) {
		z->owner = s->use->me;
		s->row_zone = z;
		s->row_end = g->start + s->cursor * t->size + z->wp;
		s->cursor_used = true;
	}
	zone_table_unlock(t);
	return ok;
}

/* Sets the write pointer, which only the owner of the zone does. */
static void set_row_pointer(const struct offset_gen *g, uint64_t wp)
{
	const struct zbd *s = g->zbd;

	__atomic_store_n(&s->row_zone->wp, wp - g->start - s->cursor * s->use->table->size, __ATOMIC_RELAXED);
}

bool zbd_row_move(struct offset_gen *g, uint64_t next)
{
	set_row_pointer(g, next);
	return !__atomic_load_n(&g->zbd->row_zone->shared, __ATOMIC_RELAXED);
}

unsigned zbd_row(struct offset_gen *g, uint64_t *offset, unsigned max)
{
	struct zbd *s = g->zbd;
	uint64_t size = g->fixed[DIR_WRITE], n;

	if (s->row_zone ? !zbd_row_move(g, s->row_end) : !begin_row(g))
		n = 0;
	else
		n = row_room(g, s->row_zone);
	n = n < s->pass_left / size ? n : s->pass_left / size;
	n = n < max ? n : max;
	for (uint64_t i = 0; i < n; i++)
		offset[i] = s->row_end + i * size;
	s->row_end += n * size;
	s->pass_left -= n * size;
	if (!n)
		zbd_row_end(g, s->row_end, false);
	return (unsigned)n;
}

void zbd_row_end(struct offset_gen *g, uint64_t next, bool failed)
{
	struct zbd *s = g->zbd;

	if (!s->row_zone)
		return;
	s->pass_left += s->row_end - next;
	set_row_pointer(g, failed ? next - g->fixed[DIR_WRITE] : next);
	if (!failed) {
		zone_table_lock(s->use->table, s->use->me);
		s->row_zone->owner = 0;
		zone_table_unlock(s->use->table);
	}
	s->row_zone = NULL;
}
