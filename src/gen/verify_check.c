#include "verify_check.h"

#include <endian.h>
#include <string.h>
#include "verify_pieces.h"

/* If more than this share of the data differs from those of the seed, another program made them, and the
   wrong bytes cannot be found. */
#define DIFFERS_NUM 7u
#define DIFFERS_DEN 8u

/* clang-format off */
const struct verify_damage_info verify_damages[DAMAGE_KINDS] = {
	[DAMAGE_NONE]       = { "intact", VERIFY_VALUE_NONE },
	[DAMAGE_OLD_FIO]    = { "written by fio 3.33 or older", VERIFY_VALUE_NONE },
	[DAMAGE_VERSION]    = { "header of another version", VERIFY_VALUE_BITS },
	[DAMAGE_OTHER_KIND] = { "another kind of verify", VERIFY_VALUE_KIND },
	[DAMAGE_NO_HEADER]  = { "no header", VERIFY_VALUE_BITS },
	[DAMAGE_HEADER_CRC] = { "corrupt header", VERIFY_VALUE_BITS },
	[DAMAGE_MISPLACED]  = { "another block", VERIFY_VALUE_OFFSET },
	[DAMAGE_SHIFTED]    = { "shifted", VERIFY_VALUE_OFFSET },
	[DAMAGE_OTHER_JOB]  = { "another job's block", VERIFY_VALUE_THREAD },
	[DAMAGE_EARLIER_RUN] = { "of an earlier run", VERIFY_VALUE_NUMBER },
	[DAMAGE_STALE]      = { "stale", VERIFY_VALUE_NUMBER },
	[DAMAGE_NEWER]      = { "a later write", VERIFY_VALUE_NUMBER },
	[DAMAGE_SEED]       = { "another write", VERIFY_VALUE_SEED },
	[DAMAGE_LENGTH]     = { "a block of another size", VERIFY_VALUE_BYTES },
	[DAMAGE_ZEROED]     = { "zeroed", VERIFY_VALUE_NONE },
	[DAMAGE_TORN]       = { "torn", VERIFY_VALUE_SEED },
	[DAMAGE_DIGEST]     = { "wrong digest", VERIFY_VALUE_BITS },
	[DAMAGE_DATA]       = { "corrupt", VERIFY_VALUE_BYTE },
	[DAMAGE_PATTERN]    = { "wrong pattern", VERIFY_VALUE_BYTE },
	[DAMAGE_NOT_TRIMMED] = { "not zero after a trim", VERIFY_VALUE_BYTE },
	[DAMAGE_BEYOND_END] = { "beyond the end of the file", VERIFY_VALUE_NONE },
};
/* clang-format on */

static bool has_digest(const struct verify_part *p)
{
	return verify_kinds[p->f->cfg->kind].digest;
}

/* ---- headers ---- */

static bool same_block(const struct verify_part *p, uint64_t offset)
{
	return offset - p->e->write.offset < p->e->write.bytes;
}

/* Returns whether the intact header is that of the expected write; otherwise it names the damage. */
static bool check_write(const struct verify_part *p, const struct verify_header *h, struct verify_damage *d)
{
	const struct verify_write *w = &p->e->write;
	bool number = p->e->number && h->number != w->number, seed = p->e->seed && h->seed != part_seed(p);
	bool earlier = verify_time_ns(h->seconds, h->nanoseconds) < p->e->since_ns;

	if (!number && !seed && !earlier)
		return true;
	if (w->thread && h->thread != w->thread)
		return part_damaged(p, d, DAMAGE_OTHER_JOB, w->thread, h->thread);
	if (earlier)
		return part_damaged(p, d, DAMAGE_EARLIER_RUN, w->number, h->number);
	if (number)
		return part_damaged(p, d, h->number < w->number ? DAMAGE_STALE : DAMAGE_NEWER, w->number,
				    h->number);
	return part_damaged(p, d, DAMAGE_SEED, part_seed(p), h->seed);
}

/* Returns whether the header is as it should be, and sets *h; otherwise it names the damage. */
static bool check_header(const struct verify_part *p, struct verify_header *h, struct verify_damage *d)
{
	uint8_t type = verify_kinds[p->f->cfg->kind].type;

	verify_header_read(h, part_header(p));
	if (h->magic != VERIFY_MAGIC || h->crc != verify_header_crc(part_header(p)))
		return part_name_header(p, h, d);
	if (h->version != VERIFY_VERSION)
		return part_damaged(p, d, DAMAGE_VERSION, VERIFY_VERSION, h->version);
	if (h->type != type)
		return part_damaged(p, d, DAMAGE_OTHER_KIND, type, h->type);
	if (h->offset != part_offset(p))
		return part_damaged(p, d, same_block(p, h->offset) ? DAMAGE_SHIFTED : DAMAGE_MISPLACED,
				    part_offset(p), h->offset);
	if (!check_write(p, h, d))
		return false;
	if (h->length != p->bytes)
		return part_damaged(p, d, DAMAGE_LENGTH, p->bytes, h->length);
	return true;
}

