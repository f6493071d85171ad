/* test_reuse.c: are re-use distances those of the definition? In a cycle over n blocks each distance is n -
   1, and an LRU cache of c of n blocks that are drawn at random serves c / n of the accesses. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>
#include "hyperloglog.h"
#include "reuse.h"

static struct reuse *make(void)
{
	struct reuse *r = calloc(1, sizeof(*r));

	assert_non_null(r);
	reuse_init(r);
	return r;
}

static void near(uint64_t got, double want, double share)
{
	if ((double)got < want * (1 - share) - 1 || (double)got > want * (1 + share) + 1)
		fail_msg("%llu is not near %g", (unsigned long long)got, want);
}

/* The bounds are the width of a bucket, and four standard errors of a count of the sample of at least 4096
 * blocks. */
static void test_cycle(void **state)
{
	static const unsigned blocks[] = { 1, 2, 1000, 8000, 100000, 1000000 };

	(void)state;
	for (unsigned i = 0; i < sizeof(blocks) / sizeof(*blocks); i++) {
		struct reuse *r = make();
		double share = 1.0 / 64 + (blocks[i] < REUSE_BLOCKS_MAX ? 0 : 4.0 / 64);

		for (unsigned k = 0; k < 3 * blocks[i]; k++)
			reuse_add(r, hyperloglog_hash(k % blocks[i] + 1));
		near(reuse_percentile(r, 1), blocks[i], share);
		near(reuse_percentile(r, 99), blocks[i], share);
		near(r->accesses, 3.0 * blocks[i], share);
		near(r->again, 2.0 * blocks[i], share);
		near(reuse_served(r, 2 * blocks[i]), (double)r->again, 0);
		near(reuse_served(r, blocks[i] / 2), 0, 0);
		free(r);
	}
}

static void test_random(void **state)
{
	static const unsigned blocks[] = { 5000, 60000 };
	uint64_t draw = 1;

	(void)state;
	for (unsigned i = 0; i < 2; i++) {
		struct reuse *r = make();

		/* The first accesses fill the cache. */
		for (unsigned k = 0; k < 10 * blocks[i]; k++) {
			draw = draw * 6364136223846793005 + 1442695040888963407;
			reuse_add(r, hyperloglog_hash((draw >> 33) % blocks[i] + 1));
		}
		hist_reset(&r->distance);
		for (unsigned k = 0; k < 20 * blocks[i]; k++) {
			draw = draw * 6364136223846793005 + 1442695040888963407;
			reuse_add(r, hyperloglog_hash((draw >> 33) % blocks[i] + 1));
		}
		near(reuse_percentile(r, 25), 0.25 * blocks[i], 0.08);
		near(reuse_percentile(r, 50), 0.5 * blocks[i], 0.08);
		near(reuse_percentile(r, 90), 0.9 * blocks[i], 0.08);
		near(reuse_served(r, blocks[i] / 3), 20.0 * blocks[i] / 3, 0.08);
		free(r);
	}
}

int unit_reuse(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(test_cycle), cmocka_unit_test(test_random) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
