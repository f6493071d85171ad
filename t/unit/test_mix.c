/* Are reads, writes and trims mixed in the requested shares? */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include "mix.h"

#define BOTH (RW_READ | RW_WRITE)

static unsigned reads_of(unsigned percent, unsigned rw, unsigned n)
{
	struct mix_cfg cfg = { percent };
	struct mixer m;
	unsigned reads = 0;

	mix_init(&m, &cfg, rw, 17);
	for (unsigned i = 0; i < n; i++) {
		enum io_dir dir = mix_next(&m);

		assert_true(rw & 1u << dir);
		reads += dir == DIR_READ;
	}
	return reads;
}

/* Within 4 sigma of the binomial distribution, which is at most 4 * sqrt(n / 4) = 200 here. */
static void test_shares(void **state)
{
	static const unsigned percents[] = { 0, 1, 10, 30, 50, 70, 99, 100 };

	(void)state;
	for (size_t i = 0; i < sizeof(percents) / sizeof(percents[0]); i++) {
		unsigned want = percents[i] * 100, reads = reads_of(percents[i], BOTH | RW_RANDOM, 10000);

		if (percents[i] % 100 == 0)
			assert_int_equal(reads, want);
		else
			assert_in_range(reads, want > 200 ? want - 200 : 1, want + 200);
	}
}

static void test_one_direction(void **state)
{
	(void)state;
	assert_int_equal(reads_of(50, RW_READ, 100), 100);
	assert_int_equal(reads_of(50, RW_WRITE | RW_RANDOM, 100), 0);
	assert_int_equal(reads_of(50, RW_TRIM, 100), 0);
}

/* The caller removes directions that have ended; the others go on. */
static void test_direction_ends(void **state)
{
	struct mix_cfg cfg = { 50 };
	struct mixer m;

	(void)state;
	mix_init(&m, &cfg, BOTH, 1);
	m.dirs &= ~(unsigned)RW_READ;
	for (unsigned i = 0; i < 100; i++)
		assert_int_equal(mix_next(&m), DIR_WRITE);
}

/* Trims come until the caller says that a write is due. */
static void test_trimwrite(void **state)
{
	struct mix_cfg cfg = { 50 };
	struct mixer m;

	(void)state;
	mix_init(&m, &cfg, RW_TRIM | RW_WRITE | RW_TRIMWRITE, 1);
	for (unsigned i = 0; i < 10; i++) {
		assert_int_equal(mix_next(&m), DIR_TRIM);
		mix_only(&m, DIR_WRITE);
		assert_int_equal(mix_next(&m), DIR_WRITE);
		mix_only(&m, DIR_TRIM);
	}
}

static void test_recorded(void **state)
{
	static const char recorded[] = "rwrrrrwrwrrwwrrrrrrrrrrrrrwrrwwwwwrrwrrr";
	struct mix_cfg cfg = { 70 };
	struct mixer m;

	(void)state;
	mix_init(&m, &cfg, BOTH, 1);
	for (size_t i = 0; i + 1 < sizeof(recorded); i++)
		assert_int_equal(mix_next(&m), recorded[i] == 'r' ? DIR_READ : DIR_WRITE);
}

int unit_mix(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_shares),         cmocka_unit_test(test_one_direction),
		cmocka_unit_test(test_direction_ends), cmocka_unit_test(test_trimwrite),
		cmocka_unit_test(test_recorded),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
