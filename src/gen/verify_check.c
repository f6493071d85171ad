#include "verify_check.h"

#include <endian.h>
#include <string.h>
#include "crc.h"

/* Fewer zero bytes in a row than this may be data. */
#define ZEROES_MIN 16u

/* If more than this share of the data differs from those of the seed, another program made them, and the
   wrong bytes cannot be found. */
#define DIFFERS_NUM 7u
#define DIFFERS_DEN 8u

/* Headers of fio 3.33 and older have 40 bytes, and a type below 32. */
#define OLD_HEADER_BYTES 40u
#define OLD_TYPE_END     32u

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
};
/* clang-format on */

/* A part of a block that is being checked, or a piece of it. */
struct part {
	const struct verify_format *f;
	const struct verify_expect *e;
	uint32_t bytes, at;  /* length; position in the block */
	uint32_t from, to;   /* the bytes of it that were read */
	unsigned char *have; /* these bytes, in the order of the disk */
};

static unsigned char *byte(const struct part *p, uint32_t at)
{
	return p->have + (at - p->from);
}

static uint64_t seed_of(const struct part *p)
{
	return p->f->cfg->pattern ? 0 : p->e->write.seed;
}

static uint64_t file_offset(const struct part *p)
{
	return p->e->write.offset + p->at;
}

static bool has_digest(const struct part *p)
{
	return verify_kinds[p->f->cfg->kind].digest;
}

/* Describes damage of all bytes that were read of the part. Returns false, as the result of the check. */
static bool damaged(const struct part *p, struct verify_damage *d, enum verify_damage_kind kind,
		    uint64_t expected, uint64_t found)
{
	d->kind = kind;
	d->offset = file_offset(p) + p->from;
	d->bytes = p->to - p->from;
	d->expected = expected;
	d->found = found;
	return false;
}

static void set_range(const struct part *p, struct verify_damage *d, uint32_t from, uint32_t to)
{
	d->offset = file_offset(p) + from;
	d->bytes = to - from;
}

static bool all_zero(const unsigned char *p, size_t bytes)
{
	return !bytes || (!p[0] && !memcmp(p, p + 1, bytes - 1));
}

/* ---- bytes that should be there ---- */

/* Returns the place on the disk of byte `at` of a part whose header stands at its beginning. The same
   function turns a place on the disk into such a byte. */
static uint32_t exchanged(const struct verify_format *f, uint32_t at)
{
	uint32_t offset = f->cfg->offset;

	if (!offset || !f->head)
		return at;
	if (at < f->head)
		return at + offset;
	return at >= offset && at - offset < f->head ? at - offset : at;
}

/* The bytes of a part that differ from the data of a seed. Places are those on the disk. */
struct difference {
	uint32_t from, to, count, compared; /* [from, to) has all of them; to 0: none differs */
	uint8_t expected, found;            /* the first one */
	bool zero;                          /* all bytes from the first to the last are zero */
};

static void add_difference(struct difference *x, uint32_t at, uint8_t expected, uint8_t found)
{
	if (!x->count || at < x->from) {
		x->from = at;
		x->expected = expected;
		x->found = found;
	}
	if (at >= x->to)
		x->to = at + 1;
	x->count++;
}

static void find_difference(const struct part *p, uint64_t seed, struct difference *x)
{
	struct verify_write w = p->e->write;
	unsigned char want[512];

	*x = (struct difference){ 0 };
	w.seed = seed;
	for (uint32_t at = p->f->head; at < p->bytes; at += sizeof(want)) {
		uint32_t n = p->bytes - at < sizeof(want) ? p->bytes - at : sizeof(want);

		verify_block_fill(p->f, &w, want, n, p->at + at);
		for (uint32_t i = 0; i < n; i++) {
			uint32_t raw = exchanged(p->f, at + i);

			if (raw < p->from || raw >= p->to)
				continue;
			x->compared++;
			if (*byte(p, raw) != want[i])
				add_difference(x, raw, want[i], *byte(p, raw));
		}
	}
	x->zero = x->count && all_zero(byte(p, x->from), x->to - x->from);
}

/* ---- headers ---- */

static const unsigned char *header_at(const struct part *p)
{
	return byte(p, p->f->cfg->offset);
}

