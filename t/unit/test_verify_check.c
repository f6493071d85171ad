/* Blocks of all kinds and shapes: an intact one is accepted, each damage is found and has its name. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <endian.h>
#include <stdlib.h>
#include <string.h>
#include "rng.h"
#include "verify_check.h"

#define BS       4096u
#define OFFSET   (40u * BS)
#define SECTOR   512u
#define SEED     0x123456789abcdefULL
#define OLD_SEED 0x7766554433221100ULL

static const uint32_t at_two[] = { 2 };
static const struct pattern with_offset = {
	.bytes = (const unsigned char *)"\x55\xaa........\x11", .len = 11, .noffsets = 1, .offset_at = at_two
};
static const struct buffer_cfg plain = { 0 }, half = { .compress = 50, .compress_chunk = 512 };

static const struct shape {
	uint32_t bs, interval, offset;
	const struct buffer_cfg *buffer;
	bool pattern;
	uint32_t pattern_interval;
} shapes[] = {
	{ BS, 0, 0, &plain, false, 0 },       { BS, 512, 0, &plain, false, 0 },
	{ BS, 1024, 300, &plain, false, 0 },  { BS, 0, 3000, &half, false, 0 },
	{ BS, 512, 200, &half, false, 0 },    { BS, 0, 0, &plain, true, 0 },
	{ BS, 2048, 512, &plain, true, 512 }, { 1000, 0, 0, &plain, false, 0 },
	{ 1500, 500, 200, &plain, false, 0 }, { 700, 4096, 0, &half, true, 0 },
};
#define SHAPES (sizeof(shapes) / sizeof(*shapes))

struct fixture {
	struct verify_cfg cfg;
	struct verify_format f;
	struct verify_expect e;
	unsigned char block[2 * BS], intact[2 * BS];
	struct verify_damage d;
};

static void begin(struct fixture *x, enum verify_kind kind, const struct shape *s)
{
	bool pattern = s->pattern || kind == VERIFY_PATTERN || kind == VERIFY_PATTERN_HDR;

	memset(x, 0, sizeof(*x));
	x->cfg = (struct verify_cfg){ .kind = kind,
				      .interval = s->interval,
				      .offset = s->offset,
				      .pattern = pattern ? &with_offset : NULL,
				      .pattern_interval = s->pattern_interval };
	verify_format_init(&x->f, &x->cfg, s->buffer, s->bs);
	assert_true(verify_block_fits(&x->cfg, s->bs));
	x->e = (struct verify_expect){
		.write = { .offset = OFFSET,
			   .bytes = s->bs,
			   .seconds = 7,
			   .nanoseconds = 8,
			   .seed = SEED,
			   .number = 1000,
			   .thread = 3 },
		.seed = true,
		.number = true,
		.seed_data = true,
	};
	verify_block_make(&x->f, &x->e.write, x->intact);
	memcpy(x->block, x->intact, sizeof(x->block));
}

static bool check(struct fixture *x)
{
	unsigned char before[2 * BS];
	bool intact;

	memcpy(before, x->block, sizeof(before));
	intact = verify_check(&x->f, &x->e, x->block, &x->d);
	assert_memory_equal(before, x->block, sizeof(before));
	assert_int_equal(intact, x->d.kind == DAMAGE_NONE);
	return intact;
}

/* ---- flipped bits ---- */

enum place { IN_HEADER, IN_DIGEST, IN_DATA };

static enum place place_of(const struct fixture *x, uint32_t at)
{
	uint32_t part = verify_part_bytes(&x->cfg, x->e.write.bytes), in = at % part - x->cfg.offset;

	if (!x->f.head || in >= x->f.head)
		return IN_DATA;
	return in < VERIFY_HEADER_BYTES ? IN_HEADER : IN_DIGEST;
}

static void check_flip(struct fixture *x, uint32_t bit)
{
	uint32_t at = bit / 8;

	x->block[at] ^= (unsigned char)(1 << bit % 8);
	assert_false(check(x));
	assert_int_equal(x->d.parts, 1);
	assert_true(x->d.offset <= OFFSET + at && OFFSET + at < x->d.offset + x->d.bytes);
	switch (place_of(x, at)) {
	case IN_HEADER:
		assert_true(x->d.kind == DAMAGE_HEADER_CRC || x->d.kind == DAMAGE_NO_HEADER);
		assert_int_equal(x->d.bytes, VERIFY_HEADER_BYTES);
		break;
	case IN_DIGEST:
		assert_int_equal(x->d.kind, DAMAGE_DIGEST);
		assert_int_equal(x->d.bytes, verify_kinds[x->cfg.kind].digest);
		break;
	case IN_DATA:
		assert_int_equal(x->d.kind, x->cfg.pattern ? DAMAGE_PATTERN : DAMAGE_DATA);
		assert_int_equal(x->d.offset, OFFSET + at);
		assert_int_equal(x->d.bytes, 1);
		assert_int_equal(x->d.expected, x->intact[at]);
		assert_int_equal(x->d.found, x->block[at]);
		break;
	}
	x->block[at] ^= (unsigned char)(1 << bit % 8);
}

