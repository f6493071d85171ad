/* When is each I/O of a rate due? Compared with exact times and with statistics. */
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

	assert_true(pacer_init(&p, &cfg, DIR_READ, 4096, 1));
	return p;
}

static struct pacer by_bytes(uint64_t rate)
{
	struct pace_cfg cfg = { .rate = { [DIR_WRITE] = rate } };
	struct pacer p;

	assert_true(pacer_init(&p, &cfg, DIR_WRITE, 4096, 1));
	return p;
}

static void test_off(void **state)
{
	struct pace_cfg cfg = { .rate = { 0, 5 }, .rate_iops = { 0, 0, 7 } };
	struct pacer p;

	(void)state;
	assert_false(pacer_init(&p, &cfg, DIR_READ, 4096, 1));
	assert_true(pacer_init(&p, &cfg, DIR_WRITE, 4096, 1));
	assert_true(p.by_bytes);
	assert_true(pacer_init(&p, &cfg, DIR_TRIM, 4096, 1));
	assert_false(p.by_bytes);
}

/* due is floor(taken * 10^9 / rate), computed from the total, so it never drifts. */
static void assert_exact(struct pacer *p)
{
	u128 exact = (u128)p->amount * NS_PER_S;

	assert_true(exact / p->rate == pacer_due(p));
	assert_true(exact % p->rate == p->rem);
}

/* Sets a pacer to its state after this much; the invariant below shows that the state is right. */
static void jump(struct pacer *p, uint64_t amount)
{
	u128 exact = (u128)amount * NS_PER_S;

	p->amount = amount;
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
			assert_int_equal(p.amount, k);
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
			assert_int_equal(p.amount, bytes);
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

/* A time beyond 584 years is never due, instead of in the past. */
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

/* A worker on a virtual clock waits until an I/O is due, needs service_ns per I/O, and stalls once for a
 * second. */
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

/* I/Os that are due and not yet issued. */
struct backlog {
	uint64_t rel_ns, count, groups;
	uint64_t oldest_ns, sum_ns; /* waiting time of the oldest, and of all together */
};

static void add_overdue(void *ctx, uint64_t due_ns, uint64_t n)
{
	struct backlog *b = ctx;

	assert_true(due_ns < b->rel_ns && n > 0);
	if (!b->count)
		b->oldest_ns = b->rel_ns - due_ns;
	b->count += n;
	b->groups++;
	b->sum_ns += n * (b->rel_ns - due_ns);
}

static void find_backlog(const struct pacer *p, uint64_t rel_ns, uint32_t bytes, struct backlog *b)
{
	*b = (struct backlog){ .rel_ns = rel_ns };
	pacer_overdue(p, rel_ns, bytes, add_overdue, b);
}

/* Worked out by hand: I/Os are due at 0, 1, 2 ... ms, and the waiting times add up. */
static void test_backlog(void **state)
{
	static const struct {
		uint64_t taken, rel_ns, count, oldest_ns, sum_ns;
	} rows[] = {
		{ 0, 0, 0, 0, 0 },
		{ 0, 1, 1, 1, 1 },
		{ 0, 1000000, 1, 1000000, 1000000 },
		{ 0, 1000001, 2, 1000001, 1000002 },
		{ 0, 3000000, 3, 3000000, 6000000 },
		{ 5, 5000000, 0, 0, 0 },
		{ 5, 5000001, 1, 1, 1 },
		{ 5, 2000000, 0, 0, 0 },
		{ 10, 2010000000, 2000, 2000000000, 2001000000000 },
	};
	const struct pace_cfg iops = { .rate_iops = { [DIR_READ] = 1000 } };
	const struct pace_cfg bytes = { .rate = { [DIR_READ] = 4096000 } };

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct pacer p, q;
		struct backlog a, b;

		assert_true(pacer_init(&p, &iops, DIR_READ, 4096, 1));
		assert_true(pacer_init(&q, &bytes, DIR_READ, 4096, 1));
		for (uint64_t k = 0; k < rows[i].taken; k++) {
			pacer_take(&p, 4096);
			pacer_take(&q, 4096);
		}
		find_backlog(&p, rows[i].rel_ns, 4096, &a);
		find_backlog(&q, rows[i].rel_ns, 4096, &b);
		assert_int_equal(a.count, rows[i].count);
		assert_int_equal(a.oldest_ns, rows[i].oldest_ns);
		assert_int_equal(a.sum_ns, rows[i].sum_ns);
		assert_memory_equal(&a, &b, sizeof(a));
	}
}