static bool is_header(const unsigned char *at)
{
	struct verify_header h;

	verify_header_read(&h, at);
	return h.magic == VERIFY_MAGIC && h.crc == verify_header_crc(at);
}

/* The header of fio 3.33: a type of 16 bits in place of version and type, 40 bytes, the CRC at their end. */
static bool is_old_header(const unsigned char *at, struct verify_header *h)
{
	uint16_t type;
	uint32_t crc;

	memcpy(&type, at + 2, sizeof(type));
	memcpy(&crc, at + OLD_HEADER_BYTES - 4, sizeof(crc));
	if (h->magic != VERIFY_MAGIC || le16toh(type) >= OLD_TYPE_END ||
	    le32toh(crc) != crc32c(at, OLD_HEADER_BYTES - 4))
		return false;
	h->type = (uint8_t)le16toh(type);
	return true;
}

/* Looks for an intact header at a wrong byte of the part. Returns whether it has found and described one. */
static bool find_shifted_header(const struct part *p, struct verify_damage *d)
{
	for (uint32_t at = p->from; at + VERIFY_HEADER_BYTES <= p->to; at++) {
		struct verify_header h;
		uint64_t belongs;

		if (!is_header(byte(p, at)))
			continue;
		verify_header_read(&h, byte(p, at));
		belongs = h.offset + p->f->cfg->offset;
		if (belongs == file_offset(p) + at)
			continue; /* an older and smaller block */
		damaged(p, d, DAMAGE_SHIFTED, file_offset(p) + at, belongs);
		d->header = h;
		d->has_header = true;
		return true;
	}
	return false;
}

/* Returns whether the part begins with data of this write that belong elsewhere; then it describes them. */
static bool find_shifted_data(const struct part *p, struct verify_damage *d)
{
	struct verify_data_source s;

	if (p->f->cfg->pattern || p->f->cfg->offset || !p->e->seed ||
	    !verify_data_source(&p->f->data, p->have, p->bytes, seed_of(p), p->at, &s) || !s.cells ||
	    s.seed != seed_of(p))
		return false;
	damaged(p, d, DAMAGE_SHIFTED, file_offset(p), file_offset(p) + s.cells * VERIFY_DATA_CELL);
	return true;
}

/* Describes the zero bytes around byte `at`. */
static void zeroed_around(const struct part *p, struct verify_damage *d, uint32_t at)
{
	uint32_t from = at, to = at;

	while (from > p->from && !*byte(p, from - 1))
		from--;
	while (to < p->to && !*byte(p, to))
		to++;
	damaged(p, d, DAMAGE_ZEROED, 0, 0);
	set_range(p, d, from, to);
}

/* Names the damage of a part that has no intact header at the header's place. Returns false. */
static bool name_bad_header(const struct part *p, struct verify_header *h, struct verify_damage *d)
{
	const unsigned char *at = header_at(p);
	uint32_t offset = p->f->cfg->offset;
	bool whole = p->to - p->from == p->bytes;

	if (is_old_header(at, h))
		return damaged(p, d, DAMAGE_OLD_FIO, verify_kinds[p->f->cfg->kind].type, h->type);
	if (find_shifted_header(p, d))
		return false;
	if (all_zero(at, VERIFY_HEADER_BYTES)) {
		zeroed_around(p, d, offset);
		return false;
	}
	if (h->magic == VERIFY_MAGIC)
		damaged(p, d, DAMAGE_HEADER_CRC, verify_header_crc(at), h->crc);
	else if (whole && find_shifted_data(p, d))
		return false;
	else
		damaged(p, d, DAMAGE_NO_HEADER, VERIFY_MAGIC, h->magic);
	set_range(p, d, offset, offset + VERIFY_HEADER_BYTES);
	return false;
}

static bool same_block(const struct part *p, uint64_t offset)
{
	return offset - p->e->write.offset < p->e->write.bytes;
}