/* Checks the header like check_header, and adds it to the damage if it is intact. */
static bool take_header(const struct verify_part *p, struct verify_header *h, struct verify_damage *d)
{
	bool right = check_header(p, h, d);

	if (right || part_is_header(part_header(p))) {
		d->header = *h;
		d->has_header = true;
	}
	return right;
}

/* ---- data ---- */

/* Returns a digest as an integer, for messages. Of a long digest these are the first eight bytes, in the
   order in which they stand. */
static uint64_t digest_value(const unsigned char *digest, uint32_t bytes)
{
	unsigned char first[8] = { 0 };
	uint64_t value;

	memcpy(first, digest, bytes < sizeof(first) ? bytes : sizeof(first));
	memcpy(&value, first, sizeof(value));
	return bytes > sizeof(first) ? be64toh(value) : le64toh(value);
}

struct digests {
	unsigned char expected[VERIFY_DIGEST_MAX], found[VERIFY_DIGEST_MAX];
	uint32_t bytes;
};

static bool digest_matches(const struct verify_part *p, struct digests *x)
{
	const uint32_t head = p->f->head;

	x->bytes = verify_kinds[p->f->cfg->kind].digest;
	verify_part_exchange(p->f, p->data);
	verify_digest_of(p->f->cfg->kind, p->data + head, p->bytes - head, x->expected);
	memcpy(x->found, p->data + VERIFY_HEADER_BYTES, x->bytes);
	verify_part_exchange(p->f, p->data);
	return !memcmp(x->expected, x->found, x->bytes);
}

static bool wrong_digest(const struct verify_part *p, const struct digests *x, struct verify_damage *d)
{
	return part_damaged(p, d, DAMAGE_DIGEST, digest_value(x->expected, x->bytes),
			    digest_value(x->found, x->bytes));
}

static bool name_wrong_digest(const struct verify_part *p, const struct digests *dig, uint64_t seed,
			      struct verify_damage *d)
{
	const uint32_t offset = p->f->cfg->offset;
	struct verify_damage where;
	struct part_difference x;

	part_compare(p, seed, &x);
	wrong_digest(p, dig, d);
	if (!x.count) {
		part_set_range(p, d, offset + VERIFY_HEADER_BYTES, offset + p->f->head);
		return false;
	}
	where = *d;
	part_name_difference(p, &x, seed, &where);
	/* If fiord did not draw the data, nearly all bytes differ, and neither their place nor the kind of
	 * damage means anything. */
	if ((uint64_t)x.count * DIFFERS_DEN <= (uint64_t)x.compared * DIFFERS_NUM ||
	    where.kind == DAMAGE_TORN || where.kind == DAMAGE_SHIFTED || where.kind == DAMAGE_ZEROED)
		*d = where;
	return false;
}

static bool pattern_matches(const struct verify_part *p, const unsigned char *buf, uint32_t bytes,
			    uint32_t at)
{
	const struct verify_cfg *c = p->f->cfg;
	const uint64_t step = c->pattern_interval ? c->pattern_interval : p->e->write.bytes;
	uint64_t pos = (uint64_t)p->at + at;

	while (bytes) {
		uint64_t phase = pos % step;
		uint32_t n = step - phase < bytes ? (uint32_t)(step - phase) : bytes;

		if (pattern_differs(c->pattern, buf, n, phase, p->e->write.offset + pos - phase) < n)
			return false;
		buf += n;
		pos += n;
		bytes -= n;
	}
	return true;
}

static bool seed_data_matches(const struct verify_part *p, uint64_t seed, const unsigned char *buf,
			      uint32_t bytes, uint32_t at)
{
	unsigned char want[4096];

	while (bytes) {
		uint32_t n = bytes < sizeof(want) ? bytes : sizeof(want);

		verify_data_draw(&p->f->data, want, n, seed, (uint64_t)p->at + at);
		if (memcmp(buf, want, n))
			return false;
		buf += n;
		at += n;
		bytes -= n;
	}
	return true;
}

/* Returns whether the data of a whole part are those of the pattern, or of the seed. */
static bool content_matches(const struct verify_part *p, uint64_t seed)
{
	const uint32_t head = p->f->head, bytes = p->bytes - head;
	bool same;

	verify_part_exchange(p->f, p->data);
	same = p->f->cfg->pattern ? pattern_matches(p, p->data + head, bytes, head)
				  : seed_data_matches(p, seed, p->data + head, bytes, head);
	verify_part_exchange(p->f, p->data);
	return same;
}

/* Returns whether the data of the part are those that its header promises. */
static bool data_matches(const struct verify_part *p, uint64_t seed, struct digests *dig)
{
	if (has_digest(p))
		return digest_matches(p, dig);
	if (p->f->cfg->kind != VERIFY_META || p->e->seed_data)
		return content_matches(p, seed);
	return true;
}

static bool is_other_write(enum verify_damage_kind kind)
{
	return kind == DAMAGE_EARLIER_RUN || kind == DAMAGE_STALE || kind == DAMAGE_NEWER ||
	       kind == DAMAGE_SEED || kind == DAMAGE_OTHER_JOB;
}