static struct pacer poisson(uint32_t rate, uint64_t seed)
{
	struct pace_cfg cfg = { .rate_iops = { rate }, .process = PACE_POISSON };
	struct pacer p;

	assert_true(pacer_init(&p, &cfg, DIR_READ, 4096, seed));
	return p;
}

/* The mean of four million gaps has a deviation of 0.05 %. An error of a microsecond, or a part of one, shows
 * at high rates. */
static void test_poisson_rate(void **state)
{
	static const uint32_t rates[] = { 10, 33, 1000, 48000, 200000, 333333, 1000000 };
	const uint64_t n = 4000000;

	(void)state;
	for (size_t i = 0; i < sizeof(rates) / sizeof(rates[0]); i++) {
		struct pacer p = poisson(rates[i], 7 + i);
		double rate;

		for (uint64_t k = 1; k < n; k++)
			pacer_take(&p, 4096);
		rate = (double)n * 1e9 / (double)pacer_due(&p);
		assert_true(rate > 0.997 * rates[i] && rate < 1.003 * rates[i]);
	}
}

/* Exponential gaps: 1 - 1/e of them are shorter than the mean, their deviation is the mean, and successive
   gaps are independent. */
static void test_poisson_gaps(void **state)
{
	struct pacer p = poisson(1000, 1);
	double sq = 0, pairs = 0, before = 0;
	const unsigned n = 1000000;
	uint64_t last = 0;
	unsigned shorter = 0;

	(void)state;
	for (unsigned k = 0; k < n; k++, pacer_take(&p, 4096)) {
		double gap = (double)(pacer_due(&p) - last) / 1e6;

		shorter += gap < 1;
		sq += (gap - 1) * (gap - 1);
		pairs += (gap - 1) * (before - 1);
		before = gap;
		last = pacer_due(&p);
	}
	assert_in_range(shorter, 0.630 * n, 0.634 * n);
	assert_true(sq / n > 0.98 && sq / n < 1.02);
	assert_true(pairs / n > -0.01 && pairs / n < 0.01);
}

static void test_poisson_repeats(void **state)
{
	struct pacer a = poisson(5000, 3), b = poisson(5000, 3), c = poisson(5000, 4);
	uint64_t first = pacer_due(&a);
	bool differ = false;

	(void)state;
	for (unsigned k = 0; k < 1000; k++) {
		assert_int_equal(pacer_due(&a), pacer_due(&b));
		differ = differ || pacer_due(&a) != pacer_due(&c);
		pacer_take(&a, 512);
		pacer_take(&b, 4096); /* its rate counts I/Os, whatever their size */
		pacer_take(&c, 512);
	}
	assert_true(differ);
	pacer_restart(&a);
	assert_int_equal(pacer_due(&a), first);
}

static void test_poisson_bytes(void **state)
{
	struct pace_cfg cfg = { .rate = { 100000000 }, .process = PACE_POISSON };
	static const uint32_t sizes[] = { 4096, 65536, 16384, 4096, 131072 };
	uint64_t bytes = 0;
	struct pacer p;
	double rate;

	(void)state;
	assert_true(pacer_init(&p, &cfg, DIR_READ, 4096, 1));
	for (unsigned k = 0; k < 3000000; k++) {
		bytes += sizes[k % 5];
		pacer_take(&p, sizes[k % 5]);
	}
	rate = (double)bytes * 1e9 / (double)pacer_due(&p);
	assert_true(rate > 0.997e8 && rate < 1.003e8);
}

/* A schedule that is 100 s late: each I/O counts, but most of them come in groups. The mean wait is half of
   that. */
