/* Do log files become the figures that they hold? Expected values are sums and means of the lines, computed
   by hand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "read_logs.h"

#define COUNT(a) (sizeof(a) / sizeof(*(a)))
#define LOGS_MAX 6

static struct result_set set;
static struct diag diag;

/* The name of a log and its lines. */
struct text_log {
	const char *path, *lines;
};

static int read_logs(const struct text_log *text)
{
	struct result_log log[LOGS_MAX];
	size_t n = 0;
	int ret;

	result_set_free(&set);
	diag_fini(&diag);
	for (; n < LOGS_MAX && text[n].path; n++)
		log[n] = (struct result_log){ text[n].path, fmemopen((void *)(uintptr_t)text[n].lines,
								     strlen(text[n].lines), "r") };
	ret = result_read_logs(&set, log, n, &diag);
	while (n > 0)
		fclose(log[--n].file);
	return ret;
}

static const struct result_job *read_job(const struct text_log *text)
{
	if (read_logs(text))
		fail_msg("%s", diag_text(&diag));
	assert_int_equal(set.n, 1);
	return set.res[0]->jobs[0];
}

static int cleanup(void **state)
{
	(void)state;
	result_set_free(&set);
	diag_fini(&diag);
	return 0;
}

static struct ival_dir cell(unsigned group, size_t i, unsigned dir)
{
	struct ival v;

	assert_true(i < set.res[0]->series.data.groups[group].cells.n);
	series_get(&set.res[0]->series.data, group, i, &v);
	return v.dir[dir];
}

static void names(void **state)
{
	static const struct {
		const char *path;
		bool log;
	} rows[] = {
		{ "a_bw.1.log", true },
		{ "a_iops.log", true },
		{ "/x/a_clat_hist.12.log", true },
		{ "a_slat.3.log", true },
		{ "agg-read_bw.log", true },
		{ "a.log", false },
		{ "a_bw.1.log.fz", false },
		{ "a_foo.1.log", false },
		{ "_bw", false },
		{ ".log", false },
		{ "run.json", false },
		{ "a_lat.x.log", false },
		{ "a_bw.1.log.node1", true },
		{ "b.log/a_bw.log.node1.example.com.3", true },
		{ "a_bw.1.log.fz.node1", false },
		{ "a_bw.1.log.json", false },
		{ "a_bw.1.log.", false },
		{ "a_bw.1.logs", false },
		{ "a.log.b_bw.log", true },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++) {
		if (result_is_log(rows[i].path) != rows[i].log)
			fail_msg("%s", rows[i].path);
	}
}

static void each_io(void **state)
{
	static const struct text_log logs[] = {
		{ "d/p_clat.1.log", "100, 100, 0, 4096, 0\n200, 300, 0, 4096, 0\n2900, 500, 1, 8192, 0\n" },
		{ "d/p_bw.1.log", "100, 9, 0, 4096, 0\n200, 9, 0, 4096, 0\n2900, 9, 1, 8192, 0\n" },
		{ 0 },
	};
	const struct result_job *j = read_job(logs);
	const struct summary_dir *r = &j->sum.dir[DIR_READ], *w = &j->sum.dir[DIR_WRITE];

	(void)state;
	assert_string_equal(set.source[0], "d/p");
	assert_string_equal(j->name, "p");
	assert_int_equal(r->ios, 2);
	assert_int_equal(r->bytes, 8192);
	assert_int_equal(w->ios, 1);
	assert_int_equal(r->runtime_ms, 2900);
	assert_true(fabs(r->iops - 2 / 2.9) < 1e-9);
	assert_true(r->lat[LAT_CLAT].mean == 200 && r->lat[LAT_CLAT].n == 2);
	assert_true(fabs(r->lat[LAT_CLAT].stddev - sqrt(20000)) < 1e-9);
	assert_true(r->lat[LAT_CLAT].percentiles);
	assert_int_equal(j->bins[DIR_READ][LAT_CLAT].n, 2);
	assert_int_equal(j->notes.count, 0);
	assert_int_equal(j->counts.dir[DIR_READ].lat[LAT_CLAT].sum, 400);
	/* 2.9 s in ten intervals at most: of 500 ms. */
	assert_int_equal(series_interval_ns(&set.res[0]->series.data), 500000000);
	assert_int_equal(set.res[0]->series.data.groups[0].first, 0);
	assert_int_equal(cell(0, 0, DIR_READ).ios, 2);
	assert_int_equal(cell(0, 0, DIR_READ).lat[LAT_CLAT].sum, 400);
	assert_int_equal(cell(0, 5, DIR_WRITE).bytes, 8192);
	assert_int_equal(cell(0, 3, DIR_READ).ios, 0);
}

