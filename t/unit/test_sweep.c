/* The points of a sweep, its curves and their knees. */
#include <errno.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>
#include "chart_series.h"
#include "sweep_curve.h"
#include "sweep_report.h"
#include "sweep_search.h"
#include "strbuf.h"

static void add(struct sweep_matrix *m, const char *text)
{
	struct diag d = { 0 };

	if (sweep_matrix_add(m, text, &d))
		fail_msg("%s: %s", text, diag_text(&d));
}

static void values(void **state)
{
	static const struct {
		const char *text, *values;
	} cases[] = {
		{ "iodepth=1,2,4..256", "1 2 4 8 16 32 64 128 256" },
		{ "iodepth=1..64", "1 2 4 8 16 32 64" },
		{ "iodepth=1..100", "1 2 4 8 16 32 64 100" },
		{ "iodepth=3", "3" },
		{ "iodepth=10,20..50", "10 20 30 40 50" },
		{ "iodepth=10,20,30..45", "10 20 30 40 45" },
		{ "iodepth=1,2..4,8..32", "1 2 3 4 8 12 16 20 24 28 32" },
		{ "iodepth=4,6,9..20", "4 6 9 13 19 20" },
		{ "iodepth=1,2,5..9", "1 2 5 8 9" },
		{ "bs=4k..64k", "4k 8k 16k 32k 64k" },
		{ "bs=512..4k", "512 1k 2k 4k" },
		{ "bs=256k..1m", "256k 512k 1m" },
		{ "bs=4k,64k|8k", "4k,64k 8k" },
		{ "rate_iops=10%..100%", "10% 20% 30% 40% 50% 60% 70% 80% 90% 100%" },
		{ "rate_iops=50%,60%..100%", "50% 60% 70% 80% 90% 100%" },
		{ "ioengine=libaio, io_uring", "libaio io_uring" },
		{ "filename=../a", "../a" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct sweep_matrix m = { 0 };
		struct strbuf b = { 0 };

		add(&m, cases[i].text);
		for (size_t k = 0; k < m.dims[0].value.n; k++)
			strbuf_printf(&b, "%s%s", k ? " " : "", m.dims[0].value.v[k]);
		assert_string_equal(strbuf_str(&b), cases[i].values);
		assert_int_equal(m.dims[0].percent, strchr(cases[i].values, '%') != NULL);
		strbuf_fini(&b);
		sweep_matrix_fini(&m);
	}
}

static void refused(void **state)
{
	static const struct {
		const char *first, *text, *error;
	} cases[] = {
		{ NULL, "iodepth", "give an option and its values" },
		{ NULL, "iodepth=", "give an option and its values" },
		{ NULL, "=4", "give an option and its values" },
		{ NULL, "iodepth=1,,2", "a value is missing" },
		{ NULL, "iodepth=1,1", "the value 1 occurs twice" },
		{ NULL, "iodepth=0..8", "must grow" },
		{ NULL, "iodepth=8..8", "must be greater" },
		{ NULL, "iodepth=8..1", "must be greater" },
		{ NULL, "iodepth=5,3..9", "must grow" },
		{ NULL, "rw=read..write", "a range needs whole numbers" },
		{ NULL, "iodepth=1,2..100000", "more than 10,000 values" },
		{ "iodepth=1,2", "iodepth=4", "swept twice" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct sweep_matrix m = { 0 };
		struct diag d = { 0 };

		if (cases[i].first)
			add(&m, cases[i].first);
		assert_int_equal(sweep_matrix_add(&m, cases[i].text, &d), -EINVAL);
		if (!strstr(diag_text(&d), cases[i].error))
			fail_msg("%s: %s", cases[i].text, diag_text(&d));
		diag_fini(&d);
		sweep_matrix_fini(&m);
	}
}

static void refined(void **state)
{
	static const struct {
		const char *text, *values; /* NULL: `error` */
		const char *error;
	} cases[] = {
		{ "iodepth=1..8", "1 2 3 4 5 6 7 8", NULL },
		{ "iodepth=4..8", "4 5 6 7 8", NULL },
		{ "iodepth=5,9", "5 6 7 8 9", NULL },
		{ "rate_iops=300,310", "300 303 306 309 310", NULL },
		{ "rate_iops=98%,101%", "98% 99% 100% 101%", NULL },
		{ "bs=4k..16k", "4k 8k 12k 16k", NULL },
		{ "bs=512,2k", "512 1k 1536 2k", NULL },
		{ "iodepth=8", NULL, "at least two values" },
		{ "iodepth=8,4", NULL, "4 follows 8" },
		{ "rw=read,write", NULL, "not all whole numbers" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct sweep_matrix m = { 0 };
		struct strbuf b = { 0 };
		struct diag d = { 0 };

		add(&m, cases[i].text);
		assert_int_equal(sweep_matrix_refine(&m, 0, &d), cases[i].values ? 0 : -EINVAL);
		for (size_t k = 0; k < m.dims[0].value.n; k++)
			strbuf_printf(&b, "%s%s", k ? " " : "", m.dims[0].value.v[k]);
		if (cases[i].values)
			assert_string_equal(strbuf_str(&b), cases[i].values);
		else
			assert_non_null(strstr(diag_text(&d), cases[i].error));
		diag_fini(&d);
		strbuf_fini(&b);
		sweep_matrix_fini(&m);
	}
}

/* A target whose values from `from` to `to` meet the condition. The first run of value `once` differs from
 * the others. */
struct target {
	size_t values, from, to, once;
};

/* Searches, and returns the number of runs. */
static size_t search(const struct target *t, struct sweep_edge *e)
{
	struct sweep_tried tried[300] = { 0 };
	struct sweep_search s = { tried, t->values };
	size_t runs = 0, i;

	for (; (i = sweep_search_next(&s)) < t->values; runs++) {
		bool met = i >= t->from && i <= t->to;

		assert_true(tried[i].runs < SWEEP_SEARCH_REPEATS);
		tried[i].met += i == t->once && !tried[i].runs ? !met : met;
		tried[i].runs++;
	}
	*e = sweep_search_edge(&s);
	return runs;
}

static void searched(void **state)
{
	struct sweep_edge e;

	(void)state;
	for (size_t n = 2; n <= 257; n += n < 20 ? 1 : 79)
		for (size_t k = 0; k + 1 < n; k++) {
			/* Up to k: latencies. From k + 1 on: IOPS. */
			assert_true(search(&(struct target){ n, 0, k, n }, &e) <= sweep_search_most(n));
			assert_true(e.found == SWEEP_FOUND_EDGE && e.best == k && e.beyond == k + 1);
			assert_true(search(&(struct target){ n, k + 1, n - 1, n }, &e) <=
				    sweep_search_most(n));
			assert_true(e.found == SWEEP_FOUND_EDGE && e.best == k + 1 && e.beyond == k);
		}
	assert_int_equal(search(&(struct target){ 64, 0, 63, 64 }, &e), 3);
	assert_true(e.found == SWEEP_FOUND_ALL && e.best == 63);
	assert_int_equal(search(&(struct target){ 64, 1, 0, 64 }, &e), 4);
	assert_true(e.found == SWEEP_FOUND_NONE);
	/* The last value met the condition by chance, so its second run begins a search. */
	search(&(struct target){ 64, 0, 62, 63 }, &e);
	assert_true(e.found == SWEEP_FOUND_EDGE && e.best == 62 && e.beyond == 63);
	/* 20 met the condition by chance: its second run shows it. */
	search(&(struct target){ 64, 0, 19, 20 }, &e);
	assert_true(e.found == SWEEP_FOUND_EDGE && e.best == 19 && e.beyond == 20);
	/* 20 did not meet it by chance: a value counts if both runs meet the condition. */
	search(&(struct target){ 64, 0, 20, 20 }, &e);
	assert_true(e.found == SWEEP_FOUND_EDGE && e.best == 19 && e.beyond == 20);
}

static void points(void **state)
{
	static const char *const expected[] = { "1 a", "1 b", "1 c", "2 a", "2 b", "2 c" };
	struct sweep_matrix m = { 0 };
	const char *value[SWEEP_DIMS_MAX];
	char text[16];

	(void)state;
	assert_int_equal(sweep_matrix_points(&m), 1);
	add(&m, "iodepth=1,2");
	add(&m, "rw=a,b,c");
	assert_int_equal(sweep_matrix_points(&m), 6);
	for (size_t i = 0; i < 6; i++) {
		sweep_matrix_point(&m, i, value);
		snprintf(text, sizeof(text), "%s %s", value[0], value[1]);
		assert_string_equal(text, expected[i]);
	}
	add(&m, "size=1,2..1667");
	assert_int_equal(sweep_matrix_points(&m), SWEEP_POINTS_MAX + 1);
	sweep_matrix_fini(&m);
}

/* A result of one job: reads at this rate and mean latency. */
static void make_result(struct result *res, double iops, double lat_ns)
{
	struct result_job job = { .name = "job" };

	result_init(res, "fiord", "1", "3.42");
	job.sum.dir[DIR_READ].ios = (uint64_t)iops;
	job.sum.dir[DIR_READ].bytes = (uint64_t)iops * 4096;
	job.sum.dir[DIR_READ].runtime_ns = 1000000000;
	job.sum.dir[DIR_READ].runtime_ms = 1000;
	job.sum.dir[DIR_READ].lat[LAT_LAT].n = (uint64_t)iops;
	job.sum.dir[DIR_READ].lat[LAT_LAT].mean = lat_ns;
	assert_non_null(result_add_job(res, &job));
	result_finish(res);
}

/* A server that serves `k` I/Os at a time, 1 ms each: the figures follow from Little's law. */
static void serve(struct result *res, unsigned k, unsigned depth)
{
	double busy = depth < k ? depth : k;

	make_result(res, busy * 1000, depth / (busy * 1000) * 1e9);
}

/* The knee of a server with k places is at depth k, on every curve. */
static void knee(void **state)
{
	static const unsigned places[] = { 8, 32 };
	struct sweep s = { 0 };
	struct diag d = { 0 };

	(void)state;
	add(&s.matrix, "bs=4k,64k");
	add(&s.matrix, "iodepth=1..128");
	assert_int_equal(sweep_init(&s, &d), 0);
	assert_int_equal(s.load, 1);
	for (size_t i = 0; i < s.npoints; i++) {
		struct result res;

		if (i == 1)
			continue; /* a point that failed */
		serve(&res, places[i / 8], (unsigned)atoi(s.points[i].value[1]));
		assert_int_equal(sweep_add_result(&s, i, &res, &d), 0);
		result_free(&res);
	}
	assert_int_equal(sweep_finish(&s, &d), 0);
	assert_int_equal(s.groups, 1);
	assert_string_equal(s.group_name[0], "job");
	assert_int_equal(s.ncurves, 2);
	for (size_t c = 0; c < 2; c++) {
		const struct sweep_curve *curve = &s.curves[c];

		assert_string_equal(curve->name, c ? "bs=64k" : "bs=4k");
		assert_int_equal(curve->npoints, 8);
		assert_int_equal(atoi(s.points[curve->points[curve->knee]].value[1]), places[c]);
	}
	assert_false(sweep_curve_figures(&s, &s.curves[0], 1)->known);
	sweep_fini(&s);
}

/* The latency of an overloaded point grows with the runtime, so the point is no knee. Notes that several
   points have are listed once. */
static void overload(void **state)
{
	struct sweep s = { 0 };
	struct diag d = { 0 };

	(void)state;
	add(&s.matrix, "rate_iops=1000,2000,3000");
	assert_int_equal(sweep_init(&s, &d), 0);
	for (size_t i = 0; i < 3; i++) {
		struct result res;

		make_result(&res, (double)(i + 1) * 1000, 1e6);
		res.jobs[0]->sum.dir[DIR_READ].asked_ios = (i + 1) * 1000;
		res.jobs[0]->sum.dir[DIR_READ].asked_ns = 1000000000;
		res.jobs[0]->sum.dir[DIR_READ].asked_iops = (double)(i + 1) * 1000;
		res.jobs[0]->sum.dir[DIR_READ].unissued = i == 2 ? 31 : 10;
		result_note(&res, "short");
		if (i == 1)
			result_job_note(res.jobs[0], "slow");
		assert_int_equal(sweep_add_result(&s, i, &res, &d), 0);
		result_free(&res);
	}
	assert_int_equal(sweep_finish(&s, &d), 0);
	assert_int_equal(s.curves[0].knee, 1);
	assert_true(s.points[2].group[0].overloaded);
	assert_false(s.points[1].group[0].overloaded);
	assert_string_equal(s.note->text, "short");
	assert_int_equal(s.note->points, 3);
	assert_string_equal(s.note->next->text, "job: slow");
	assert_int_equal(s.note->next->first, 1);
	assert_null(s.note->next->next);
	sweep_fini(&s);
}

/* On a curve that is flat at the top, noise chooses the greatest power. The knee's interval has its
   neighbours within 5 percent, but none beyond a point that is worse. */
static void knee_interval(void **state)
{
	/* power of depths 1, 2, 4, 5, 6, 8 and 16; the latency is 1 ms */
	static const struct {
		double power[7];
		size_t knee, first, last;
		bool noisy;       /* the IOPS fall by more than 5 percent somewhere */
		const char *text; /* NULL: one point alone */
	} cases[] = {
		{ { 1, 2, 4.0, 3.95, 4.1, 3, 4.09 }, 4, 2, 4, true, "; 4 to 6 are within 5 % of it)" },
		{ { 1, 2, 4.0, 5.0, 4.0, 3, 1 }, 3, 3, 3, true, NULL },
		{ { 1, 2, 3, 4, 5, 5.9, 6 }, 6, 5, 6, false, "; 8 to 16 are within 5 % of it; no greater" },
		{ { 1, 2, 3, 4, 5, 6, 5.9 }, 5, 5, 6, false, "; 8 to 16 are within 5 % of it; no greater" },
		{ { 5, 5.1, 3, 2, 1, 1, 1 }, 1, 0, 1, true, "; 1 to 2 are within 5 % of it)" },
	};

	(void)state;
	for (size_t n = 0; n < sizeof(cases) / sizeof(cases[0]); n++) {
		struct strbuf text = { 0 };
		struct sweep s = { 0 };
		struct diag d = { 0 };

		add(&s.matrix, "iodepth=1,2,4,5,6,8,16");
		assert_int_equal(sweep_init(&s, &d), 0);
		for (size_t i = 0; i < s.npoints; i++) {
			struct result res;

			make_result(&res, cases[n].power[i] * 1000, 1e6);
			assert_int_equal(sweep_add_result(&s, i, &res, &d), 0);
			result_free(&res);
		}
		assert_int_equal(sweep_finish(&s, &d), 0);
		assert_int_equal(s.curves[0].knee, cases[n].knee);
		assert_int_equal(s.curves[0].knee_first, cases[n].first);
		assert_int_equal(s.curves[0].knee_last, cases[n].last);
		assert_int_equal(s.curves[0].noisy, cases[n].noisy);
		assert_int_equal(report_sweep_text(&s, &text), 0);
		assert_true(!cases[n].text == !strstr(strbuf_str(&text), "are within"));
		assert_true(!cases[n].text || strstr(strbuf_str(&text), cases[n].text));
		strbuf_fini(&text);
		sweep_fini(&s);
	}
}

/* A second of reads: 10 in each of the first five intervals of 100 ms, which take 1 ms each, then 100 in each
   of the last five, which take 2 ms. The window of steadystate has five samples. */
static void make_steady(struct result *res, bool attained, uint64_t attained_ms, uint64_t sample_ms)
{
	static const struct result_series_label label = { .name = "job", .in_report = true };
	static const uint64_t samples[] = { 1000, 1000, 1000, 1000, 1000 };
	const struct result_steady steady = { .on = true,
					      .attained = attained,
					      .ss = "snia",
					      .criterion = "",
					      .iops_mean = 1000,
					      .bw_mean = 4096000,
					      .iops = samples,
					      .bw = samples,
					      .samples = 5,
					      .duration_ns = 5 * sample_ms * 1000000,
					      .interval_ns = sample_ms * 1000000,
					      .attained_ns = attained_ms * 1000000 };
	struct series s;

	make_result(res, 550, 1909091);
	result_job_steady(res, res->jobs[0], &steady);
	assert_int_equal(series_init(&s, 1, CHART_LEN_NS, 1 << 20), 0);
	for (unsigned cell = 0; cell < 10; cell++)
		chart_series_add(&s, cell, 0, DIR_READ, cell < 5 ? 10 : 100, cell < 5 ? 1000000 : 2000000);
	result_move_series(res, &s, &label, 0);
}

/* The figures of a job with steadystate are those of its window; one that was not steady is no knee. */
static void window(void **state)
{
	static const struct {
		bool attained;
		unsigned attained_ms, sample_ms;
		double mean_ns;
	} cases[] = {
		{ true, 1000, 100, 2e6 },
		{ true, 900, 100, (10 * 1e6 + 400 * 2e6) / 410 }, /* the fifth to the ninth interval */
		{ false, 0, 100, 2e6 },                           /* the last window of the run */
		{ true, 580, 10, 2e6 },                           /* within an interval */
	};
	struct sweep s = { 0 };
	struct diag d = { 0 };

	(void)state;
	add(&s.matrix, "iodepth=1,2,4,8");
	assert_int_equal(sweep_init(&s, &d), 0);
	assert_true(s.sets_load);
	for (size_t i = 0; i < 4; i++) {
		const struct sweep_figures *f;
		struct result res;

		make_steady(&res, cases[i].attained, cases[i].attained_ms, cases[i].sample_ms);
		assert_int_equal(sweep_add_result(&s, i, &res, &d), 0);
		result_free(&res);
		f = s.points[i].group;
		assert_int_equal(f->steady, cases[i].attained ? SWEEP_STEADY : SWEEP_NOT_STEADY);
		assert_int_equal(sweep_point_not_steady(&s, &s.points[i]), !cases[i].attained);
		assert_true(fabs(f->iops - 1000) < 1e-9);
		assert_int_equal(f->ios, 5 * cases[i].sample_ms);
		assert_int_equal(f->kind, LAT_CLAT);
		assert_true(fabs(f->mean_ns - cases[i].mean_ns) < 1e-3);
		assert_int_equal(f->p99_ns, 2000000);
		assert_int_equal(f->p50_ns, 2000000);
	}
	s.points[2].group->mean_ns = 1;
	assert_int_equal(sweep_finish(&s, &d), 0);
	assert_int_equal(s.curves[0].knee, 1);
	s.sets_load = false; /* of bs=1k,2k,4k,8k no point is a knee */
	assert_int_equal(sweep_finish(&s, &d), 0);
	assert_int_equal(s.curves[0].knee, 4);
	sweep_fini(&s);
}

/* Without any result there are no groups and no curves. */
/* Ten intervals, two in every fifth of the time: in part p they have 10 * (p + 1) I/Os of p + 1 ms. */
static void spread(void **state)
{
	static const struct result_series_label label = { .name = "job", .in_report = true };
	const double per_s = 1e9 / CHART_LEN_NS;
	static const enum lat_kind kinds[] = { LAT_CLAT, LAT_LAT }; /* the series has clat */
	struct sweep s = { 0 };
	struct diag d = { 0 };

	(void)state;
	add(&s.matrix, "iodepth=1,2,4");
	assert_int_equal(sweep_init(&s, &d), 0);
	for (size_t i = 0; i < 3; i++) {
		struct result res;
		struct series in;

		make_result(&res, 1000, 1e6);
		if (i < 2) {
			struct summary_lat *lat = res.jobs[0]->sum.dir[DIR_READ].lat, was = lat[LAT_LAT];

			lat[LAT_LAT] = (struct summary_lat){ 0 };
			lat[kinds[i]] = was;
			assert_int_equal(series_init(&in, 1, CHART_LEN_NS, 1 << 20), 0);
			for (unsigned cell = 0; cell < 10; cell++)
				chart_series_add(&in, cell, 0, DIR_READ, 10 * (cell / 2 + 1),
						 1000000 * (cell / 2 + 1));
			result_move_series(&res, &in, &label, 0);
		}
		assert_int_equal(sweep_add_result(&s, i, &res, &d), 0);
		result_free(&res);
	}
	assert_int_equal(sweep_finish(&s, &d), 0);
	for (size_t i = 0; i < 3; i++) {
		const struct sweep_figures *f = &s.points[i].group[0];

		assert_float_equal(f->iops_lowest, i < 2 ? 10 * per_s : 0, 1e-6);
		assert_float_equal(f->iops_highest, i < 2 ? 50 * per_s : 0, 1e-6);
		assert_float_equal(f->mean_lowest_ns, i < 1 ? 1e6 : 0, 1e-3);
		assert_float_equal(f->mean_highest_ns, i < 1 ? 5e6 : 0, 1e-3);
	}
	sweep_fini(&s);
}

static void nothing(void **state)
{
	struct sweep s = { 0 };
	struct diag d = { 0 };

	(void)state;
	add(&s.matrix, "rw=read,write");
	assert_int_equal(sweep_init(&s, &d), 0);
	assert_int_equal(sweep_finish(&s, &d), 0);
	assert_int_equal(s.ncurves, 0);
	sweep_fini(&s);
}

int unit_sweep(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(values),        cmocka_unit_test(refused),  cmocka_unit_test(points),
		cmocka_unit_test(refined),       cmocka_unit_test(searched), cmocka_unit_test(knee),
		cmocka_unit_test(knee_interval), cmocka_unit_test(window),   cmocka_unit_test(nothing),
		cmocka_unit_test(spread),        cmocka_unit_test(overload),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