static void test_long_backlog(void **state)
{
	const struct pace_cfg cfg = { .rate_iops = { 1000000 } };
	const uint64_t rel = 100ull * NS_PER_S;
	struct backlog b;
	struct pacer p;

	(void)state;
	assert_true(pacer_init(&p, &cfg, DIR_READ, 4096, 1));
	find_backlog(&p, rel, 4096, &b);
	assert_int_equal(b.count, 100000000);
	assert_int_equal(b.oldest_ns, rel);
	assert_in_range(b.sum_ns / b.count, rel / 2, rel / 2 + 1000);
	assert_true(b.groups < 1100000);
}

/* The number of overdue I/Os of a Poisson schedule is the number that single steps would take. */
static void test_poisson_backlog(void **state)
{
	struct pacer p = poisson(1000, 9), q = p;
	struct backlog b;
	const uint64_t rel = 5ull * NS_PER_S;
	uint64_t n = 0, sum = 0;

	(void)state;
	find_backlog(&p, rel, 4096, &b);
	assert_int_equal(b.oldest_ns, rel - pacer_due(&p));
	for (; pacer_due(&p) < rel; pacer_take(&p, 4096), n++)
		sum += rel - pacer_due(&p);
	assert_int_equal(b.count, n);
	assert_int_equal(b.sum_ns, sum);
	assert_int_equal(pacer_take_due(&q, rel, 4096), n);
	assert_int_equal(pacer_take_due(&q, rel, 4096), 0);
	/* too many for single steps: a close estimate in constant time */
	p = poisson(1000000, 9);
	find_backlog(&p, 1000ull * NS_PER_S, 4096, &b);
	assert_in_range(b.count, 999000000, 1001000000);
}

/* 1000 per second for 1.5 s, then 7, none for 2 s, and 333333. Trims have none but in the last step. */
static const struct pace_cfg steps_cfg = { .steps = { .n = 4,
						      .step = { { 0, { 1000, 7, 0 } },
								{ 1500000000, { 7, 1000, 0 } },
								{ 2500000000, { 0, 100, 0 } },
								{ 4500000000, { 333333, 1, 10 } } } } };

/* The I/O after `taken` others is due where the integral of the rate reaches that number. The numbers per
   step are the products of rate and length, within one I/O: 7/s for 1.5 s are 10.5. */
static void test_steps(void **state)
{
	static const uint64_t expected[DIR_DATA][3] = { { 1500, 7, 0 }, { 11, 1000, 200 }, { 0, 0, 0 } };

	(void)state;
	for (unsigned dir = 0; dir < DIR_DATA; dir++) {
		const struct pace_step *step = steps_cfg.steps.step;
		uint64_t counts[4] = { 0 };
		struct pacer p;
		u128 before = 0;
		uint32_t i = 0;

		assert_true(pacer_init(&p, &steps_cfg, (enum io_dir)dir, 4096, 1));
		for (uint64_t k = 0; k < 20000; k++, pacer_take(&p, 512)) {
			u128 amount = (u128)k * NS_PER_S, area;

			while (i < 3 &&
			       amount >= before + (area = (u128)step[i].rate[dir] *
							  (step[i + 1].start_ns - step[i].start_ns))) {
				before += area;
				i++;
			}
			assert_true(pacer_due(&p) ==
				    step[i].start_ns + (uint64_t)((amount - before) / step[i].rate[dir]));
			assert_int_equal(pace_step_at(&steps_cfg.steps, pacer_due(&p)), i);
			counts[i]++;
		}
		for (unsigned s = 0; s < 3; s++)
			assert_int_equal(counts[s], expected[dir][s]);
		pacer_restart(&p);
		assert_int_equal(pacer_due(&p), dir == DIR_TRIM ? 4500000000u : 0);
	}
}

/* The bytes of a step are within one I/O of rate x length, whatever the sizes are. */
static void test_steps_bytes(void **state)
{
	static const uint32_t sizes[] = { 512, 65536, 4096, 131072, 8192 };
	struct pace_cfg cfg = { .steps = { .n = 3,
					   .by_bytes = true,
					   .step = { { 0, { 10000000 } },
						     { 500000000, { 999 } },
						     { 3000000000, { 50000001 } } } } };
	uint64_t bytes[3] = { 0 };
	struct pacer p;

	(void)state;
	assert_true(pacer_init(&p, &cfg, DIR_READ, 512, 1));
	for (unsigned k = 0; pacer_due(&p) < 5000000000u; k++) {
		bytes[pace_step_at(&cfg.steps, pacer_due(&p))] += sizes[k % 5];
		pacer_take(&p, sizes[k % 5]);
	}
	assert_in_range(bytes[0], 5000000, 5000000 + 131072);
	assert_in_range(bytes[0] + bytes[1], 5002497, 5002497 + 131072);
	assert_in_range(bytes[0] + bytes[1] + bytes[2], 105002499, 105002499 + 131072);
}

