/* Waiting for several completions: how many, for how long, and what is said of it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include "batch_wait.h"

#define NEVER UINT64_MAX
#define GAP   1000 /* ns from one completion to the next */

/* So many waits with `busy` in flight, each of which brings what it is for, one completion every GAP. Returns
   what the last one was for. */
static unsigned steady(struct batch_wait *g, unsigned busy, unsigned max, unsigned waits, uint64_t *now,
		       struct wcount *c)
{
	unsigned n = 0;

	while (waits--) {
		n = batch_wait_wish(g, busy, 1, max, *now, NEVER);
		if (batch_wait_samples(g))
			batch_wait_first(g, *now + GAP);
		*now += n * GAP;
		batch_wait_ended(g, n, *now, c);
	}
	return n;
}

static void test_a_quarter(void **state)
{
	static const struct {
		unsigned busy, max, want;
	} rows[] = { { 32, 32, 8 }, { 128, 128, 32 }, { 8, 8, 2 }, { 7, 8, 1 }, { 1, 8, 1 }, { 32, 4, 4 } };

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct wcount c = { 0 };
		struct batch_wait g;
		uint64_t now = 1;

		batch_wait_begin(&g, true);
		assert_int_equal(batch_wait_wish(&g, rows[i].busy, 1, rows[i].max, now, NEVER), 1);
		assert_true(g.until_ns == NEVER);
		batch_wait_ended(&g, 1, ++now, &c);
		assert_int_equal(steady(&g, rows[i].busy, rows[i].max, 200, &now, &c), rows[i].want);
	}
}

/* 32 in flight, one completion a microsecond: a mean latency is 32 of them. */
static void trained(struct batch_wait *g, uint64_t *now, struct wcount *c)
{
	batch_wait_begin(g, true);
	*now = 1;
	assert_int_equal(steady(g, 32, 32, 200, now, c), 8);
}

static void test_given_up_in_time(void **state)
{
	struct wcount c = { 0 };
	struct batch_wait g;
	uint64_t now;

	(void)state;
	trained(&g, &now, &c);
	assert_int_equal(batch_wait_wish(&g, 32, 1, 32, now, NEVER), 8);
	assert_in_range(g.until_ns - now, 31 * GAP, 32 * GAP);
	now = g.until_ns;
	batch_wait_ended(&g, 3, now, &c);
	assert_int_equal(c.gathers_cut, 1);
	assert_int_equal(batch_wait_wish(&g, 32, 1, 32, now, NEVER), 3);
	batch_wait_ended(&g, 3, now + 3 * GAP, &c);
	assert_int_equal(batch_wait_wish(&g, 32, 1, 32, now + 3 * GAP, NEVER), 4); /* and more by and by */
}

/* Nothing came: the next one is for any, for as long as it takes. */
static void test_starved(void **state)
{
	struct wcount c = { 0 };
	struct batch_wait g;
	uint64_t now;

	(void)state;
	trained(&g, &now, &c);
	batch_wait_wish(&g, 32, 1, 32, now, NEVER);
	now = g.until_ns;
	batch_wait_ended(&g, 0, now, &c);
	assert_int_equal(batch_wait_wish(&g, 32, 1, 32, now, NEVER), 1);
	assert_true(g.until_ns == NEVER);
	batch_wait_ended(&g, 1, now + 1000000, &c);
	assert_int_equal(batch_wait_wish(&g, 32, 1, 32, now + 1000000, NEVER), 8);
}

static void test_near_the_end(void **state)
{
	struct wcount c = { 0 };
	struct batch_wait g;
	uint64_t now;

	(void)state;
	trained(&g, &now, &c);
	assert_int_equal(batch_wait_wish(&g, 32, 1, 32, now, now + 31 * GAP), 1);
	assert_int_equal(batch_wait_wish(&g, 32, 1, 32, now, now), 1);
	assert_int_equal(batch_wait_wish(&g, 32, 1, 32, now, now - 1), 1);
	assert_int_equal(batch_wait_wish(&g, 32, 1, 32, now, now + 33 * GAP), 8);
}

/* However slow: no wait of more than 10 ms. */
static void test_slow(void **state)
{
	struct wcount c = { 0 };
	struct batch_wait g;
	uint64_t now = 1;

	(void)state;
	batch_wait_begin(&g, true);
	for (unsigned i = 0; i < 100; i++, now += 3000000) {
		batch_wait_wish(&g, 32, 1, 32, now, NEVER);
		assert_true(g.until_ns == NEVER || g.until_ns <= now + 10000000);
		batch_wait_ended(&g, 1, now, &c);
	}
}

/* iodepth_batch_complete_min: as it was asked for, whatever happens; only counted. */
static void test_fixed(void **state)
{
	struct wcount c = { 0 };
	struct batch_wait g;

	(void)state;
	batch_wait_begin(&g, false);
	for (unsigned i = 0; i < 100; i++) {
		assert_int_equal(batch_wait_wish(&g, 32, 4, 32, i, i + 1), 4);
		assert_true(g.until_ns == NEVER);
		batch_wait_ended(&g, 5, i, &c);
	}
	assert_int_equal(c.gathers, 100);
	assert_int_equal(c.gathered, 500);
	assert_int_equal(batch_wait_wish(&g, 32, 1, 32, 0, NEVER), 1);
	batch_wait_ended(&g, 1, 1, &c);
	assert_int_equal(c.gathers, 100); /* that was none for several */
}

/* Of waits for 8, each with one completion a microsecond: 7 of them lay for 7 us at most. */
static void test_delay(void **state)
{
	struct wcount c = { 0 };
	struct batch_wait g;
	uint64_t now;

	(void)state;
	trained(&g, &now, &c);
	c = (struct wcount){ 0 };
	steady(&g, 32, 32, 4 * BATCH_WAIT_SAMPLE, &now, &c);
	assert_int_equal(c.gathers, 4 * BATCH_WAIT_SAMPLE);
	assert_int_equal(c.gathered, 4 * BATCH_WAIT_SAMPLE * 8);
	assert_int_equal(c.gathers_cut, 0);
	assert_int_equal(c.gather_seen, 4 * 8);
	assert_int_equal(c.gather_ns, 4 * 7 * 7 * GAP);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_a_quarter), cmocka_unit_test(test_given_up_in_time),
		cmocka_unit_test(test_starved),   cmocka_unit_test(test_near_the_end),
		cmocka_unit_test(test_slow),      cmocka_unit_test(test_fixed),
		cmocka_unit_test(test_delay),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
