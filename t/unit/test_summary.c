/* Are all figures of a report computed right from the statistics? */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include "summary.h"

#define S_NS 1000000000ull

static void assert_near(double got, double want)
{
	if (fabs(got - want) > 1e-9 * (1 + fabs(want)))
		fail_msg("%f is not %f", got, want);
}

/* Fills the histograms and moments of all latencies. */
static struct wstat_layout full_layout(void)
{
	struct wstat_layout l = { .nhist = 0 };

	for (unsigned dir = 0; dir < DIR_COUNT; dir++) {
		for (unsigned kind = 0; kind < LAT_KINDS; kind++) {
			l.moments[dir][kind] = 1;
			l.hist[dir][kind] = (uint8_t)++l.nhist;
		}
	}
	return l;
}

static void begin(struct snapshot *snap)
{
	struct wstat_layout l = full_layout();

	assert_int_equal(snap_init(snap, &l), 0);
	snap->members = 1;
}

static void add_io(struct snapshot *snap, unsigned dir, uint64_t bytes, uint64_t slat, uint64_t clat)
{
	const uint64_t ns[LAT_KINDS] = { slat, clat, slat + clat, slat + clat };

	snap->st->dir[dir].ios++;
	snap->st->dir[dir].bytes += bytes;
	for (unsigned kind = 0; kind < LAT_KINDS; kind++) {
		moments_add(&snap->st->dir[dir].lat[kind], ns[kind]);
		hist_add(&snap->st->hist[snap->layout.hist[dir][kind] - 1], ns[kind]);
	}
}

/* ---- no I/O, one I/O ---- */

static void assert_no_lat(const struct summary_lat *l)
{
	assert_int_equal(l->n, 0);
	assert_int_equal(l->min, 0);
	assert_int_equal(l->max, 0);
	assert_false(l->percentiles);
	assert_near(l->mean, 0);
	assert_near(l->stddev, 0);
}

static void nothing_is_zeros(void **state)
{
	struct snapshot none = { .st = NULL }, idle;
	const struct snapshot *both[] = { &none, &idle };

	(void)state;
	begin(&idle);
	for (unsigned i = 0; i < 2; i++) {
		struct summary s;

		summary_from(&s, both[i], NULL);
		assert_false(summary_has_io(&s));
		for (unsigned dir = 0; dir < DIR_DATA; dir++) {
			assert_near(s.dir[dir].iops, 0);
			assert_int_equal(s.dir[dir].bw_bytes, 0);
			assert_int_equal(s.dir[dir].bw_row.min, 0);
			for (unsigned kind = 0; kind < LAT_KINDS; kind++)
				assert_no_lat(&s.dir[dir].lat[kind]);
		}
		assert_no_lat(&s.sync);
		assert_near(s.usr_cpu, 0);
		assert_near(s.depth[0], 0);
		assert_int_equal(s.npercentiles, 17);
		assert_int_equal(s.percentile_decimals, 2);
	}
	snap_fini(&idle);
}

static void one_io(void **state)
{
	struct snapshot snap;
	struct summary s;
	const struct summary_dir *d = &s.dir[DIR_WRITE];

	(void)state;
	begin(&snap);
	add_io(&snap, DIR_WRITE, 4096, 811, 7111);
	snap.cnt.runtime_ns[DIR_WRITE] = 9000;
	snap.cnt.job_runtime_ns = 9000;
	summary_from(&s, &snap, NULL);
	assert_true(summary_has_io(&s));
	assert_int_equal(d->runtime_ms, 1);
	assert_int_equal(d->bw_bytes, 4096000); /* by the printed time */
	assert_near(d->iops, 1000);
	assert_near(d->exact_bw_bytes, 4096e9 / 9000);
	assert_near(d->exact_iops, 1e9 / 9000);
	assert_int_equal(d->lat[LAT_SLAT].min, 811);
	assert_int_equal(d->lat[LAT_CLAT].max, 7111);
	assert_near(d->lat[LAT_LAT].mean, 7922);
	assert_near(d->lat[LAT_LAT].stddev, 0);
	/* The bucket's midpoint is 7136: no percentile leaves [min, max]. */
	for (unsigned i = 0; i < s.npercentiles; i++)
		assert_int_equal(d->lat[LAT_CLAT].value[i], 7111);
	assert_false(d->lat[LAT_LAT].percentiles);
	assert_near(s.lat_us[2], 100);
	snap_fini(&snap);
}