/* Returns chi-square of the I/Os of 200 Poisson schedules in six steps of 0.1 s, against these rates. */
static double poisson_steps_chi(const struct pace_cfg *cfg, const uint64_t rates[6], uint64_t *paused)
{
	uint64_t n[7] = { 0 };
	double chi = 0;

	for (uint64_t seed = 0; seed < 200; seed++) {
		struct pacer p;

		assert_true(pacer_init(&p, cfg, DIR_READ, 4096, seed * 7919));
		for (; pacer_due(&p) < 600000000; pacer_take(&p, 4096))
			n[pacer_due(&p) / 100000000]++;
	}
	for (unsigned i = 0; i < 6; i++) {
		double mean = 20.0 * (double)rates[i];

		chi += mean > 0 ? ((double)n[i] - mean) * ((double)n[i] - mean) / mean : 0;
	}
	*paused = n[3];
	return chi;
}

/* Of five independent Poisson counts chi-square exceeds 25.7 once in 10^4; the seeds are fixed. A schedule
   that keeps one rate, with the right sum, fails the bound. */
static void test_steps_poisson(void **state)
{
	static const uint64_t rates[6] = { 1000, 50, 5000, 0, 300, 301 };
	struct pace_cfg cfg = { .process = PACE_POISSON, .steps = { .n = 6 } },
			flat = { .process = PACE_POISSON, .rate_iops = { 1109 } };
	uint64_t paused;

	(void)state;
	for (unsigned i = 0; i < 6; i++)
		cfg.steps.step[i] = (struct pace_step){ i * 100000000u, { rates[i] } };
	assert_true(poisson_steps_chi(&cfg, rates, &paused) < 25.7);
	assert_int_equal(paused, 0);
	assert_true(poisson_steps_chi(&flat, rates, &paused) > 1000);
}

/* The number of overdue I/Os is what single steps would take, and a close estimate when they are many. */
static void test_steps_backlog(void **state)
{
	static const unsigned processes[] = { PACE_LINEAR, PACE_POISSON };
	const uint64_t rel = 4510000000u;

	(void)state;
	for (unsigned i = 0; i < 2; i++) {
		struct pace_cfg cfg = steps_cfg;
		struct backlog b;
		uint64_t n = 0, sum = 0;
		struct pacer p, q;

		cfg.process = processes[i];
		assert_true(pacer_init(&p, &cfg, DIR_READ, 4096, 1));
		q = p;
		find_backlog(&p, rel, 4096, &b);
		assert_int_equal(b.oldest_ns, rel - pacer_due(&p));
		for (; pacer_due(&p) < rel; pacer_take(&p, 4096), n++)
			sum += rel - pacer_due(&p);
		assert_int_equal(b.count, n);
		assert_int_equal(b.sum_ns, sum);
		assert_int_equal(pacer_take_due(&q, rel - 1, 4096), n);
		pacer_restart(&q);
		find_backlog(&q, 4500000000 + 1000ull * NS_PER_S, 4096, &b);
		assert_in_range(b.count, 333333000, 333337000);
	}
}

/* During the ramp the first step goes on. A last step without I/O is never over. */
static void test_steps_hold(void **state)
{
	struct pace_cfg cfg = { .steps = { .n = 2, .step = { { 0, { 1000 } }, { 3000000, { 0 } } } } };
	struct pacer p;

	(void)state;
	assert_true(pacer_init(&p, &cfg, DIR_READ, 4096, 1));
	pacer_hold_step(&p);
	for (unsigned k = 0; k < 100; k++, pacer_take(&p, 4096))
		assert_int_equal(pacer_due(&p), k * 1000000);
	pacer_restart(&p);
	for (unsigned k = 0; k < 3; k++, pacer_take(&p, 4096))
		assert_int_equal(pacer_due(&p), k * 1000000);
	assert_true(pacer_due(&p) == UINT64_MAX);
	assert_int_equal(pacer_take_due(&p, UINT64_MAX, 4096), 0);
}

