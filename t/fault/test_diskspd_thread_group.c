/* Threads over different targets (-F and -O of profiles; reference diskspd.md 1.5 and 3.4): which I/Os does
   each target get, in which order and when? On a virtual clock. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <string.h>
#include "diskspd_runs.h"

#define DIR_WRITE 1
#define TARGETS   4

/* A span of 1 s without warm-up. */
#define SPAN(how, targets)                                                                               \
	"<Profile><TimeSpans><TimeSpan><Duration>1</Duration><Warmup>0</Warmup>" how "<Targets>" targets \
	"</Targets></TimeSpan></TimeSpans></Profile>"
#define TARGET(path, block, more)                                                                      \
	"<Target><Path>" path "</Path><FileSize>40960</FileSize><BlockSize>" block "</BlockSize>" more \
	"</Target>"
#define THREADS(n)     "<ThreadCount>" n "</ThreadCount>"
#define POOL(n)        "<RequestCount>" n "</RequestCount>"
#define STRIDE(n)      "<ThreadStride>" n "</ThreadStride>"
#define WRITES(n)      "<WriteRatio>" n "</WriteRatio>"
#define DEPTH(n)       "<RequestCount>" n "</RequestCount>"
#define RATE(n)        "<Throughput unit=\"IOPS\">" n "</Throughput>"
#define WEIGHT(n)      "<Weight>" n "</Weight>"
#define BY(list)       "<ThreadTargets>" list "</ThreadTargets>"
#define THREAD(n)      "<ThreadTarget><Thread>" n "</Thread></ThreadTarget>"
#define THREAD_W(n, w) "<ThreadTarget><Thread>" n "</Thread><Weight>" w "</Weight></ThreadTarget>"

struct seen {
	unsigned ios, writes;
	uint64_t offset[TIMED_IOS], at_ns[TIMED_IOS];
};

/* The I/Os to one target of a lane that begin in the span; all have this length. */
static void look(struct seen *s, const struct timed_lane *l, unsigned target, uint32_t len)
{
	memset(s, 0, sizeof(*s));
	for (unsigned k = 0; k < l->n; k++) {
		if (l->io[k].target != target || l->io[k].at_ns >= START + S)
			continue;
		assert_int_equal(l->io[k].len, len);
		s->writes += l->io[k].dir == DIR_WRITE;
		s->at_ns[s->ios] = l->io[k].at_ns - START;
		s->offset[s->ios++] = l->io[k].offset;
	}
}

static struct seen seen;

/* Offsets in order: from `first` on, `step` apart, and behind the end of 40 KiB again at first modulo step.
 */
static void in_order(const struct seen *s, uint64_t first, uint64_t step)
{
	uint64_t at = first;

	for (unsigned k = 0; k < s->ios; k++, at += step) {
		if (at + step > 40 * K)
			at = first % step;
		assert_int_equal(s->offset[k], at);
	}
}

/* -F2: each of two targets has its own depth, block size, direction and start. I/Os take 10 ms, so in 1 s a
   slot does 100: depth 2 does 200 and depth 3 does 300. */
static void test_own_depths(void **state)
{
	struct ds_outcome o;
	unsigned first = 0;

	(void)state;
	ds_run_xml(&o,
		   SPAN(THREADS("2"), TARGET("a", "8192", DEPTH("2"))
					      TARGET("b", "4096", DEPTH("3") WRITES("100") STRIDE("8192"))),
		   10 * MS);
	assert_int_equal(o.jobs, 2);
	assert_int_equal(o.log->lanes, 2);
	for (unsigned t = 0; t < 2; t++) {
		look(&seen, &o.log->lane[t], 0, 8 * K);
		assert_int_equal(seen.ios, 200);
		assert_int_equal(seen.writes, 0);
		in_order(&seen, 0, 8 * K);
		look(&seen, &o.log->lane[t], 1, 4 * K);
		assert_int_equal(seen.ios, 300);
		assert_int_equal(seen.writes, 300);
		in_order(&seen, seen.offset[0], 4 * K);
		first += (unsigned)seen.offset[0];
	}
	assert_int_equal(first, 8 * K); /* thread 0 at 0, thread 1 at its stride */
	/* The last I/O of each slot ends with the second and does not count. */
	assert_int_equal(o.all.st->dir[0].ios, 396);
	assert_int_equal(o.all.st->dir[1].ios, 594);
	assert_int_equal(o.all.st->dir[0].bytes, 396 * 8 * K);
	assert_int_equal(o.all.st->dir[1].bytes, 594 * 4 * K);
	ds_outcome_fini(&o);
}

/* Own positions per I/O in flight (-p) beside a position for all. */
static void test_orders(void **state)
{
	struct ds_outcome o;

	(void)state;
	ds_run_xml(&o,
		   SPAN(THREADS("1"),
			TARGET("a", "4096", DEPTH("2") "<ParallelAsyncIO>true</ParallelAsyncIO>")
				TARGET("b", "4096", DEPTH("2"))
					TARGET("c", "4096", DEPTH("1") "<StrideSize>8192</StrideSize>")),
		   100 * MS);
	look(&seen, &o.log->lane[0], 0, 4 * K);
	assert_int_equal(seen.ios, 20);
	for (unsigned k = 0; k < seen.ios; k++) /* both slots at the same place, over and over */
		assert_int_equal(seen.offset[k], k / 2 % 10 * 4 * K);
	look(&seen, &o.log->lane[0], 1, 4 * K);
	assert_int_equal(seen.ios, 20);
	in_order(&seen, 0, 4 * K);
	look(&seen, &o.log->lane[0], 2, 4 * K);
	assert_int_equal(seen.ios, 10);
	in_order(&seen, 0, 8 * K);
	ds_outcome_fini(&o);
}