static void means(void **state)
{
	static const struct text_log logs[] = {
		{ "p_iops.1.log", "500, 100, 0, 0, 0\n1001, 300, 0, 0, 0\n" },
		{ "p_bw.1.log", "500, 400, 0, 0, 0\n1000, 1200, 0, 0, 0\n" },
		{ "p_lat.1.log", "507, 1000, 0, 0, 0\n1000, 3000, 0, 0, 0\n" },
		{ 0 },
	};
	const struct result_job *j = read_job(logs);
	const struct summary_dir *r = &j->sum.dir[DIR_READ];

	(void)state;
	/* 100/s in 0.5 s and 300/s in 0.501 s; 400 and 1200 KiB/s in 0.5 s each. */
	assert_int_equal(r->ios, 50 + 150);
	assert_int_equal(r->bytes, (200 + 600) * 1024);
	assert_int_equal(r->lat[LAT_LAT].n, 200);
	assert_true(r->lat[LAT_LAT].mean == (50 * 1000 + 150 * 3000) / 200.0);
	assert_false(r->lat[LAT_LAT].percentiles);
	assert_true(r->bw_row.n == 2 && r->bw_row.mean == 800);
	assert_int_equal(series_interval_ns(&set.res[0]->series.data), 500000000);
	assert_int_equal(set.res[0]->series.data.groups[0].cells.n, 2);
	assert_int_equal(cell(0, 1, DIR_READ).ios, 150);
	assert_int_equal(cell(0, 1, DIR_READ).lat[LAT_LAT].sum, 150 * 3000);
	assert_int_equal(j->notes.count, 1);
	assert_non_null(strstr(j->notes.line[0], "means over 493 ms"));
}

/* The job of log_avg_msec=500 ended 10 ms after the third window. */
static void the_interval_is_told(void **state)
{
	static const struct {
		const char *lines, *told;
	} row[] = {
		{ "500, 1, 0, 0, 0\n1001, 1, 0, 0, 0\n1501, 1, 0, 0, 0\n1511, 1, 0, 0, 0\n", "over 500 ms:" },
		{ "500, 1, 0, 0, 0\n500, 1, 1, 0, 0\n1000, 1, 0, 0, 0\n1000, 1, 1, 0, 0\n1010, 1, 0, 0, 0\n"
		  "1010, 1, 1, 0, 0\n",
		  "over 500 ms:" },
		{ "500, 1, 0, 0, 0\n", "over an unknown interval, because it has one line:" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(row) / sizeof(row[0]); i++) {
		const struct text_log logs[] = { { "p_lat.1.log", row[i].lines }, { 0 } };
		const struct result_job *j = read_job(logs);
		bool told = false;

		for (size_t k = 0; k < j->notes.count; k++)
			told |= strstr(j->notes.line[k], row[i].told) != NULL;
		assert_true(told);
		cleanup(state);
	}
}

static void a_window_with_its_maximum(void **state)
{
	static const struct text_log logs[] = {
		{ "p_clat.1.log", "500, 1000, 2500, 0, 0, 0\n1000, 3000, 9000, 1, 0, 0\n" },
		{ 0 },
	};
	const struct result_job *j = read_job(logs);

	(void)state;
	assert_int_equal(j->sum.dir[DIR_READ].lat[LAT_CLAT].max, 2500);
	assert_int_equal(j->sum.dir[DIR_WRITE].lat[LAT_CLAT].max, 9000);
	assert_int_equal(j->sum.dir[DIR_READ].ios, 0);
	assert_int_equal(j->notes.count, 3);
}

static void one_log_alone(void **state)
{
	static const struct text_log logs[] = { { "p_bw.log", "500, 8, 1, 0, 0\n1500, 4, 1, 0, 0\n" },
						{ 0 } };
	const struct result_job *j = read_job(logs);

	(void)state;
	assert_int_equal(j->sum.dir[DIR_WRITE].bytes, 8192);
	assert_int_equal(j->sum.dir[DIR_WRITE].ios, 0);
	assert_true(series_interval_ns(&set.res[0]->series.data) == 1000000000);
	assert_int_equal(j->notes.count, 2);
}

/* A line of a histogram of 1856 columns, or fewer with a coarseness. */
static char *hist_line(unsigned time_ms, unsigned columns, unsigned at, unsigned count)
{
	char *text = malloc(32 + 12 * (size_t)columns), *p = text + sprintf(text, "%u, 0, 4096", time_ms);

	for (unsigned i = 0; i < columns; i++)
		p += sprintf(p, ", %u", i == at ? count : 0);
	strcpy(p, "\n");
	return text;
}

static void histograms(void **state)
{
	static const struct {
		unsigned columns, at;
		uint64_t ns;
	} rows[] = {
		{ 1856, 100, 100 },
		{ 1856, 1856 - 1, 0 },
		{ 928, 50, 101 }, /* buckets 100 and 101 */
		{ 29, 2, 0 },     /* 64 buckets in each column */
	};

	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++) {
		unsigned width = 1856 / rows[i].columns;
		char *line = hist_line(500, rows[i].columns, rows[i].at, 7);
		struct text_log logs[] = { { "p_clat_hist.1.log", line }, { 0 } };
		const struct result_job *j;
		const struct result_bins *b;

		if (width > 32) {
			assert_true(read_logs(logs) < 0);
			assert_string_equal(diag_text(&diag),
					    "p_clat_hist.1.log: line 1: the line has another "
					    "number of columns than a histogram of fio");
			free(line);
			continue;
		}
		j = read_job(logs);
		b = &j->bins[DIR_READ][LAT_CLAT];
		assert_int_equal(j->sum.dir[DIR_READ].ios, 7);
		assert_int_equal(j->sum.dir[DIR_READ].bytes, 7 * 4096);
		assert_int_equal(b->n, 1);
		assert_int_equal(b->count[0], 7);
		assert_int_equal(b->ns[0],
				 rows[i].ns ? rows[i].ns : hist_mid(rows[i].at * width + width / 2));
		assert_int_equal(j->sum.dir[DIR_READ].lat[LAT_CLAT].n, 7);
		free(line);
	}
}