/* ---- many I/Os ---- */

static void fill(struct snapshot *snap, uint64_t seed, unsigned ios)
{
	uint64_t x = seed;

	begin(snap);
	for (unsigned i = 0; i < ios; i++) {
		x = x * 6364136223846793005u + 1442695040888963407u;
		add_io(snap, i % DIR_DATA, 4096, (x >> 50) + 1, (x >> 33) >> (x >> 60));
	}
	for (unsigned dir = 0; dir < DIR_DATA; dir++)
		snap->cnt.runtime_ns[dir] = 3 * S_NS + dir * 1000;
	snap->cnt.job_runtime_ns = 3 * S_NS;
	snap->cnt.user_us = 300000;
	snap->cnt.sys_us = 1500000;
	snap->cnt.depth[3] = ios;
	snap->cnt.submit[1] = snap->cnt.complete[1] = ios / 2;
	snap->cnt.complete[2] = 1;
}

static void check_order(const struct summary *s, const struct summary_lat *l)
{
	for (unsigned i = 0; i < s->npercentiles; i++) {
		assert_true(l->value[i] >= l->min && l->value[i] <= l->max);
		assert_true(i == 0 || l->value[i] >= l->value[i - 1]);
	}
}

static void figures_agree(void **state)
{
	static const struct summary_cfg all = { .percentiles_of = { true, true, true, true } };
	struct snapshot snap;
	struct summary s;

	(void)state;
	fill(&snap, 1, 30000);
	summary_from(&s, &snap, &all);
	for (unsigned dir = 0; dir < DIR_DATA; dir++) {
		const struct summary_dir *d = &s.dir[dir];

		assert_int_equal(d->runtime_ms, 3000);
		assert_near(d->iops, 10000 / 3.0); /* by the printed time */
		assert_int_equal(d->bw_bytes, 10000ull * 4096 / 3);
		for (unsigned kind = 0; kind < LAT_KINDS; kind++) {
			assert_true(d->lat[kind].percentiles);
			check_order(&s, &d->lat[kind]);
			assert_true(d->lat[kind].mean >= (double)d->lat[kind].min);
			assert_true(d->lat[kind].mean <= (double)d->lat[kind].max);
		}
	}
	assert_near(s.usr_cpu, 10);
	assert_near(s.sys_cpu, 50);
	assert_near(s.depth[3], 100);
	assert_near(s.complete[2], 0.1);
	assert_int_equal(s.job_runtime_ms, 3000);
	snap_fini(&snap);
}

/* ---- latency cells ---- */

/* clang-format off */
static const struct { uint64_t ns; unsigned unit, cell; } cells[] = {
	{ 0, 0, 0 }, { 1, 0, 0 }, { 2, 0, 1 }, { 3, 0, 1 }, { 4, 0, 2 }, { 49, 0, 4 }, { 50, 0, 5 }, { 740, 0, 8 }, { 990, 0, 9 },
	{ 1010, 1, 0 }, { 1900, 1, 0 }, { 2100, 1, 1 }, { 60000, 1, 5 }, { 800000, 1, 9 }, { 980000, 1, 9 },
	{ 1020000, 2, 0 }, { 3000000, 2, 1 }, { 990000000, 2, 9 }, { 1500000000, 2, 10 }, { 2100000000, 2, 11 },
	{ 3600000000000, 2, 11 }, { UINT64_MAX / 4, 2, 11 },
};
/* clang-format on */