static bool fits(enum verify_kind kind, const struct shape *s)
{
	const struct verify_cfg c = { .kind = kind, .interval = s->interval, .offset = s->offset };

	return verify_block_fits(&c, s->bs);
}

/* In one shape every bit, in the others every 61st. */
static void test_flipped_bits(void **state)
{
	(void)state;
	for (unsigned kind = VERIFY_MD5; kind < VERIFY_KINDS; kind++) {
		for (size_t i = 0; i < SHAPES; i++) {
			uint32_t step = i == 7 ? 1 : 61;
			struct fixture x;

			if (!fits(kind, &shapes[i]))
				continue;
			begin(&x, kind, &shapes[i]);
			assert_true(check(&x));
			for (uint32_t bit = 0; bit < shapes[i].bs * 8; bit += step)
				check_flip(&x, bit);
			assert_true(check(&x));
		}
	}
}

/* ---- other damages ---- */

static void make_other(struct fixture *x, const struct verify_write *w, unsigned char *buf)
{
	verify_block_make(&x->f, w, buf);
}

/* The write before this one. */
static struct verify_write older(const struct fixture *x)
{
	struct verify_write w = x->e.write;

	w.number -= 5;
	w.seed = OLD_SEED;
	w.seconds--;
	return w;
}

static void plant_stale(struct fixture *x)
{
	const struct verify_write w = older(x);

	make_other(x, &w, x->block);
}

/* The same write of an earlier run: only the time tells them apart. */
static void plant_earlier_run(struct fixture *x)
{
	struct verify_write w = x->e.write;

	x->e.since_ns = verify_time_ns(w.seconds, w.nanoseconds);
	assert_true(check(x));
	w.nanoseconds--;
	make_other(x, &w, x->block);
}

static void plant_newer(struct fixture *x)
{
	struct verify_write w = x->e.write;

	w.number += 5;
	w.seed++;
	make_other(x, &w, x->block);
}

static void plant_other_job(struct fixture *x)
{
	struct verify_write w = older(x);

	w.thread++;
	make_other(x, &w, x->block);
}

static void plant_other_seed(struct fixture *x)
{
	const struct verify_write w = older(x);

	x->e.number = false;
	make_other(x, &w, x->block);
}

static void plant_misplaced(struct fixture *x)
{
	struct verify_write w = older(x);

	w.offset += 16 * BS;
	make_other(x, &w, x->block);
}

static void plant_zeroes(struct fixture *x)
{
	memset(x->block, 0, BS);
}

static void plant_lost_first_sector(struct fixture *x)
{
	memset(x->block, 0, SECTOR);
}

static void plant_lost_sector(struct fixture *x)
{
	memset(x->block + 5 * SECTOR, 0, SECTOR);
}

static void plant_garbage(struct fixture *x)
{
	struct rng r;

	rng_init(&r, 1);
	for (uint32_t i = 0; i < BS; i++)
		x->block[i] = (unsigned char)rng_u64(&r);
}

/* What an older and smaller write has left stands where it belongs. */
static void plant_smaller_inside(struct fixture *x)
{
	struct verify_write w = older(x);

	plant_garbage(x);
	w.offset += BS / 2;
	w.bytes = BS / 2;
	make_other(x, &w, x->block + BS / 2);
}

/* The end of another block comes first. */
static void shift(struct fixture *x, uint32_t by)
{
	struct verify_write w = older(x);

	w.offset -= BS;
	make_other(x, &w, x->block);
	memmove(x->block, x->block + BS - by, by);
	memcpy(x->block + by, x->intact, BS - by);
}

static void plant_shift_by_a_byte(struct fixture *x)
{
	shift(x, 1);
}

static void plant_shift_by_a_sector(struct fixture *x)
{
	shift(x, SECTOR);
}

static void plant_shift_after_a_hole(struct fixture *x)
{
	shift(x, SECTOR);
	memset(x->block, 0, SECTOR);
}

