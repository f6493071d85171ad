/* Dedupe units: how many repeat another one, how much of each is random, and do writes and layouts agree? */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>
#include "content.h"

#define UNITS 3000u

static const uint32_t percents[] = { 1, 7, 30, 50, 66, 75, 90, 99, 100 };
static const uint32_t sizes[] = { 512, 4096, 1000, 513, 65536 };

#define LEN(a) (sizeof(a) / sizeof((a)[0]))

static int by_value(const void *a, const void *b)
{
	const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return (x > y) - (x < y);
}

static size_t distinct(uint64_t *v, size_t n)
{
	size_t count = n > 0;

	qsort(v, n, sizeof(*v), by_value);
	for (size_t i = 1; i < n; i++)
		count += v[i] != v[i - 1];
	return count;
}

static uint64_t hash(const unsigned char *buf, size_t bytes)
{
	uint64_t h = bytes;

	for (size_t i = 0; i < bytes; i++)
		h = (h ^ buf[i]) * 0x100000001b3u;
	return rng_mix64(h);
}

/* Hashes n units of `unit` bytes. */
static void write_units(struct content *c, uint32_t unit, uint64_t *h, size_t n)
{
	unsigned char *buf = malloc(unit);

	assert_non_null(buf);
	for (size_t i = 0; i < n; i++) {
		content_before_write(c, buf, unit, i * unit);
		h[i] = hash(buf, unit);
	}
	free(buf);
}

static void begin(struct content *c, const struct buffer_cfg *cfg, uint32_t unit, uint64_t units)
{
	const struct content_geometry place = { .seed = 5, .unit = unit, .block = unit, .units = units };

	content_init(c, cfg, &place);
}

/* After any number of units the share of repeated units is as requested, within one unit. */
static void test_dedupe(void **state)
{
	static const size_t counts[] = { 1, 10, 64, 999, UNITS };
	uint64_t h[UNITS];

	(void)state;
	for (size_t i = 0; i < LEN(percents) * 2; i++) {
		const struct buffer_cfg cfg = { .dedupe = percents[i / 2],
						.dedupe_mode = i % 2,
						.dedupe_set = 5 };

		for (size_t k = 0; k < LEN(counts); k++) {
			size_t n = counts[k], want = n - n * percents[i / 2] / 100;
			struct content c;

			begin(&c, &cfg, 512, n);
			write_units(&c, 512, h, n);
			assert_int_equal(distinct(h, n), want ? want : 1);
		}
	}
}

/* Exactly the units of the working set repeat. */
static void test_working_set(void **state)
{
	const struct buffer_cfg cfg = { .dedupe = 50, .dedupe_mode = DEDUPE_WORKING_SET, .dedupe_set = 2 };
	uint64_t h[UNITS], twice = 0;
	struct content c;

	(void)state;
	begin(&c, &cfg, 512, UNITS);
	write_units(&c, 512, h, UNITS);
	qsort(h, UNITS, sizeof(h[0]), by_value);
	for (size_t i = 1; i < UNITS; i++)
		twice += h[i] == h[i - 1] && (i == 1 || h[i - 2] != h[i]);
	assert_in_range(twice, UNITS * 2 / 100 - 2, UNITS * 2 / 100);
}

/* Jobs with a common set repeat each other's units; without it they never do. */
static void test_shares(void **state)
{
	const struct buffer_cfg cfg = { .dedupe = 50, .dedupe_mode = DEDUPE_WORKING_SET, .dedupe_set = 10 };
	uint64_t h[2 * UNITS], own[UNITS];
	size_t both;

	(void)state;
	for (uint32_t shares = 0; shares <= 2; shares += 2) {
		for (uint32_t i = 0; i < 2; i++) {
			const struct content_geometry place = { .seed = shares ? 5 : 5 + i,
								.unit = 512,
								.units = shares ? 2 * UNITS : UNITS,
								.share = shares ? i : 0,
								.shares = shares };
			struct content c;

			content_init(&c, &cfg, &place);
			write_units(&c, 512, h + (size_t)i * UNITS, UNITS);
		}
		memcpy(own, h, sizeof(own));
		both = distinct(h, 2 * UNITS);
		assert_int_equal(both, UNITS);
		if (shares)
			assert_true(distinct(own, UNITS) > UNITS / 2 + 50);
		else
			assert_int_equal(distinct(own, UNITS), UNITS / 2);
	}
}

/* Counts the equal bytes at the end of a chunk. */
static size_t tail(const unsigned char *chunk, size_t bytes)
{
	size_t n = 0;

	while (n < bytes && chunk[bytes - 1 - n] == 0)
		n++;
	return n;
}

static void test_compress(void **state)
{
	(void)state;
	for (size_t i = 0; i < LEN(percents) * LEN(sizes); i++) {
		uint32_t unit = sizes[i % LEN(sizes)], percent = percents[i / LEN(sizes)],
			 chunk = unit < 512 ? unit : 512;
		const struct buffer_cfg cfg = { .compress = percent, .compress_chunk = 512 };
		unsigned char *buf = malloc(unit);
		struct content c;

		assert_non_null(buf);
		begin(&c, &cfg, unit, UNITS);
		content_before_write(&c, buf, unit, 0);
		for (uint32_t at = 0; at + chunk <= unit; at += chunk) {
			size_t n = tail(buf + at, chunk), want = chunk * percent / 100;

			assert_in_range(n, want, want + 5);
		}
		free(buf);
	}
}

/* A unit has the same bytes whether it is written alone or laid out with others. */
static void test_pieces(void **state)
{
	static const size_t pieces[] = { 1, 7, 8, 100, 4096, 5000 };
	const struct buffer_cfg cfg = { .compress = 40, .compress_chunk = 300, .dedupe = 30 };
	unsigned char whole[20000], parts[sizeof(whole)];

	(void)state;
	for (size_t s = 0; s < 4; s++) {
		struct content c;

		begin(&c, &cfg, sizes[s], 100);
		content_generate(&c, whole, sizeof(whole), 0);
		for (size_t p = 0; p < LEN(pieces); p++) {
			for (size_t at = 0, n; at < sizeof(parts); at += n) {
				n = sizeof(parts) - at < pieces[p] ? sizeof(parts) - at : pieces[p];
				assert_true(content_at(&c, parts + at, n, at));
			}
			assert_memory_equal(whole, parts, sizeof(whole));
		}
	}
}

int unit_content_units(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_dedupe), cmocka_unit_test(test_working_set),
		cmocka_unit_test(test_shares), cmocka_unit_test(test_compress),
		cmocka_unit_test(test_pieces),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
