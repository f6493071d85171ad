/* Are I/Os counted per file and interval? */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdlib.h>
#include "dir.h"
#include "per_file.h"

/* Two files and three intervals of 100 ns: end of each I/O, and the interval that counts it. */
static const struct {
	uint32_t file;
	unsigned dir;
	uint64_t end, latency;
	uint32_t bucket;
} ios[] = {
	{ 0, DIR_READ, 0, 7, 0 },    { 0, DIR_READ, 99, 9, 0 },  { 0, DIR_WRITE, 100, 50, 1 },
	{ 1, DIR_READ, 299, 11, 2 }, { 1, DIR_READ, 300, 1, 3 }, { 1, DIR_WRITE, 90000, 3, 3 },
};
#define COUNT (sizeof(ios) / sizeof(ios[0]))

static void test_sums(void **state)
{
	const struct per_file_cfg c = { .files = 2, .buckets = 3, .bucket_ns = 100, .hists = true };
	void *parts = calloc(1, per_file_bytes(&c));
	uint64_t n = 0;

	(void)state;
	assert_non_null(parts);
	per_file_init(parts, &c);
	for (size_t i = 0; i < COUNT; i++) {
		assert_int_equal(per_file_bucket_at(&c, ios[i].end), ios[i].bucket);
		per_file_add(parts, &c, ios[i].file, ios[i].bucket, ios[i].dir, 512, ios[i].latency);
	}
	assert_int_equal(per_file_of(parts, 0)->bytes[DIR_READ], 1024);
	assert_int_equal(per_file_of(parts, 0)->lat[DIR_READ].min, 7);
	assert_int_equal(per_file_of(parts, 0)->lat[DIR_READ].max, 9);
	assert_int_equal(per_file_of(parts, 1)->lat[DIR_WRITE].n, 1);
	assert_int_equal(per_file_of(parts, 1)->lat[DIR_READ].sum, 12);
	assert_int_equal(hist_total(&per_file_of(parts, 1)->hist[DIR_READ]), 2);
	assert_int_equal(per_file_buckets(parts, &c, 0)[0].lat[DIR_READ].n, 2);
	assert_int_equal(per_file_buckets(parts, &c, 0)[1].lat[DIR_WRITE].max, 50);
	for (uint32_t f = 0; f < c.files; f++)
		for (uint32_t b = 0; b < c.buckets; b++)
			for (unsigned d = 0; d < PER_FILE_DIRS; d++)
				n += per_file_buckets(parts, &c, f)[b].lat[d].n;
	assert_int_equal(n, COUNT - 2); /* I/Os after the last interval are in none */
	free(parts);
}

/* A poll precedes each wait and is counted by the number of completions that it finds. */
static void test_took(void **state)
{
	static const uint64_t found[PER_FILE_FOUND] = { 2, 0, 1, 0, 0, 0, 0, 2 };
	static const uint64_t woken[PER_FILE_FOUND] = { 1, 1, 0, 0, 0, 1, 0, 0 };
	static const struct {
		uint64_t waits;
		unsigned n;
	} took[] = { { 0, 1 }, { 1, 1 }, { 0, 3 }, { 2, 5 }, { 0, 8 }, { 0, 64 }, { 0, 1 } };
	struct per_file_waits w = { 0 };

	(void)state;
	for (size_t i = 0; i < sizeof(took) / sizeof(*took); i++)
		per_file_count_poll(&w, took[i].waits, took[i].n);
	assert_int_equal(w.waits, 3);
	assert_int_equal(w.polls, 8);
	assert_memory_equal(w.found, found, sizeof(found));
	assert_memory_equal(w.woken, woken, sizeof(woken));
}

static void test_nothing(void **state)
{
	const struct per_file_cfg none = { 0 }, plain = { .files = 1 };

	(void)state;
	assert_int_equal(per_file_bytes(&none), 0);
	assert_int_equal(per_file_bytes(&plain), sizeof(struct per_file));
	assert_int_equal(per_file_bucket_at(&plain, 12345), 0);
}

int unit_per_file(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(test_sums), cmocka_unit_test(test_took),
					    cmocka_unit_test(test_nothing) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