static void plant_shift_back(struct fixture *x)
{
	memmove(x->block, x->intact + SECTOR, BS - SECTOR);
}

static void plant_larger(struct fixture *x)
{
	struct verify_write w = x->e.write;

	w.bytes = 2 * BS;
	make_other(x, &w, x->block);
}

static void plant_other_kind(struct fixture *x)
{
	struct verify_cfg cfg = x->cfg;
	struct verify_format f;

	cfg.kind = cfg.kind == VERIFY_MD5 ? VERIFY_XXHASH : VERIFY_MD5;
	verify_format_init(&f, &cfg, &plain, BS);
	verify_block_make(&f, &x->e.write, x->block);
}

/* Valid but for its version. */
static void plant_version(struct fixture *x)
{
	uint32_t crc;

	for (uint32_t at = 0; at < BS; at += verify_part_bytes(&x->cfg, BS)) {
		unsigned char *header = x->block + at + x->cfg.offset;

		header[2] = 0x82;
		crc = htole32(verify_header_crc(header));
		memcpy(header + 44, &crc, 4);
	}
}

static void plant_torn_end(struct fixture *x)
{
	unsigned char old[2 * BS];
	const struct verify_write w = older(x);

	make_other(x, &w, old);
	memcpy(x->block + 3 * SECTOR, old + 3 * SECTOR, BS - 3 * SECTOR);
}

static void plant_torn_begin(struct fixture *x)
{
	unsigned char old[2 * BS];
	const struct verify_write w = older(x);

	make_other(x, &w, old);
	memcpy(x->block, old, 3 * SECTOR);
}

static void plant_torn_middle(struct fixture *x)
{
	unsigned char old[2 * BS];
	const struct verify_write w = older(x);

	make_other(x, &w, old);
	memcpy(x->block + 2 * SECTOR, old + 2 * SECTOR, 4 * SECTOR);
}

/* Only in blocks of one part (0: any), only where data say which write they are. */
enum { ANY, ONE_PART = 1, OWN_DATA = 2 };

/* from and to: the range of the damage; values that are 0 are not compared. */
static const struct damage {
	const char *name;
	void (*plant)(struct fixture *x);
	enum verify_damage_kind kind;
	unsigned only;
	uint32_t from, to;
	uint64_t expected, found;
} damages[] = {
	{ "earlier run", plant_earlier_run, DAMAGE_EARLIER_RUN, ANY, 0, BS, 1000, 1000 },
	{ "stale", plant_stale, DAMAGE_STALE, ANY, 0, BS, 1000, 995 },
	{ "newer", plant_newer, DAMAGE_NEWER, ANY, 0, BS, 1000, 1005 },
	{ "other job", plant_other_job, DAMAGE_OTHER_JOB, ANY, 0, BS, 3, 4 },
	{ "other seed", plant_other_seed, DAMAGE_SEED, OWN_DATA, 0, BS, SEED, OLD_SEED },
	{ "misplaced", plant_misplaced, DAMAGE_MISPLACED, ANY, 0, BS, OFFSET, OFFSET + 16 * BS },
	{ "zeroed", plant_zeroes, DAMAGE_ZEROED, ANY, 0, BS, 0, 0 },
	{ "first sector lost", plant_lost_first_sector, DAMAGE_ZEROED, ANY, 0, SECTOR, 0, 0 },
	{ "sector lost", plant_lost_sector, DAMAGE_ZEROED, ANY, 5 * SECTOR, 6 * SECTOR, 0, 0 },
	{ "garbage", plant_garbage, DAMAGE_NO_HEADER, ANY, 0, VERIFY_HEADER_BYTES, VERIFY_MAGIC, 0 },
	{ "smaller inside", plant_smaller_inside, DAMAGE_NO_HEADER, ONE_PART, 0, VERIFY_HEADER_BYTES,
	  VERIFY_MAGIC, 0 },
	{ "shifted by 1", plant_shift_by_a_byte, DAMAGE_SHIFTED, ANY, 0, BS, OFFSET + 1, OFFSET },
	{ "shifted by 512", plant_shift_by_a_sector, DAMAGE_SHIFTED, ONE_PART, 0, BS, OFFSET + 512, OFFSET },
	{ "shifted behind a hole", plant_shift_after_a_hole, DAMAGE_SHIFTED, ONE_PART, 0, BS, OFFSET + 512,
	  OFFSET },
	{ "shifted back", plant_shift_back, DAMAGE_SHIFTED, OWN_DATA, 0, 0, OFFSET, OFFSET + 512 },
	{ "larger", plant_larger, DAMAGE_LENGTH, ONE_PART, 0, BS, BS, 2 * BS },
	{ "other kind", plant_other_kind, DAMAGE_OTHER_KIND, ANY, 0, BS, 0, 0 },
	{ "other version", plant_version, DAMAGE_VERSION, ANY, 0, BS, 0x81, 0x82 },
	{ "torn end", plant_torn_end, DAMAGE_TORN, OWN_DATA, 3 * SECTOR, BS, SEED, OLD_SEED },
	{ "torn begin", plant_torn_begin, DAMAGE_TORN, OWN_DATA, 0, 3 * SECTOR, SEED, OLD_SEED },
	{ "torn middle", plant_torn_middle, DAMAGE_TORN, OWN_DATA, 2 * SECTOR, 6 * SECTOR, SEED, OLD_SEED },
};

