/* Does a block tell which run wrote it, whole and in pieces? The blocks are those of a few runs, jobs and
 * numbers. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <string.h>
#include "rng.h"
#include "verify_check.h"

#define BYTES  8192u
#define SEED   UINT64_C(0xfedcba9876543210)
#define NUMBER 70001u

static const struct buffer_cfg plain = { 0 };
static const uint32_t runs[] = { 0, 1, 0x7fffffff, UINT32_MAX };

static void make(struct verify_format *f, const struct verify_cfg *cfg, unsigned char *buf, uint32_t run)
{
	const struct verify_write w = { .bytes = BYTES,
					.seconds = 5,
					.nanoseconds = 7,
					.seed = rng_mix64(verify_run_seed(SEED, run) + NUMBER),
					.number = NUMBER };

	verify_format_init(f, cfg, &plain, BYTES);
	verify_block_make(f, &w, buf);
}

static void check_run(const struct verify_cfg *cfg, uint32_t run)
{
	unsigned char buf[BYTES];
	struct verify_format f;
	struct block_run found;

	make(&f, cfg, buf, run);
	assert_true(verify_run_find(&f, buf, BYTES, 0, SEED, 0, &found));
	assert_int_equal(found.number, run);
	assert_int_equal(found.time_ns, 5000000007);
	assert_false(verify_run_find(&f, buf, BYTES, 0, SEED + 1, NUMBER, &found)); /* another job */
	for (uint32_t from = 100; from + 1024 <= BYTES; from += 412) {
		assert_true(verify_run_find(&f, buf + from, 1024, from, SEED, NUMBER, &found));
		assert_int_equal(found.number, run);
	}
	memset(buf, 0, BYTES - 600); /* only the end is left */
	assert_true(verify_run_find(&f, buf, BYTES, 0, SEED, NUMBER, &found));
	assert_int_equal(found.number, run);
	assert_int_equal(found.time_ns, 0);
	memset(buf, 0, BYTES);
	assert_false(verify_run_find(&f, buf, BYTES, 0, SEED, NUMBER, &found));
}

static void test_runs(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(runs) / sizeof(*runs); i++)
		for (uint32_t offset = 0; offset < 512; offset += 300)
			for (uint32_t interval = 0; interval <= 2048; interval += 2048)
				check_run(&(struct verify_cfg){ .kind = VERIFY_CRC32C,
								.interval = interval,
								.offset = offset },
					  runs[i]);
}

/* The first part is of another job. */
static void test_torn(void **state)
{
	const struct verify_cfg cfg = { .kind = VERIFY_MD5, .interval = 1024 };
	unsigned char buf[BYTES];
	struct verify_format f;
	struct block_run found;

	(void)state;
	make(&f, &cfg, buf, 9);
	verify_block_make(&f, &(struct verify_write){ .bytes = 1024, .seed = 3, .number = NUMBER }, buf);
	assert_true(verify_run_find(&f, buf, BYTES, 0, SEED, NUMBER, &found));
	assert_int_equal(found.number, 9);
	assert_int_not_equal(found.time_ns, 0);
}

static void test_unmix(void **state)
{
	uint64_t x = 1;

	(void)state;
	for (int i = 0; i < 1000; i++, x = rng_mix64(x))
		assert_int_equal(rng_unmix64(rng_mix64(x)), x);
}

static void test_last_runs(void **state)
{
	struct verify_runs r = { 0 };

	(void)state;
	assert_false(verify_runs_have(&r, 0));
	for (uint32_t run = 0; run <= VERIFY_RUNS; run++) {
		verify_runs_add(&r, run);
		verify_runs_add(&r, run);
		assert_true(verify_runs_have(&r, run));
		assert_int_equal(r.last, run);
	}
	assert_false(verify_runs_have(&r, 0)); /* the oldest */
	assert_true(verify_runs_have(&r, 1));
	verify_runs_add(&r, 1);
	assert_int_equal(r.last, 1);
	assert_true(verify_runs_have(&r, 2));
}

int unit_verify_run(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_runs),
		cmocka_unit_test(test_torn),
		cmocka_unit_test(test_unmix),
		cmocka_unit_test(test_last_runs),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
