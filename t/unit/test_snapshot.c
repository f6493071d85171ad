/* Do the statistics of workers add up in a group? */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <string.h>
#include "snapshot.h"

static const struct wstat_layout clat_reads = { .hist = { [DIR_READ] = { [LAT_CLAT] = 1 } },
						.moments = { [DIR_READ] = { [LAT_CLAT] = 1 } },
						.nhist = 1 };
static const struct wstat_layout lat_both = {
	.hist = { [DIR_READ] = { [LAT_CLAT] = 2, [LAT_LAT] = 1 }, [DIR_WRITE] = { [LAT_LAT] = 3 } },
	.moments = { [DIR_WRITE] = { [LAT_LAT] = 1 } },
	.nhist = 3
};

static struct hist *hist_of(const struct snapshot *s, enum io_dir dir, enum lat_kind kind)
{
	unsigned i = s->layout.hist[dir][kind];

	return i ? &s->st->hist[i - 1] : NULL;
}

/* A worker's snapshot: `ios` reads of `ns` each, in each histogram of the layout. */
static void worker(struct snapshot *s, const struct wstat_layout *l, uint64_t ios, uint64_t ns)
{
	assert_int_equal(snap_init(s, l), 0);
	for (uint64_t i = 0; i < ios; i++) {
		s->st->dir[DIR_READ].ios++;
		s->st->dir[DIR_READ].bytes += 4096;
		moments_add(&s->st->dir[DIR_READ].lat[LAT_CLAT], ns);
		for (unsigned h = 0; h < l->nhist; h++)
			hist_add(&s->st->hist[h], ns + h);
	}
	s->cnt.runtime_ns[DIR_READ] = ns;
	s->cnt.job_runtime_ns = ns;
	s->members = 1;
	samples_add(&s->bw[DIR_READ], 5);
}

static void check_sum(const struct snapshot *s)
{
	assert_int_equal(s->members, 3);
	assert_int_equal(s->st->dir[DIR_READ].ios, 60);
	assert_int_equal(s->st->dir[DIR_READ].bytes, 60 * 4096);
	assert_int_equal(s->st->dir[DIR_READ].lat[LAT_CLAT].n, 60);
	assert_int_equal(s->st->dir[DIR_READ].lat[LAT_CLAT].min, 50);
	assert_int_equal(s->st->dir[DIR_READ].lat[LAT_CLAT].max, 100);
	assert_int_equal(s->st->dir[DIR_WRITE].lat[LAT_CLAT].min, UINT64_MAX);
	assert_int_equal(s->cnt.runtime_ns[DIR_READ], 100);
	assert_int_equal(s->cnt.job_runtime_ns, 220);
	assert_int_equal(s->bw[DIR_READ].n, 0);
	assert_int_equal(s->layout.nhist, 3);
	assert_int_equal(hist_total(hist_of(s, DIR_READ, LAT_CLAT)), 60);
	assert_int_equal(hist_of(s, DIR_READ, LAT_CLAT)->n[100], 10);
	assert_int_equal(hist_of(s, DIR_READ, LAT_CLAT)->n[71], 20);
	assert_int_equal(hist_of(s, DIR_READ, LAT_CLAT)->n[50], 30);
	assert_int_equal(hist_of(s, DIR_READ, LAT_LAT)->n[70], 20);
	assert_int_equal(hist_total(hist_of(s, DIR_READ, LAT_LAT)), 20);
	assert_int_equal(hist_of(s, DIR_WRITE, LAT_LAT)->n[72], 20);
	assert_null(hist_of(s, DIR_WRITE, LAT_CLAT));
	assert_int_equal(s->layout.moments[DIR_READ][LAT_CLAT], 1);
	assert_int_equal(s->layout.moments[DIR_WRITE][LAT_LAT], 1);
}