/* A byte at an end may by chance be the same before and after. */
#define CHANCE 4u

static bool applies(const struct damage *p, const struct fixture *x)
{
	if (p->only & ONE_PART && x->cfg.interval)
		return false;
	return !(p->only & OWN_DATA) || !x->cfg.pattern;
}

static void check_damage(struct fixture *x, const struct damage *p)
{
	p->plant(x);
	assert_false(check(x));
	if (x->d.kind != p->kind)
		fail_msg("%s, %s, interval %u: %s", verify_kinds[x->cfg.kind].name, p->name, x->cfg.interval,
			 verify_damages[x->d.kind].name);
	if (p->to && (p->kind != DAMAGE_NO_HEADER || !x->cfg.interval)) {
		assert_in_range(x->d.offset, OFFSET + p->from, OFFSET + p->from + CHANCE);
		assert_in_range(x->d.offset + x->d.bytes, OFFSET + p->to - CHANCE, OFFSET + p->to + CHANCE);
	}
	if (p->expected)
		assert_int_equal(x->d.expected, p->expected);
	if (p->found || p->expected == OFFSET)
		assert_int_equal(x->d.found, p->found);
}

static void test_damages(void **state)
{
	static const struct shape some[] = {
		{ BS, 0, 0, &plain, false, 0 },
		{ BS, 512, 0, &plain, false, 0 },
		{ BS, 0, 0, &plain, true, 0 },
	};

	(void)state;
	for (unsigned kind = VERIFY_MD5; kind < VERIFY_KINDS; kind++) {
		for (size_t i = 0; kind != VERIFY_PATTERN && i < sizeof(some) / sizeof(*some); i++) {
			for (size_t k = 0; k < sizeof(damages) / sizeof(*damages); k++) {
				struct fixture x;

				begin(&x, kind, &some[i]);
				if (applies(&damages[k], &x))
					check_damage(&x, &damages[k]);
			}
		}
	}
}

/* The header behind a damage says which write the bytes are from. */
static void test_header_of_a_stale_block(void **state)
{
	struct fixture x;

	(void)state;
	begin(&x, VERIFY_CRC32C, &shapes[1]);
	plant_stale(&x);
	assert_false(check(&x));
	assert_int_equal(x.d.parts, BS / 512);
	assert_true(x.d.has_header);
	assert_int_equal(x.d.header.number, 995);
	assert_int_equal(x.d.header.seconds, 6);
	assert_int_equal(x.d.header.thread, 3);
}

/* A seed and number that the caller does not know are not compared. */
static void test_unknown_seed_and_number(void **state)
{
	struct fixture x;

	(void)state;
	begin(&x, VERIFY_SHA1, &shapes[0]);
	plant_stale(&x);
	x.e.seed = x.e.number = false;
	assert_true(check(&x));
	x.block[100] ^= 1;
	assert_false(check(&x));
	assert_int_equal(x.d.kind, DAMAGE_DATA);
	assert_int_equal(x.d.offset, OFFSET + 100);
}

/* Data that fiord did not draw: meta covers the header alone, digests find the part. */
static void test_foreign_data(void **state)
{
	static const enum verify_kind kinds[] = { VERIFY_META, VERIFY_MD5 };

	(void)state;
	for (size_t i = 0; i < 2; i++) {
		struct fixture x;

		begin(&x, kinds[i], &shapes[0]);
		x.e.seed_data = false;
		plant_garbage(&x);
		verify_block_seal(&x.f, &x.e.write, x.block);
		assert_true(check(&x));
		x.block[3000] ^= 4;
		assert_int_equal(check(&x), kinds[i] == VERIFY_META);
		if (kinds[i] == VERIFY_MD5) {
			assert_int_equal(x.d.kind, DAMAGE_DIGEST);
			assert_int_equal(x.d.offset, OFFSET);
			assert_int_equal(x.d.bytes, BS);
		}
	}
}