static void several_jobs(void **state)
{
	static const struct text_log logs[] = {
		{ "p_lat.10.log", "1795207723996, 10, 0, 4096, 0\n" },
		{ "p_lat.2.log", "1795207722996, 10, 0, 4096, 8192, 0x0004, 5\n" },
		{ 0 },
	};

	(void)state;
	assert_string_equal(read_job(logs)->name, "p.2");
	assert_int_equal(set.res[0]->njobs, 2);
	assert_string_equal(set.res[0]->jobs[1]->name, "p.10");
	assert_string_equal(set.res[0]->series.label[1].name, "p.10");
	/* The times are since 1970. */
	assert_int_equal(set.res[0]->timestamp_ms, 1795207723996);
	assert_int_equal(set.res[0]->series.start_ms, 1795207722996);
	assert_int_equal(set.res[0]->jobs[1]->sum.dir[DIR_READ].runtime_ms, 1000);
}

static void several_hosts(void **state)
{
	static const struct text_log logs[] = {
		{ "p_lat.1.log.n2", "1000, 10, 0, 4096, 0\n" },
		{ "p_lat.2.log.n1.lan", "1000, 10, 0, 4096, 0\n" },
		{ "p_bw.1.log.n2", "1000, 9, 0, 4096, 0\n" },
		{ "p_lat.1.log.n1.lan", "1000, 20, 0, 4096, 0\n" },
		{ 0 },
	};

	(void)state;
	assert_string_equal(read_job(logs)->name, "p.1.n1.lan");
	assert_int_equal(set.res[0]->njobs, 3);
	assert_string_equal(set.res[0]->jobs[1]->name, "p.2.n1.lan");
	assert_string_equal(set.res[0]->jobs[2]->name, "p.1.n2");
	assert_true(set.res[0]->jobs[2]->sum.dir[DIR_READ].lat[LAT_LAT].mean == 10);
}

