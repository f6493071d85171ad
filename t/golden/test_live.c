/* Are the lines of --live and the metrics of --prometheus still the same? A report written by hand, compared
   with t/golden/report/live.*. UPDATE=1 rewrites these. */
#include "sample_results.h"

#include "live_report.h"
#include "strbuf.h"

static struct live_lat lat_of(uint64_t n, uint64_t base)
{
	return (struct live_lat){
		.n = n,
		.min = base,
		.max = base * 100,
		.mean = (double)base * 2 + 0.25,
		.has_percentiles = true,
		.percentile = { base, base * 3, base * 4, base * 10, base * 50, base * 99 },
	};
}

static struct live_figures some_figures(uint64_t ios)
{
	struct live_figures f = { .kind = LAT_CLAT, .in_flight_known = true, .in_flight = 7, .late = 1 };

	f.dir[DIR_READ] = (struct live_dir){ .ios = ios, .bytes = ios * 4096, .errors = 2 };
	f.dir[DIR_READ].iops = (double)ios / 1.5;
	f.dir[DIR_READ].bw = (double)ios * 4096 / 1.5;
	f.dir[DIR_READ].lat[LIVE_LAT] = lat_of(ios, 1000);
	f.dir[DIR_READ].lat[LIVE_RESP] = lat_of(ios, 2000);
	f.total[DIR_READ] = (struct live_total){ .ios = UINT64_MAX, .bytes = ios * 40960, .errors = 3 };
	f.total[DIR_READ].lat_n[LIVE_LAT] = f.total[DIR_READ].lat_n[LIVE_RESP] = ios * 10;
	f.total[DIR_READ].lat_sum[LIVE_LAT] = 1234567890123;
	f.total[DIR_READ].lat_sum[LIVE_RESP] = 5;
	return f;
}

static void put_all(const struct live_report *r, struct strbuf *b)
{
	report_live_run(r, b);
	report_live_interval(r, b);
	report_live_end(r, b);
}

static void test_live(void **state)
{
	struct live_job jobs[] = {
		{ .name = "a\"\\\n\xff",
		  .rw = "randread",
		  .engine = "io_uring",
		  .state = "run",
		  .workers = 4 },
		{ .name = "later", .rw = "write", .engine = "psync", .state = "waiting", .group = 1 },
	};
	struct live_hung hung = { "a", 0, 3, 4711, 2500000000, 1999999999 };
	struct live_report r = { .program_version = "1.0.0", .run = 1, .runs = 2, .interval_ns = 1500000000 };
	struct strbuf b = { 0 };

	(void)state;
	jobs[0].running = 4;
	jobs[0].depth = 32;
	jobs[0].now = some_figures(1500);
	jobs[1].error = 5;
	jobs[1].now.kind = LAT_LAT;
	r.time_ms = 1700000000123;
	r.elapsed_ns = 4500000000;
	r.length_ns = 1500000000;
	r.lines = 3;
	r.lost_lines = 1;
	r.all = some_figures(1500);
	r.all.kind = LAT_KINDS;
	r.jobs = jobs;
	r.njobs = 2;
	r.hung = &hung;
	r.nhung = 1;
	put_all(&r, &b);
	check_golden("live.ndjson", &b);
	strbuf_clear(&b);
	r.finished = true;
	r.exit_code = 130;
	report_prometheus(&r, &b);
	check_golden("live.prom", &b);
	strbuf_fini(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(test_live) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