/* Returns whether the intact header is that of the expected write; otherwise it names the damage. */
static bool check_write(const struct part *p, const struct verify_header *h, struct verify_damage *d)
{
	const struct verify_write *w = &p->e->write;
	bool number = p->e->number && h->number != w->number, seed = p->e->seed && h->seed != seed_of(p);

	if (!number && !seed)
		return true;
	if (w->thread && h->thread != w->thread)
		return damaged(p, d, DAMAGE_OTHER_JOB, w->thread, h->thread);
	if (number)
		return damaged(p, d, h->number < w->number ? DAMAGE_STALE : DAMAGE_NEWER, w->number,
			       h->number);
	return damaged(p, d, DAMAGE_SEED, seed_of(p), h->seed);
}

/* Returns whether the header is as it should be, and sets *h; otherwise it names the damage. */
static bool check_header(const struct part *p, struct verify_header *h, struct verify_damage *d)
{
	uint8_t type = verify_kinds[p->f->cfg->kind].type;

	verify_header_read(h, header_at(p));
	if (h->magic != VERIFY_MAGIC || h->crc != verify_header_crc(header_at(p)))
		return name_bad_header(p, h, d);
	if (h->version != VERIFY_VERSION)
		return damaged(p, d, DAMAGE_VERSION, VERIFY_VERSION, h->version);
	if (h->type != type)
		return damaged(p, d, DAMAGE_OTHER_KIND, type, h->type);
	if (h->offset != file_offset(p))
		return damaged(p, d, same_block(p, h->offset) ? DAMAGE_SHIFTED : DAMAGE_MISPLACED,
			       file_offset(p), h->offset);
	if (!check_write(p, h, d))
		return false;
	if (h->length != p->bytes)
		return damaged(p, d, DAMAGE_LENGTH, p->bytes, h->length);
	return true;
}

