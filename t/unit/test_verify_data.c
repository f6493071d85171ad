#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <string.h>
#include "rng.h"
#include "verify_block.h"

#define BYTES 8192u

static const struct buffer_cfg plain = { 0 }, half = { .compress = 50, .compress_chunk = 1024 },
			       third = { .compress = 67 }, empty = { .compress = 100 };

/* Any range of a block has the bytes that the whole block has there. */
static void test_ranges(void **state)
{
	static const struct buffer_cfg *const cfgs[] = { &plain, &half, &third, &empty };
	unsigned char whole[BYTES], piece[BYTES];
	struct verify_data d;
	struct rng r;

	(void)state;
	rng_init(&r, 1);
	for (size_t i = 0; i < sizeof(cfgs) / sizeof(*cfgs); i++) {
		verify_data_init(&d, cfgs[i], BYTES);
		verify_data_draw(&d, whole, BYTES, 77, 0);
		for (unsigned n = 0; n < 3000; n++) {
			uint64_t from = rng_below(&r, BYTES), bytes = rng_below(&r, BYTES - from + 1);

			verify_data_draw(&d, piece, bytes, 77, from);
			assert_memory_equal(piece, whole + from, bytes);
		}
	}
}

/* The bytes of a seed on all machines. They were computed in Python from the rules: a sector is the 512 bytes
   of content_pool_random(), combined with mix(mix(seed) + sector), all words little endian. */
static void test_known_bytes(void **state)
{
	static const struct {
		uint64_t pos;
		const char *bytes;
	} known[] = {
		{ 0, "\x5e\x52\x70\xf1\x48\xff\xca\xce" },
		{ 1021, "\xcb\x76\x1e\xe0\xba\x8b\x5b\x32" }, /* the ends of two sectors */
		{ 8184, "\x6e\x88\x98\x38\x1a\xc5\x91\x01" },
	};
	unsigned char whole[BYTES], piece[8];
	struct verify_data d;

	(void)state;
	verify_data_init(&d, &plain, BYTES);
	verify_data_draw(&d, whole, BYTES, 77, 0);
	for (size_t i = 0; i < sizeof(known) / sizeof(*known); i++) {
		assert_memory_equal(whole + known[i].pos, known[i].bytes, sizeof(piece));
		verify_data_draw(&d, piece, sizeof(piece), 77, known[i].pos);
		assert_memory_equal(piece, known[i].bytes, sizeof(piece));
	}
}

static size_t zeroes(const unsigned char *p, size_t bytes)
{
	size_t n = 0;

	for (size_t i = 0; i < bytes; i++)
		n += !p[i];
	return n;
}

/* clang-format off */
static const struct { const struct buffer_cfg *cfg; size_t least, most; } shares[] = {
	{ &plain, 0, 100 },
	{ &half, BYTES / 2, BYTES / 2 + 100 },
	{ &empty, BYTES, BYTES },
};
/* clang-format on */

static void test_compression(void **state)
{
	unsigned char buf[BYTES];
	struct verify_data d;

	(void)state;
	for (size_t i = 0; i < sizeof(shares) / sizeof(*shares); i++) {
		verify_data_init(&d, shares[i].cfg, BYTES);
		verify_data_draw(&d, buf, BYTES, 5, 0);
		assert_in_range(zeroes(buf, BYTES), shares[i].least, shares[i].most);
	}
}

/* No word of a block occurs in another one, nor twice in one: nothing for a compressor to find. */
static void test_blocks_differ(void **state)
{
	unsigned char a[BYTES], b[BYTES];
	struct verify_data d;

	(void)state;
	verify_data_init(&d, &plain, BYTES);
	verify_data_draw(&d, a, BYTES, 5, 0);
	verify_data_draw(&d, b, BYTES, 6, 0);
	for (size_t at = 0; at < BYTES; at += 8) {
		for (size_t to = 0; to < BYTES; to += 8) {
			assert_int_not_equal(memcmp(a + at, b + to, 8), 0);
			assert_true(at == to || memcmp(a + at, a + to, 8));
		}
	}
}

static void check_source(const struct verify_data *d, uint64_t seed, uint64_t pos, size_t bytes)
{
	struct verify_data_source s;
	unsigned char buf[BYTES];

	verify_data_draw(d, buf, bytes, seed, pos);
	assert_true(verify_data_source(d, buf, bytes, 1234, pos, &s));
	assert_true(s.seed == seed && s.sectors == 0);
	/* The right seed at a wrong place. */
	assert_true(verify_data_source(d, buf, bytes, seed, pos + VERIFY_SECTOR, &s));
	assert_true(s.seed == seed && s.sectors == (uint64_t)-1);
	assert_true(pos < 1024 || verify_data_source(d, buf, bytes, seed, pos - 1024, &s));
	assert_true(pos < 1024 || (s.seed == seed && s.sectors == 2));
}

static void test_source(void **state)
{
	struct verify_data_source s;
	unsigned char buf[BYTES];
	struct verify_data d;
	struct rng r;

	(void)state;
	rng_init(&r, 2);
	verify_data_init(&d, &plain, BYTES);
	for (unsigned n = 0; n < 3000; n++) {
		uint64_t seed = rng_u64(&r);

		check_source(&d, seed, rng_below(&r, 1 << 20), 48 + rng_below(&r, BYTES - 48));
	}
	for (size_t i = 0; i < BYTES; i++)
		buf[i] = (unsigned char)rng_u64(&r);
	assert_false(verify_data_source(&d, buf, BYTES, 1, 0, &s));
	memset(buf, 0, BYTES);
	assert_false(verify_data_source(&d, buf, BYTES, 1, 0, &s));
	verify_data_draw(&d, buf, BYTES, 1, 0);
	assert_false(verify_data_source(&d, buf, 15, 1, 0, &s));
	assert_false(verify_data_source(&d, buf, 0, 1, 0, &s));
}

int unit_verify_data(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_ranges),      cmocka_unit_test(test_known_bytes),
		cmocka_unit_test(test_compression), cmocka_unit_test(test_blocks_differ),
		cmocka_unit_test(test_source),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