static void latencies_fall_into_cells(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(cells) / sizeof(cells[0]); i++) {
		struct snapshot snap;
		struct summary s;
		const double *row[] = { s.lat_ns, s.lat_us, s.lat_ms };

		begin(&snap);
		add_io(&snap, DIR_READ, 512, 0, cells[i].ns);
		summary_from(&s, &snap, NULL);
		for (unsigned unit = 0; unit < 3; unit++) {
			unsigned n = unit == 2 ? SUMMARY_LAT_MS_CELLS : SUMMARY_LAT_CELLS;

			for (unsigned cell = 0; cell < n; cell++)
				assert_near(row[unit][cell],
					    unit == cells[i].unit && cell == cells[i].cell ? 100 : 0);
		}
		snap_fini(&snap);
	}
}

static void cells_add_up(void **state)
{
	struct snapshot snap;
	struct summary s;
	double sum = 0;

	(void)state;
	fill(&snap, 7, 3000); /* one in 3000 is above the smallest printed percentage */
	summary_from(&s, &snap, NULL);
	for (unsigned i = 0; i < SUMMARY_LAT_CELLS; i++)
		sum += s.lat_ns[i] + s.lat_us[i] + s.lat_ms[i];
	sum += s.lat_ms[10] + s.lat_ms[11];
	assert_near(sum, 100);
	snap_fini(&snap);
}

static void least_percentages(void **state)
{
	struct snapshot snap;
	struct summary s;

	(void)state;
	begin(&snap);
	add_io(&snap, DIR_READ, 512, 0, 150000);
	snap.st->dir[DIR_READ].ios = 1000000;
	snap.cnt.depth[0] = 1;
	snap.cnt.depth[1] = 999999;
	summary_from(&s, &snap, NULL);
	assert_near(s.depth[0], 0.1);
	assert_near(s.depth[1], 99.9999);
	assert_near(s.depth[2], 0);
	assert_near(s.lat_us[6], 0.01);
	/* Failed I/Os and those that completed after the window: shares do not exceed 100 %. */
	snap.cnt.errors = 2;
	snap.st->dir[DIR_READ].ios = 10;
	snap.cnt.depth[0] = 3;
	snap.cnt.depth[1] = 9;
	summary_from(&s, &snap, NULL);
	assert_near(s.depth[0], 25);
	assert_near(s.depth[1], 75);
	/* I/Os issued before the window: shares are not below 100 % either. */
	snap.st->dir[DIR_READ].ios = 14;
	summary_from(&s, &snap, NULL);
	assert_near(s.depth[0], 25);
	assert_near(s.depth[1], 75);
	snap_fini(&snap);
}

/* ---- options of the summary ---- */

static void configuration_is_heeded(void **state)
{
	struct summary_cfg cfg = { .npercentiles = 3, .percentiles = { 99.999, 50, 100 } };
	struct snapshot snap;
	struct summary s;

	(void)state;
	fill(&snap, 3, 300);
	summary_from(&s, &snap, &cfg);
	assert_int_equal(s.npercentiles, 3);
	assert_int_equal(s.percentile_decimals, 3);
	assert_near(s.percentiles[0], 50);
	assert_near(s.percentiles[1], 99.999);
	assert_near(s.percentiles[2], 100);
	check_order(&s, &s.dir[DIR_READ].lat[LAT_CLAT]);

	cfg = (struct summary_cfg){ .npercentiles = 2, .percentiles = { 99.999999999, 100 } };
	summary_from(&s, &snap, &cfg);
	assert_int_equal(s.percentile_decimals, 9);
	cfg = (struct summary_cfg){ .npercentiles = 2, .percentiles = { 99.999999, 99.9 } };
	summary_from(&s, &snap, &cfg);
	assert_int_equal(s.percentile_decimals, 6);

	cfg = (struct summary_cfg){ .npercentiles = 2, .percentiles = { 50, 99 }, .percentiles_off = true };
	cfg.percentiles_of[LAT_LAT] = true;
	cfg.disabled[LAT_SLAT] = true;
	summary_from(&s, &snap, &cfg);
	assert_int_equal(s.percentile_decimals, 0);
	assert_int_equal(s.dir[DIR_READ].lat[LAT_SLAT].n, 0);
	assert_int_equal(s.dir[DIR_READ].lat[LAT_CLAT].n, 100);
	assert_false(s.dir[DIR_READ].lat[LAT_CLAT].percentiles);
	assert_true(s.dir[DIR_READ].lat[LAT_LAT].percentiles);
	snap_fini(&snap);
}