/* Three jobs that take turns get together the schedule of one job alone. */
static void take_shared(const struct pace_cfg *cfg)
{
	_Atomic uint64_t word = 0;
	struct pacer one, job[3];
	uint64_t seen[300];
	struct rng r;

	assert_true(pacer_init(&one, cfg, DIR_READ, 4096, 5));
	for (unsigned i = 0; i < 3; i++) {
		assert_true(pacer_init(&job[i], cfg, DIR_READ, 4096, 5));
		pacer_share(&job[i], &word);
	}
	rng_init(&r, 1);
	for (unsigned k = 0; k < 300; k++) {
		struct pacer *p = &job[rng_below(&r, 3)];

		seen[k] = pacer_due(p);
		assert_int_equal(pacer_due(p), seen[k]); /* the place is held */
		pacer_take(p, 4096);
	}
	for (unsigned k = 0; k < 300; k++, pacer_take(&one, 4096))
		assert_int_equal(seen[k], pacer_due(&one));
}

static void test_shared(void **state)
{
	static const struct pace_cfg cfgs[] = {
		{ .rate_iops = { 3333 } },
		{ .rate = { 12345678 } },
		{ .rate_iops = { 3333 }, .process = PACE_POISSON },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cfgs) / sizeof(cfgs[0]); i++)
		take_shared(&cfgs[i]);
}

/* Bytes count with their final size. Arrivals that nobody has issued are visible to all jobs, and a job may
 * return one. */
static void test_shared_rest(void **state)
{
	const struct pace_cfg cfg = { .rate = { 4096000 } };
	_Atomic uint64_t word = 0;
	struct backlog b;
	struct pacer p, q;

	(void)state;
	assert_true(pacer_init(&p, &cfg, DIR_READ, 4096, 5));
	assert_true(pacer_init(&q, &cfg, DIR_READ, 4096, 5));
	pacer_share(&p, &word);
	pacer_share(&q, &word);
	assert_int_equal(pacer_due(&p), 0);
	pacer_take(&p, 16384);
	assert_int_equal(pacer_due(&q), 4000000);
	find_backlog(&p, 10000000, 4096, &b);
	assert_int_equal(b.count, 5); /* due at 5, 6, 7, 8, 9 ms */
	assert_int_equal(b.oldest_ns, 5000000);
	pacer_release(&q);
	assert_false(q.reserved);
	assert_int_equal(pacer_due(&p), 4000000);
	pacer_due(&q);
	pacer_release(&p); /* too late: q has already gone on */
	assert_true(p.reserved);
	assert_int_equal(word, 6 * 4096);
}

/* 1000 I/Os per second, with 100 ms of rest between. */
static void test_shift(void **state)
{
	struct pacer p = by_iops(1000);

	(void)state;
	for (unsigned k = 0; k < 5; k++)
		pacer_take(&p, 4096);
	pacer_shift(&p, 100000000);
	assert_int_equal(pacer_due(&p), 105000000);
	pacer_take(&p, 4096);
	assert_int_equal(pacer_due(&p), 106000000);
}

int unit_pace(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_backlog),         cmocka_unit_test(test_off),
		cmocka_unit_test(test_poisson_rate),    cmocka_unit_test(test_poisson_gaps),
		cmocka_unit_test(test_poisson_repeats), cmocka_unit_test(test_poisson_bytes),
		cmocka_unit_test(test_long_backlog),    cmocka_unit_test(test_poisson_backlog),
		cmocka_unit_test(test_shared),          cmocka_unit_test(test_shared_rest),
		cmocka_unit_test(test_shift),           cmocka_unit_test(test_exact_iops),
		cmocka_unit_test(test_exact_bytes),     cmocka_unit_test(test_far_future),
		cmocka_unit_test(test_restart),         cmocka_unit_test(test_steps),
		cmocka_unit_test(test_steps_bytes),     cmocka_unit_test(test_steps_poisson),
		cmocka_unit_test(test_steps_backlog),   cmocka_unit_test(test_steps_hold),
		cmocka_unit_test(test_achieved_rate),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