/* A rate delays only its own target: 20 I/Os per second, 50 ms apart, beside 100 of 10 ms. */
static void test_rates(void **state)
{
	struct ds_outcome o;

	(void)state;
	ds_run_xml(&o,
		   SPAN(THREADS("1"),
			TARGET("a", "8192", DEPTH("4") RATE("20")) TARGET("b", "4096", DEPTH("1"))),
		   10 * MS);
	look(&seen, &o.log->lane[0], 0, 8 * K);
	assert_int_equal(seen.ios, 20);
	for (unsigned k = 0; k < seen.ios; k++)
		assert_int_equal(seen.at_ns[k], k * 50 * MS);
	look(&seen, &o.log->lane[0], 1, 4 * K);
	assert_int_equal(seen.ios, 100);
	ds_outcome_fini(&o);
}

/* Four deviations. */
static void near_share(unsigned n, unsigned of, double p)
{
	double d = n - of * p;

	if (d * d > 16 * of * p * (1 - p))
		fail_msg("%u of %u is not near %.3f of them", n, of, p);
}

/* A pool of 8 I/Os of 2 ms does 4000 in a second. Shares follow the weights, and the mix its ratio. */
static void test_weights(void **state)
{
	struct ds_outcome o;
	unsigned other;

	(void)state;
	ds_run_xml(&o,
		   SPAN(THREADS("1") POOL("8"), TARGET("a", "8192", WEIGHT("3") "<Random>8192</Random>")
							TARGET("b", "4096", WRITES("30"))),
		   2 * MS);
	look(&seen, &o.log->lane[0], 0, 8 * K);
	near_share(seen.ios, 4000, 0.75);
	assert_int_equal(seen.writes, 0);
	other = seen.ios;
	look(&seen, &o.log->lane[0], 1, 4 * K);
	assert_int_equal(seen.ios + other, 4000);
	near_share(seen.writes, seen.ios, 0.3);
	in_order(&seen, 0, 4 * K);
	ds_outcome_fini(&o);
}

/* ThreadTargets with -T: starts count all threads of the span, and each thread uses the targets that name it,
 * numbered in their order. */
static void test_subsets(void **state)
{
	unsigned seen_as[3] = { 0 };
	struct ds_outcome o;

	(void)state;
	ds_run_xml(&o,
		   SPAN(THREADS("3") POOL("4"),
			TARGET("a", "4096", STRIDE("8192") BY(THREAD("0") THREAD("2"))) TARGET(
				"b", "4096",
				STRIDE("8192") WRITES("100") BY(THREAD_W("1", "2") THREAD_W("2", "3")))),
		   4 * MS);
	assert_int_equal(o.log->lanes, 3);
	for (unsigned t = 0; t < 3; t++) {
		const struct timed_lane *l = &o.log->lane[t];
		unsigned first, other;

		look(&seen, l, 0, 4 * K);
		first = (unsigned)(seen.offset[0] / (8 * K));
		assert_true(first < 3);
		seen_as[first]++;
		in_order(&seen, first * 8 * K, 4 * K);
		assert_int_equal(seen.writes, first == 1 ? 1000 : 0);
		other = seen.ios;
		look(&seen, l, 1, 4 * K);
		assert_int_equal(seen.writes, seen.ios);
		assert_int_equal(seen.ios + other, 1000);
		if (first < 2)
			assert_int_equal(seen.ios, 0);
		else
			near_share(seen.ios, 1000, 0.75);
		if (seen.ios)
			in_order(&seen, 16 * K, 4 * K);
	}
	assert_true(seen_as[0] == 1 && seen_as[1] == 1 && seen_as[2] == 1);
	ds_outcome_fini(&o);
}

/* A throttled target of a pool delays only the I/Os that were drawn for it. With equal weights at most 2 of 4
   slots are its own at first, but in the end all wait for it. */
static void test_pool_rate(void **state)
{
	struct ds_outcome o;
	unsigned slow;

	(void)state;
	ds_run_xml(&o, SPAN(THREADS("1") POOL("4"), TARGET("a", "8192", RATE("10")) TARGET("b", "4096", "")),
		   MS);
	look(&seen, &o.log->lane[0], 0, 8 * K);
	slow = seen.ios;
	assert_int_equal(slow, 10);
	for (unsigned k = 0; k < slow; k++)
		assert_int_equal(seen.at_ns[k], k * 100 * MS);
	look(&seen, &o.log->lane[0], 1, 4 * K);
	assert_in_range(seen.ios, 1, 200);
	ds_outcome_fini(&o);
}

int unit_diskspd_thread_group(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_own_depths), cmocka_unit_test(test_orders),
		cmocka_unit_test(test_rates),      cmocka_unit_test(test_weights),
		cmocka_unit_test(test_subsets),    cmocka_unit_test(test_pool_rate),
	};

	ds_virtual();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