static void test_pattern_and_null(void **state)
{
	struct fixture x;

	(void)state;
	begin(&x, VERIFY_PATTERN, &shapes[0]);
	plant_lost_sector(&x);
	assert_false(check(&x));
	assert_int_equal(x.d.kind, DAMAGE_ZEROED);
	plant_garbage(&x);
	assert_false(check(&x));
	assert_int_equal(x.d.kind, DAMAGE_PATTERN);
	begin(&x, VERIFY_NULL, &shapes[0]);
	plant_garbage(&x);
	assert_true(check(&x));
}

/* ---- ranges ---- */

/* Later writes have replaced all but [from, to): the rest is checked; a flipped bit in it is found. */
static void check_range(struct fixture *x, uint32_t from, uint32_t to)
{
	uint64_t unchecked = 0;
	uint32_t open = 0;
	unsigned char *buf = malloc(to - from); /* exactly these bytes, for the sanitizer */

	assert_non_null(buf);
	memcpy(buf, x->intact + from, to - from);
	assert_true(verify_check_range(&x->f, &x->e, buf, from, to - from, &x->d, &unchecked));
	for (uint32_t at = from; at < to; at++) {
		uint64_t ignored = 0;

		buf[at - from] ^= 0x10;
		if (verify_check_range(&x->f, &x->e, buf, from, to - from, &x->d, &ignored)) {
			assert_int_not_equal(place_of(x, at), IN_DATA);
			open++;
		} else {
			assert_true(x->d.offset <= OFFSET + at && OFFSET + at < x->d.offset + x->d.bytes);
		}
		buf[at - from] ^= 0x10;
	}
	assert_int_equal(unchecked, open);
	free(buf);
}

static void test_ranges(void **state)
{
	static const uint32_t cuts[] = { 0, 20, 512, 1000, 1024, 2048, 2500, 4096 };

	(void)state;
	for (size_t i = 0; i < 7; i++) {
		struct fixture x;

		begin(&x, VERIFY_CRC32C, &shapes[i]);
		for (size_t a = 0; a < 7; a++) {
			for (size_t b = a + 1; b < 8; b++)
				check_range(&x, cuts[a], cuts[b]);
		}
	}
}

/* ---- sizes ---- */

/* clang-format off */
static const struct { enum verify_kind kind; uint32_t interval, offset, bytes; bool fits; } sizes[] = {
	{ VERIFY_CRC32C, 0, 0, 52, true },
	{ VERIFY_CRC32C, 0, 0, 51, false },
	{ VERIFY_CRC32C, 0, 0, 0, false },
	{ VERIFY_SHA512, 0, 0, 175, false },
	{ VERIFY_SHA512, 0, 0, 176, true },
	{ VERIFY_CRC32C, 1000, 0, 4096, false },
	{ VERIFY_CRC32C, 8192, 0, 4096, true },
	{ VERIFY_CRC32C, 0, 51, 4096, false },
	{ VERIFY_CRC32C, 0, 52, 4096, true },
	{ VERIFY_CRC32C, 0, 4044, 4096, true },
	{ VERIFY_CRC32C, 0, 4045, 4096, false },
	{ VERIFY_CRC32C, 512, 1000, 4096, false },
	{ VERIFY_CRC32C, 0, UINT32_MAX, 4096, false },
	{ VERIFY_PATTERN, 0, 0, 1, true },
	{ VERIFY_NULL, 0, 0, 1, true },
};
/* clang-format on */

static void test_sizes(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(sizes) / sizeof(*sizes); i++) {
		const struct verify_cfg c = { .kind = sizes[i].kind,
					      .interval = sizes[i].interval,
					      .offset = sizes[i].offset };

		assert_int_equal(verify_block_fits(&c, sizes[i].bytes), sizes[i].fits);
	}
}

int unit_verify_check(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_flipped_bits),
		cmocka_unit_test(test_damages),
		cmocka_unit_test(test_header_of_a_stale_block),
		cmocka_unit_test(test_unknown_seed_and_number),
		cmocka_unit_test(test_foreign_data),
		cmocka_unit_test(test_pattern_and_null),
		cmocka_unit_test(test_ranges),
		cmocka_unit_test(test_sizes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