/* Does the same, and adds the header to the damage if it is intact. */
static bool take_header(const struct part *p, struct verify_header *h, struct verify_damage *d)
{
	bool right = check_header(p, h, d);

	if (right || is_header(header_at(p))) {
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

static bool digest_matches(const struct part *p, struct digests *x)
{
	const uint32_t head = p->f->head;

	x->bytes = verify_kinds[p->f->cfg->kind].digest;
	verify_part_exchange(p->f, p->have);
	verify_digest_of(p->f->cfg->kind, p->have + head, p->bytes - head, x->expected);
	memcpy(x->found, p->have + VERIFY_HEADER_BYTES, x->bytes);
	verify_part_exchange(p->f, p->have);
	return !memcmp(x->expected, x->found, x->bytes);
}

static bool wrong_digest(const struct part *p, const struct digests *x, struct verify_damage *d)
{
	return damaged(p, d, DAMAGE_DIGEST, digest_value(x->expected, x->bytes),
		       digest_value(x->found, x->bytes));
}

/* Finds the write from which the wrong bytes [from, to) come. Header and digest cannot tell. Returns false if
   the write is not found. */
static bool find_source(const struct part *p, uint32_t from, uint32_t to, struct verify_data_source *s)
{
	const uint32_t head = p->f->head, offset = p->f->cfg->offset;
	uint32_t first = from > head ? from : head, behind = offset + head;
	uint32_t end = offset && to > offset ? offset : to;

	if (p->f->cfg->pattern)
		return false;
	if (first < end &&
	    verify_data_source(&p->f->data, byte(p, first), end - first, seed_of(p), p->at + first, s))
		return true;
	first = from > behind ? from : behind;
	return offset && first < to &&
	       verify_data_source(&p->f->data, byte(p, first), to - first, seed_of(p), p->at + first, s);
}

/* Names the damage of data that differ from those of `seed`. Returns false. */
static bool name_difference(const struct part *p, const struct difference *x, uint64_t seed,
			    struct verify_damage *d)
{
	struct verify_data_source s;
	bool other = find_source(p, x->from, x->to, &s) && (s.seed != seed || s.cells);

	if (x->zero && x->to - x->from >= ZEROES_MIN)
		damaged(p, d, DAMAGE_ZEROED, 0, 0);
	else if (other && s.seed == seed)
		damaged(p, d, DAMAGE_SHIFTED, file_offset(p) + x->from,
			file_offset(p) + x->from + s.cells * VERIFY_DATA_CELL);
	else if (other)
		damaged(p, d, DAMAGE_TORN, seed, s.seed);
	else
		damaged(p, d, p->f->cfg->pattern ? DAMAGE_PATTERN : DAMAGE_DATA, x->expected, x->found);
	set_range(p, d, x->from, x->to);
	return false;
}

static bool name_wrong_digest(const struct part *p, const struct digests *dig, uint64_t seed,
			      struct verify_damage *d)
{
	const uint32_t offset = p->f->cfg->offset;
	struct verify_damage where;
	struct difference x;

	find_difference(p, seed, &x);
	wrong_digest(p, dig, d);
	if (!x.count) {
		set_range(p, d, offset + VERIFY_HEADER_BYTES, offset + p->f->head);
		return false;
	}
	where = *d;
	name_difference(p, &x, seed, &where);
	/* If fiord did not draw the data, nearly all bytes differ, and neither their place nor the kind of
	 * damage means anything. */
	if ((uint64_t)x.count * DIFFERS_DEN <= (uint64_t)x.compared * DIFFERS_NUM ||
	    where.kind == DAMAGE_TORN || where.kind == DAMAGE_SHIFTED || where.kind == DAMAGE_ZEROED)
		*d = where;
	return false;
}

static bool pattern_matches(const struct part *p, const unsigned char *buf, uint32_t bytes, uint32_t at)
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

static bool drawn_matches(const struct part *p, uint64_t seed, const unsigned char *buf, uint32_t bytes,
			  uint32_t at)
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
static bool content_matches(const struct part *p, uint64_t seed)
{
	const uint32_t head = p->f->head, bytes = p->bytes - head;
	bool same;

	verify_part_exchange(p->f, p->have);
	same = p->f->cfg->pattern ? pattern_matches(p, p->have + head, bytes, head)
				  : drawn_matches(p, seed, p->have + head, bytes, head);
	verify_part_exchange(p->f, p->have);
	return same;
}

/* Returns whether the data of the part are those that its header promises. */
static bool data_matches(const struct part *p, uint64_t seed, struct digests *dig)
{
	if (has_digest(p))
		return digest_matches(p, dig);
	if (p->f->cfg->kind != VERIFY_META || p->e->drawn)
		return content_matches(p, seed);
	return true;
}

static bool is_other_write(enum verify_damage_kind kind)
{
	return kind == DAMAGE_STALE || kind == DAMAGE_NEWER || kind == DAMAGE_SEED ||
	       kind == DAMAGE_OTHER_JOB;
}

/* The header is of another write. The part is torn if its data are not of that write, too. */
static void name_other_write(const struct part *p, const struct verify_header *h, struct verify_damage *d)
{
	struct difference x;
	struct digests dig;

	if (data_matches(p, h->seed, &dig))
		return;
	damaged(p, d, DAMAGE_TORN, seed_of(p), h->seed);
	find_difference(p, seed_of(p), &x);
	if (!p->f->cfg->offset)
		set_range(p, d, 0, x.to > p->f->head ? x.to : p->f->head);
}

/* ---- parts ---- */

static bool name_wrong_data(const struct part *p, uint64_t seed, struct verify_damage *d)
{
	struct difference x;

	find_difference(p, seed, &x);
	return name_difference(p, &x, seed, d);
}

static bool check_part(const struct part *p, struct verify_damage *d)
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
static bool check_piece(const struct part *p, struct verify_damage *d, uint32_t *unchecked)
{
	const uint32_t at = p->f->cfg->offset;
	struct verify_header h;
	struct difference x;

	*unchecked = p->to - p->from;
	if (p->f->head && p->from <= at && at + VERIFY_HEADER_BYTES <= p->to) {
		if (!take_header(p, &h, d))
			return false;
		*unchecked -= VERIFY_HEADER_BYTES;
	}
	if (!p->f->cfg->pattern && !(p->e->seed && p->e->drawn))
		return true;
	find_difference(p, p->e->write.seed, &x);
	*unchecked -= x.compared;
	return !x.count || name_difference(p, &x, p->e->write.seed, d);
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

static bool check_whole(const struct part *p, struct verify_damage *d)
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
		struct part p = { .f = f, .e = e, .bytes = step, .at = at };
		struct verify_damage one = { 0 };
		uint32_t open = 0;
		bool intact;

		p.from = at < from ? from - at : 0;
		p.to = to - at < step ? to - at : step;
		p.have = (unsigned char *)buf + (at + p.from - from);
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
	if (all_zero(buf, bytes))
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
