#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include "pace.h"

__extension__ typedef unsigned __int128 u128;

#define NS_PER_S 1000000000u

static struct pacer by_iops(uint32_t rate)
{
	struct pace_cfg cfg = { .rate_iops = { rate } };
	struct pacer p;

	assert_true(pacer_init(&p, &cfg, DIR_READ));
	return p;
}

static struct pacer by_bytes(uint64_t rate)
{
	struct pace_cfg cfg = { .rate = { [DIR_WRITE] = rate } };
	struct pacer p;

	assert_true(pacer_init(&p, &cfg, DIR_WRITE));
	return p;
}

static void test_off(void **state)
{
	struct pace_cfg cfg = { .rate = { 0, 5 }, .rate_iops = { 0, 0, 7 } };
	struct pacer p;

	(void)state;
	assert_false(pacer_init(&p, &cfg, DIR_READ));
	assert_true(pacer_init(&p, &cfg, DIR_WRITE));
	assert_true(p.by_bytes);
	assert_true(pacer_init(&p, &cfg, DIR_TRIM));
	assert_false(p.by_bytes);
}

/* due is floor(taken * 10^9 / rate), from the total: no drift, however long. */
static void assert_exact(const struct pacer *p)
{
	u128 exact = (u128)p->taken * NS_PER_S;

	assert_true(exact / p->rate == pacer_due(p));
	assert_true(exact % p->rate == p->rem);
}

/* What a pacer looks like after so much; the invariant proved below says so. */
static void jump(struct pacer *p, uint64_t taken)
{
	u128 exact = (u128)taken * NS_PER_S;

	p->taken = taken;
	p->due_ns = (uint64_t)(exact / p->rate);
	p->rem = (uint64_t)(exact % p->rate);
}

static void test_exact_iops(void **state)
{
	static const uint32_t rates[] = { 1,     3,      7,      10,      997,      1000,      3200,
					  44100, 200000, 999983, 9999991, 10000000, UINT32_MAX };

	(void)state;
	for (size_t i = 0; i < sizeof(rates) / sizeof(rates[0]); i++) {
		struct pacer p = by_iops(rates[i]);

		for (unsigned k = 0; k < 20000; k++) {
			assert_exact(&p);
			assert_int_equal(p.taken, k);
			pacer_take(&p, 4096);
		}
		jump(&p, rates[i] < 1000 ? (uint64_t)rates[i] * 1000000000u : 1000000000000u);
		for (unsigned k = 0; k < 20000; k++, pacer_take(&p, 512))
			assert_exact(&p);
	}
}

static void test_exact_bytes(void **state)
{
	static const uint64_t rates[] = { 1, 1000, 4095, 1048576, 12345678, 999999937, 100000000000u };
	static const uint32_t sizes[] = { 512, 4096, 4096, 65536, 1, 3333, 1048576 };

	(void)state;
	for (size_t i = 0; i < sizeof(rates) / sizeof(rates[0]); i++) {
		struct pacer p = by_bytes(rates[i]);
		uint64_t bytes = 0;

		for (unsigned k = 0; k < 20000; k++) {
			assert_exact(&p);
			assert_int_equal(p.taken, bytes);
			bytes += sizes[k % 7];
			pacer_take(&p, sizes[k % 7]);
		}
		if (rates[i] < 1048576)
			continue;
		jump(&p, 4096000000000000u); /* 10^12 I/Os of 4 KiB */
		for (unsigned k = 0; k < 20000; k++, pacer_take(&p, sizes[k % 7]))
			assert_exact(&p);
	}
}

/* Beyond 584 years: never due, instead of due in the past. */
static void test_far_future(void **state)
{
	struct pacer p = by_bytes(1);
	uint64_t last = 0;

	(void)state;
	for (unsigned k = 0; k < 100; k++) {
		pacer_take(&p, UINT32_MAX);
		assert_true(pacer_due(&p) >= last);
		last = pacer_due(&p);
	}
	assert_int_equal(last, UINT64_MAX);
}

static void test_restart(void **state)
{
	struct pacer p = by_bytes(1000);

	(void)state;
	assert_int_equal(pacer_due(&p), 0);
	pacer_take(&p, 500);
	assert_int_equal(pacer_due(&p), 500000000);
	pacer_restart(&p);
	assert_int_equal(pacer_due(&p), 0);
	pacer_take(&p, 500);
	assert_int_equal(pacer_due(&p), 500000000);
}

/* A worker on a virtual clock: waits for what is due, needs service_ns per I/O, and stalls once for a second.
 */
static void test_achieved_rate(void **state)
{
	static const uint32_t rates[] = { 10, 1000, 200000 };
	const uint64_t run_ns = 20ull * NS_PER_S;

	(void)state;
	for (size_t i = 0; i < sizeof(rates) / sizeof(rates[0]); i++) {
		struct pacer p = by_iops(rates[i]);
		uint64_t now = 0, ios = 0, want = 20ull * rates[i];

		while (now < run_ns) {
			if (now < pacer_due(&p)) {
				now = pacer_due(&p);
				continue;
			}
			pacer_take(&p, 4096);
			now += ++ios == want / 4 ? NS_PER_S : 1500;
		}
		assert_in_range(ios * 1000, want * 997, want * 1003);
	}
}

/* Worked out by hand: I/Os are due at 0, 1, 2 ... ms. */
static void test_overdue(void **state)
{
	static const struct {
		uint64_t taken, rel_ns, overdue;
	} rows[] = {
		{ 0, 0, 0 },       { 0, 1, 1 },       { 0, 1000000, 1 }, { 0, 1000001, 2 },
		{ 5, 5000000, 0 }, { 5, 5000001, 1 }, { 5, 2000000, 0 }, { 10, 2010000000, 2000 },
	};
	const struct pace_cfg cfg = { .rate_iops = { [DIR_READ] = 1000 } };
	const struct pace_cfg bytes = { .rate = { [DIR_READ] = 4096000 } };

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct pacer p, q;

		assert_true(pacer_init(&p, &cfg, DIR_READ));
		assert_true(pacer_init(&q, &bytes, DIR_READ));
		for (uint64_t k = 0; k < rows[i].taken; k++) {
			pacer_take(&p, 4096);
			pacer_take(&q, 4096);
		}
		assert_int_equal(pacer_overdue(&p, rows[i].rel_ns, 4096), rows[i].overdue);
		assert_int_equal(pacer_overdue(&q, rows[i].rel_ns, 4096), rows[i].overdue);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_overdue),       cmocka_unit_test(test_off),
		cmocka_unit_test(test_exact_iops),    cmocka_unit_test(test_exact_bytes),
		cmocka_unit_test(test_far_future),    cmocka_unit_test(test_restart),
		cmocka_unit_test(test_achieved_rate),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