/* The header is of another write. The part is torn if its data are not of that write, too. */
static void name_other_write(const struct verify_part *p, const struct verify_header *h,
			     struct verify_damage *d)
{
	struct part_difference x;
	struct digests dig;

	if (data_matches(p, h->seed, &dig))
		return;
	part_damaged(p, d, DAMAGE_TORN, part_seed(p), h->seed);
	part_compare(p, part_seed(p), &x);
	if (!p->f->cfg->offset)
		part_set_range(p, d, 0, x.to > p->f->head ? x.to : p->f->head);
}

/* ---- parts ---- */

static bool name_wrong_data(const struct verify_part *p, uint64_t seed, struct verify_damage *d)
{
	struct part_difference x;

	part_compare(p, seed, &x);
	return part_name_difference(p, &x, seed, d);
}

static bool check_part(const struct verify_part *p, struct verify_damage *d)
{
	struct verify_header h;
	struct digests dig;

	if (!take_header(p, &h, d)) {
		if (is_other_write(d->kind))
			name_other_write(p, &h, d);
		return false;
	}
	if (data_matches(p, h.seed, &dig))
		return true;
	return has_digest(p) ? name_wrong_digest(p, &dig, h.seed, d) : name_wrong_data(p, h.seed, d);
}

/* Checks a part of which only [from, to) was read. Returns whether it is intact, and sets *unchecked to the
   bytes that nothing could check. */
static bool check_piece(const struct verify_part *p, struct verify_damage *d, uint32_t *unchecked)
{
	const uint32_t at = p->f->cfg->offset;
	struct verify_header h;
	struct part_difference x;

	*unchecked = p->to - p->from;
	if (p->f->head && p->from <= at && at + VERIFY_HEADER_BYTES <= p->to) {
		if (!take_header(p, &h, d))
			return false;
		*unchecked -= VERIFY_HEADER_BYTES;
	}
	if (!p->f->cfg->pattern && !(p->e->seed && p->e->seed_data))
		return true;
	part_compare(p, p->e->write.seed, &x);
	*unchecked -= x.compared;
	return !x.count || part_name_difference(p, &x, p->e->write.seed, d);
}

/* ---- blocks ---- */

/* The damage of a block is that of its first damaged part. It extends to the last part with damage of the
   same kind. */
static void add_damage(struct verify_damage *sum, const struct verify_damage *d)
{
	if (!sum->parts++) {
		*sum = *d;
		sum->parts = 1;
	} else if (d->kind == sum->kind) {
		sum->bytes = d->offset + d->bytes - sum->offset;
	}
}

static bool check_whole(const struct verify_part *p, struct verify_damage *d)
{
	if (p->f->cfg->kind != VERIFY_PATTERN)
		return check_part(p, d);
	return content_matches(p, 0) || name_wrong_data(p, 0, d);
}

bool verify_check_range(const struct verify_format *f, const struct verify_expect *e, void *buf,
			uint32_t from, uint32_t bytes, struct verify_damage *d, uint64_t *unchecked)
{
	const uint32_t step = verify_part_bytes(f->cfg, e->write.bytes), to = from + bytes;
	uint32_t parts = 0;

	*d = (struct verify_damage){ 0 };
	if (f->cfg->kind <= VERIFY_NULL) {
		*unchecked += bytes;
		return true;
	}
	for (uint32_t at = from - from % step; at < to; at += step, parts++) {
		struct verify_part p = { .f = f, .e = e, .bytes = step, .at = at };
		struct verify_damage one = { 0 };
		uint32_t open = 0;
		bool intact;

		p.from = at < from ? from - at : 0;
		p.to = to - at < step ? to - at : step;
		p.data = (unsigned char *)buf + (at + p.from - from);
		intact = p.to - p.from == step ? check_whole(&p, &one) : check_piece(&p, &one, &open);
		*unchecked += open;
		if (!intact)
			add_damage(d, &one);
	}
	if (is_other_write(d->kind) && d->parts < parts) {
		d->kind = DAMAGE_TORN;
		d->expected = e->write.seed;
		d->found = d->header.seed;
	}
	return !d->parts;
}

bool verify_check(const struct verify_format *f, const struct verify_expect *e, void *buf,
		  struct verify_damage *d)
{
	uint64_t unchecked = 0;

	return verify_check_range(f, e, buf, 0, e->write.bytes, d, &unchecked);
}

bool verify_check_zero(const unsigned char *buf, uint32_t bytes, uint64_t offset, struct verify_damage *d)
{
	uint32_t from = 0, to = bytes;

	*d = (struct verify_damage){ 0 };
	if (part_all_zero(buf, bytes))
		return true;
	while (!buf[from])
		from++;
	while (!buf[to - 1])
		to--;
	*d = (struct verify_damage){ .kind = DAMAGE_NOT_TRIMMED,
				     .offset = offset + from,
				     .bytes = to - from,
				     .found = buf[from],
				     .parts = 1 };
	return false;
}
