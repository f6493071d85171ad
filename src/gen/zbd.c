#include "offset_parts.h"

#define MILLION 1000000u

size_t offset_zones_bytes(const struct offset_cfg *cfg, uint64_t len)
{
	const struct zone_cfg *z = &cfg->zone;

	if (z->mode != ZONE_ZBD)
		return 0;
	return sizeof(struct zbd) + len / z->size * sizeof(uint64_t) + z->max_open * sizeof(uint32_t);
}

void offset_set_zones(struct offset_gen *g, void *memory)
{
	struct zbd *s = memory;

	*s = (struct zbd){ .zones = g->len / g->cfg->zone.size, .pass_bytes = g->len, .pass_left = g->len };
	s->wp = (uint64_t *)(s + 1);
	s->open = (uint32_t *)(s->wp + s->zones);
	for (uint64_t i = 0; i < s->zones; i++)
		s->wp[i] = 0;
	g->zbd = s;
}

void offset_count_zone_resets(struct offset_gen *g, uint64_t *const *resets)
{
	g->zbd->resets = resets;
}

void zbd_begin(struct offset_gen *g, uint64_t key)
{
	offset_begin_order(g, key);
	if (g->zbd)
		g->zbd->pass_left = g->zbd->pass_bytes;
}

static uint64_t room(const struct offset_gen *g, uint64_t zone)
{
	return g->cfg->zone.capacity - g->zbd->wp[zone];
}

/* Returns the place of an open zone in the list; nopen if the zone is not open. */
static uint32_t find_open(const struct zbd *s, uint64_t zone)
{
	uint32_t i = 0;

	while (i < s->nopen && s->open[i] != zone)
		i++;
	return i;
}

static void close_zone(struct zbd *s, uint64_t zone)
{
	uint32_t i = find_open(s, zone);

	if (i < s->nopen)
		s->open[i] = s->open[--s->nopen];
}

static void reset(struct zbd *s, uint64_t zone)
{
	close_zone(s, zone);
	s->written -= s->wp[zone];
	s->wp[zone] = 0;
	if (s->resets && *s->resets)
		++**s->resets;
}

/* Returns whether this write must reset its zone (zone_reset_frequency). Call it once for each write. */
static bool reset_is_due(const struct offset_gen *g)
{
	const struct zone_cfg *z = &g->cfg->zone;
	struct zbd *s = g->zbd;

	if (!z->reset_frequency ||
	    (double)s->written <= (double)(s->zones * z->capacity) / MILLION * z->reset_threshold)
		return false;
	s->reset_sum += z->reset_frequency;
	if (s->reset_sum < MILLION)
		return false;
	s->reset_sum -= MILLION;
	return true;
}

/* Opens a zone for a write, or chooses an open one instead if no more may be open. */
static uint64_t open_zone(const struct offset_gen *g, uint64_t zone)
{
	uint32_t most = g->cfg->zone.max_open;
	struct zbd *s = g->zbd;

	if (!most || find_open(s, zone) < s->nopen)
		return zone;
	if (s->nopen == most)
		return s->open[zone % most];
	s->open[s->nopen++] = (uint32_t)zone;
	return zone;
}

static uint64_t next_in_order(struct offset_gen *g, uint32_t least)
{
	struct zbd *s = g->zbd;

	if (room(g, s->cursor) < least) {
		s->cursor += 1 + g->cfg->zone.skip / g->cfg->zone.size;
		if (s->cursor >= s->zones)
			s->cursor = 0;
	}
	return s->cursor;
}

static void write_at_pointer(struct offset_gen *g, enum io_dir dir, uint64_t *offset, uint32_t *len)
{
	uint32_t least = g->least[dir];
	bool random = g->order != OFFSET_SEQUENTIAL;
	struct zbd *s = g->zbd;
	uint64_t zone = random ? *offset / g->cfg->zone.size : next_in_order(g, least);

	zone = open_zone(g, zone < s->zones ? zone : s->zones - 1);
	if (room(g, zone) < least || (s->wp[zone] && reset_is_due(g))) {
		reset(s, zone);
		zone = open_zone(g, zone);
	}
	if (*len > room(g, zone))
		*len = offset_draw_within(g, dir, random, room(g, zone));
	*offset = zone * g->cfg->zone.size + s->wp[zone];
	s->wp[zone] += *len;
	s->written += *len;
	if (room(g, zone) < least)
		close_zone(s, zone);
}

/* Moves sequential reads out of the zones that zone.skip leaves out. */
static void skip_zones(struct offset_gen *g)
{
	uint64_t size = g->cfg->zone.size, stride = size + g->cfg->zone.skip, *pos = &g->pos[DIR_READ];

	if (g->order != OFFSET_SEQUENTIAL || *pos % stride < size)
		return;
	*pos += stride - *pos % stride;
	if (*pos / size >= g->zbd->zones)
		*pos = 0;
}

bool zbd_next(struct offset_gen *g, enum io_dir dir, uint64_t *offset, uint32_t *len)
{
	struct zbd *s = g->zbd;

	if (s->pass_left < g->least[dir] || g->places[dir] == 0 || !s->zones)
		return false;
	if (dir == DIR_READ)
		skip_zones(g);
	while (!offset_draw_order(g, dir, offset, len)) {
		if (g->order == OFFSET_SEQUENTIAL)
			g->pos[dir] = 0;
		else
			offset_begin_order(g, rng_u64(&g->rng));
	}
	if (dir == DIR_WRITE)
		write_at_pointer(g, dir, offset, len);
	s->pass_left -= *len < s->pass_left ? *len : s->pass_left;
	return true;
}