static void no_histogram_no_percentiles(void **state)
{
	struct wstat_layout l = { .nhist = 0 };
	struct snapshot snap;
	struct summary s;

	(void)state;
	l.moments[DIR_READ][LAT_CLAT] = 1;
	assert_int_equal(snap_init(&snap, &l), 0);
	snap.st->dir[DIR_READ].ios = 1;
	moments_add(&snap.st->dir[DIR_READ].lat[LAT_CLAT], 5000);
	summary_from(&s, &snap, NULL);
	assert_int_equal(s.dir[DIR_READ].lat[LAT_CLAT].max, 5000);
	assert_false(s.dir[DIR_READ].lat[LAT_CLAT].percentiles);
	assert_near(s.lat_us[2], 0);
	snap_fini(&snap);
}

static void syncs_are_apart(void **state)
{
	struct snapshot snap;
	struct summary s;

	(void)state;
	begin(&snap);
	for (unsigned i = 1; i <= 100; i++)
		add_io(&snap, DIR_SYNC, 0, 0, i * 1000);
	snap.st->dir[DIR_SYNC].errors = 2;
	summary_from(&s, &snap, NULL);
	assert_true(summary_has_io(&s));
	assert_int_equal(s.sync_ios, 100);
	assert_int_equal(s.sync_errors, 2);
	assert_near(s.sync.mean, 50500);
	assert_true(s.sync.percentiles);
	check_order(&s, &s.sync);
	assert_int_equal(s.dir[DIR_WRITE].ios, 0);
	assert_near(s.lat_us[5], 0);
	snap_fini(&snap);
}

static void huge_numbers_hold(void **state)
{
	struct snapshot snap;
	struct summary s;

	(void)state;
	begin(&snap);
	snap.st->dir[DIR_READ].ios = 1;
	snap.st->dir[DIR_READ].bytes = 1000000000000000000;
	snap.cnt.runtime_ns[DIR_READ] = 1000000 * S_NS;
	summary_from(&s, &snap, NULL);
	assert_int_equal(s.dir[DIR_READ].bw_bytes, 1000000000000);
	snap.cnt.runtime_ns[DIR_READ] = 1;
	summary_from(&s, &snap, NULL);
	assert_true(s.dir[DIR_READ].bw_bytes == UINT64_MAX); /* over 1 ms */
	assert_near(s.dir[DIR_READ].exact_bw_bytes, 1e27);
	snap_fini(&snap);
}

/* ---- groups ---- */

static struct summary job(uint64_t bytes, uint64_t runtime_ms, double mean_kib)
{
	struct summary s = { .members = 1 };
	struct summary_dir *d = &s.dir[DIR_READ];

	d->bytes = bytes;
	d->runtime_ms = runtime_ms;
	d->runtime_ns = runtime_ms * 1000000;
	d->bw_bytes = runtime_ms ? bytes * 1000 / runtime_ms : 0;
	d->bw_row = (struct summary_rate){ 4, mean_kib, mean_kib, mean_kib, 0 };
	return s;
}

/* Little's law: waiting times of all arrivals, also of those that were never issued, divided by the time. Two
   jobs at the same time have two queues. */