/* Members that measure different latencies are added in any order, to an empty or an initialised sum. */
static void test_add(void **state)
{
	static const unsigned orders[][3] = { { 0, 1, 2 }, { 1, 0, 2 }, { 2, 0, 1 } };
	struct snapshot w[3], sum;

	(void)state;
	worker(&w[0], &clat_reads, 10, 100);
	worker(&w[1], &lat_both, 20, 70);
	worker(&w[2], &clat_reads, 30, 50);
	for (unsigned i = 0; i < 6; i++) {
		memset(&sum, 0, sizeof(sum));
		if (i & 1)
			assert_int_equal(snap_init(&sum, &clat_reads), 0);
		for (unsigned k = 0; k < 3; k++)
			assert_int_equal(snap_add(&sum, &w[orders[i / 2][k]]), 0);
		check_sum(&sum);
		snap_fini(&sum);
	}
	for (unsigned k = 0; k < 3; k++)
		snap_fini(&w[k]);
}

/* Two reads and a write per priority, of 10, 20, ... ns. */
static void prios(struct snapshot *s, const uint64_t *prio, unsigned n)
{
	const struct wstat_layout l = { .nprio = n };

	assert_int_equal(snap_init(s, &l), 0);
	for (unsigned i = 0; i < n; i++) {
		struct wstat_prio *p = &wstat_prios(s->st, &l)[i];

		p->prio = prio[i];
		for (unsigned k = 0; k < 3; k++) {
			moments_add(&p->lat[k / 2], 10 * (i + 1));
			hist_add(&p->hist[k / 2], 10 * (i + 1));
		}
	}
}

static void check_prio(const struct snapshot *s, unsigned at, uint64_t prio, uint64_t reads, uint64_t ns)
{
	const struct wstat_prio *p = &wstat_prios(s->st, &s->layout)[at];

	assert_int_equal(p->prio, prio);
	assert_int_equal(p->lat[DIR_READ].n, reads);
	assert_int_equal(p->lat[DIR_WRITE].n, reads / 2);
	assert_int_equal(hist_total(&p->hist[DIR_READ]), reads);
	assert_int_equal(p->hist[DIR_READ].n[ns] > 0, 1);
}

/* Priorities are joined by value, in the order of their first use, and other histograms may precede them. */
static void test_prios(void **state)
{
	static const uint64_t a[] = { 0, 100, 0 }, b[] = { 200, 100 };
	struct snapshot one, two, plain, sum = { 0 };

	(void)state;
	prios(&one, a, 3);
	prios(&two, b, 2);
	worker(&plain, &clat_reads, 10, 100);
	assert_int_equal(snap_as_prio(&plain, 300, LAT_CLAT), 0);
	check_prio(&one, 1, 100, 2, 20);
	assert_int_equal(snap_add(&sum, &one), 0);
	assert_int_equal(sum.layout.nprio, 2);
	assert_int_equal(snap_add(&sum, &plain), 0);
	assert_int_equal(snap_add(&sum, &two), 0);
	assert_int_equal(snap_as_prio(&sum, 7, LAT_CLAT), 0);
	assert_int_equal(sum.layout.nprio, 4);
	check_prio(&sum, 0, 0, 4, 30);
	check_prio(&sum, 1, 100, 4, 20);
	check_prio(&sum, 3, 200, 2, 10);
	assert_int_equal(wstat_prios(sum.st, &sum.layout)[2].prio, 300);
	assert_int_equal(wstat_prios(sum.st, &sum.layout)[2].lat[DIR_READ].n, 10);
	assert_int_equal(wstat_prios(sum.st, &sum.layout)[2].lat[DIR_WRITE].min, UINT64_MAX);
	assert_int_equal(hist_of(&sum, DIR_READ, LAT_CLAT)->n[100], 10);
	snap_fini(&one);
	snap_fini(&two);
	snap_fini(&plain);
	snap_fini(&sum);
}

static void test_empty(void **state)
{
	struct snapshot none = { 0 }, sum = { 0 };

	(void)state;
	assert_int_equal(snap_add(&sum, &none), 0);
	assert_null(sum.st);
	snap_fini(&sum);
	assert_int_equal(snap_init(&sum, &clat_reads), 0);
	assert_int_equal(snap_add(&sum, &none), 0);
	assert_int_equal(sum.st->dir[DIR_READ].lat[LAT_CLAT].min, UINT64_MAX);
	assert_int_equal(hist_total(&sum.st->hist[0]), 0);
	snap_fini(&sum);
	snap_fini(&sum);
}

int unit_snapshot(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_add),
		cmocka_unit_test(test_prios),
		cmocka_unit_test(test_empty),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