static void bad_logs(void **state)
{
	static const struct {
		struct text_log log[3];
		const char *message;
	} rows[] = {
		{ { { "p_bw.log", "\n" } }, "p_bw.log: line 1: this is not a line of a log" },
		{ { { "p_bw.log", "1, 2, 0, 1, 0\nx" } }, "p_bw.log: line 2: this is not a line of a log" },
		{ { { "p_bw.log", "1, 2" } }, "p_bw.log: line 1: this is not a line of a log" },
		{ { { "p_bw.log", "1, -2, 0, 1, 0\n" } }, "p_bw.log: line 1: this is not a line of a log" },
		{ { { "p_bw.log", "1, 2, 3, 1, 0\n" } }, NULL }, /* 3 is a maximum */
		{ { { "p_bw.log", "1, 2, 0, 1, 0\n1, 2, 3, 4, 5\n" } },
		  "p_bw.log: line 2: this is not a line of a log" },
		{ { { "p_bw.log", "99999999999999999999, 2, 0, 1, 0\n" } },
		  "p_bw.log: line 1: this is not a line of a log" },
		{ { { "p_clat_hist.log", "1, 0, 1, 1, 2\n" } },
		  "p_clat_hist.log: line 1: the line has another number of columns than a histogram of fio" },
		{ { { "p_clat_hist.log", "1, 9\n" } },
		  "p_clat_hist.log: line 1: this is not a line of a histogram log" },
		{ { { "p_bw.log", "281474976710656, 2, 0, 1, 0\n1, 2, 0, 1, 0\n" } },
		  "p_bw.log: the times in the logs are too far apart" },
		{ { { "p_bw.log", "1, 2, 0, 1, 0\n" }, { "p_bw.1.log", "1, 2, 0, 1, 0\n" } },
		  "p_bw.1.log: this log is given twice" },
		{ { { "foo", "1, 2, 0, 1, 0\n" } }, "foo: this is not the name of a log" },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++) {
		int ret = read_logs(rows[i].log);

		if (!rows[i].message) {
			assert_int_equal(ret, 0);
			continue;
		}
		assert_true(ret < 0);
		assert_string_equal(diag_text(&diag), rows[i].message);
		assert_int_equal(set.n, 0);
	}
}

/* One log after another, of 100 clones that begin late, is a log; times that jump back and forth are none.
   Each line of the latter would cover the whole run, and so it would take minutes to read a few megabytes. */
static void times_back(void **state)
{
	static const char *const forth[] = { "100, 5, 0, 0\n", "200000100, 5, 0, 0\n" };
	struct text_log logs[3] = { { "p_iops.1.log", NULL } };
	char *text = calloc(1, 1 << 20);

	(void)state;
	assert_non_null(text);
	logs[0].lines = text;
	strcpy(text, "50, 5, 0, 0\n");
	for (unsigned i = 0; i < 200; i++)
		strcat(text, forth[i % 2]);
	assert_int_equal(read_logs(logs), 0);
	for (unsigned i = 0; i < 8000; i++)
		strcat(text, forth[i % 2]);
	assert_true(read_logs(logs) < 0);
	assert_non_null(strstr(diag_text(&diag), "p_iops.1.log: line "));
	assert_non_null(strstr(diag_text(&diag), ": the times in this log jump back and forth"));
	free(text);
}

static void bad_files(void **state)
{
	const char *const missing[] = { "/nonexistent/p_bw.1.log" }, *const mixed[] = { "/dev/null",
											"/nonexistent" };

	(void)state;
	cleanup(NULL);
	assert_true(result_read_files(&set, missing, 1, &diag) < 0);
	assert_string_equal(diag_text(&diag), "/nonexistent/p_bw.1.log: No such file or directory (ENOENT)");
	cleanup(NULL);
	assert_true(result_read_files(&set, mixed, 2, &diag) < 0);
	assert_string_equal(diag_text(&diag), "/dev/null: the file is empty");
}

int unit_read_logs(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(names),
		cmocka_unit_test_teardown(each_io, cleanup),
		cmocka_unit_test_teardown(means, cleanup),
		cmocka_unit_test_teardown(the_interval_is_told, cleanup),
		cmocka_unit_test_teardown(a_window_with_its_maximum, cleanup),
		cmocka_unit_test_teardown(one_log_alone, cleanup),
		cmocka_unit_test_teardown(histograms, cleanup),
		cmocka_unit_test_teardown(several_jobs, cleanup),
		cmocka_unit_test_teardown(several_hosts, cleanup),
		cmocka_unit_test_teardown(bad_logs, cleanup),
		cmocka_unit_test_teardown(times_back, cleanup),
		cmocka_unit_test_teardown(bad_files, cleanup),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