static void queues(void **state)
{
	struct snapshot both = { .st = NULL }, one;
	struct summary s;

	(void)state;
	begin(&one);
	for (unsigned i = 0; i < 10; i++) {
		add_io(&one, DIR_READ, 4096, 100, 900);
		one.st->dir[DIR_READ].lat[LAT_RESP].sum += 5000;
	}
	one.cnt.runtime_ns[DIR_READ] = 100000;
	one.cnt.unissued[DIR_READ] = 5;
	one.cnt.unissued_sum_ns[DIR_READ] = 25000;
	one.cnt.queue_max[DIR_READ] = 5;
	summary_from(&s, &one, NULL);
	assert_near(s.dir[DIR_READ].queue_mean, 0); /* no open rate */
	one.cnt.arrivals[DIR_READ] = one.cnt.asked[DIR_READ] = 15;
	one.cnt.asked_ns[DIR_READ] = 1500;
	summary_from(&s, &one, NULL);
	assert_near(s.dir[DIR_READ].queue_mean, 0.75);
	assert_int_equal(snap_add(&both, &one), 0);
	assert_int_equal(snap_add(&both, &one), 0);
	summary_from(&s, &both, NULL);
	assert_int_equal(s.dir[DIR_READ].arrivals, 30);
	assert_int_equal(s.dir[DIR_READ].asked_ios, 30);
	assert_near(s.dir[DIR_READ].asked_iops, 2e7);
	assert_int_equal(s.dir[DIR_READ].unissued, 10);
	assert_int_equal(s.dir[DIR_READ].queue_max, 5);
	assert_near(s.dir[DIR_READ].queue_mean, 1.5);
	snap_fini(&one);
	snap_fini(&both);
}

static void groups_add_up(void **state)
{
	struct summary jobs[] = { job(10u << 20, 1000, 10240), job(30u << 20, 2000, 15360), job(0, 500, 0),
				  job(0, 0, 0) };
	struct summary_group g = { 0 };
	double shares = 0;

	(void)state;
	for (unsigned i = 0; i < 4; i++)
		summary_group_add(&g, &jobs[i]);
	assert_int_equal(g.dir[DIR_READ].bytes, 40u << 20);
	assert_int_equal(g.dir[DIR_READ].bw_bytes, 20u << 20);
	/* The job that ran without reading is the slowest; the job that never ran does not count. */
	assert_int_equal(g.dir[DIR_READ].bw_min, 0);
	assert_int_equal(g.dir[DIR_READ].bw_max, 15u << 20);
	assert_int_equal(g.dir[DIR_READ].ms_min, 500);
	assert_int_equal(g.dir[DIR_READ].ms_max, 2000);
	assert_int_equal(g.dir[DIR_WRITE].bytes, 0);
	for (unsigned i = 0; i < 4; i++) {
		summary_set_share(&jobs[i], &g);
		shares += jobs[i].dir[DIR_READ].bw_share;
	}
	assert_near(jobs[0].dir[DIR_READ].bw_share, 50);
	assert_near(jobs[1].dir[DIR_READ].bw_share, 75);
	assert_near(shares, 125);
}

static void share_is_at_most_all(void **state)
{
	struct summary s = job(1u << 20, 1000, 2048);
	struct summary_group g = { 0 };

	(void)state;
	summary_group_add(&g, &s);
	summary_set_share(&s, &g);
	assert_near(s.dir[DIR_READ].bw_share, 100);
}

int unit_summary(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(nothing_is_zeros),
		cmocka_unit_test(one_io),
		cmocka_unit_test(figures_agree),
		cmocka_unit_test(latencies_fall_into_cells),
		cmocka_unit_test(cells_add_up),
		cmocka_unit_test(least_percentages),
		cmocka_unit_test(configuration_is_heeded),
		cmocka_unit_test(no_histogram_no_percentiles),
		cmocka_unit_test(syncs_are_apart),
		cmocka_unit_test(huge_numbers_hold),
		cmocka_unit_test(queues),
		cmocka_unit_test(groups_add_up),
		cmocka_unit_test(share_is_at_most_all),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
