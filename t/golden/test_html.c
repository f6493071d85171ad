/* Is the HTML page still the same? Results written by hand, compared with t/golden/report/NAME.html: the body
   of the page, without style, script and compressed data. UPDATE=1 rewrites it. */
#include "sample_results.h"
#include "html.h"
#include "strbuf.h"

/* Removes the text from `from` up to `until`, which stays. */
static void cut(struct strbuf *b, const char *from, const char *until)
{
	char *start = strstr(b->text, from), *end = start ? strstr(start + strlen(from), until) : NULL;

	assert_non_null(end);
	start += strlen(from);
	memmove(start, end, strlen(end) + 1);
	b->len = strlen(b->text);
}

static void check_page(const struct result *const *res, const char *const *source, size_t n, const char *name)
{
	struct strbuf b = { 0 };

	assert_int_equal(report_html(res, source, n, &b), 0);
	cut(&b, "content=\"default-src 'none'; ", "\">");
	cut(&b, "<style>", "</style>");
	cut(&b, "data-encoding=\"zlib+base64\">", "</script>");
	cut(&b, "<script>", "</script>");
	cut(&b, "<p>fiord ", " This page");
	check_golden(name, &b);
	strbuf_fini(&b);
}

static void add_bins(struct result_job *j, unsigned dir)
{
	static const uint64_t ns[] = { 20096, 45312, 90112 }, count[] = { 100, 9890, 10 };

	j->bins[dir][LAT_CLAT] = (struct result_bins){ ns, count, 3 };
}

static void one_job(void **state)
{
	static const struct result_opt own[] = { { "rw", "randrw" }, { "bs", "4k" }, { "ramp_time", "5s" } };
	struct result_job j = new_job("db & <log>", 100);
	struct result_disk vda = { .name = "vda",
				   .counts = { { 10, 20 }, { 80, 160 }, { 0, 0 }, { 1, 2 }, 3, 74.5 } };
	const struct result *res;
	struct result r;

	(void)state;
	begin(&r);
	j.options = own;
	j.noptions = 3;
	simple_dir(&j.sum, DIR_READ, 10000, 1000);
	simple_dir(&j.sum, DIR_WRITE, 10000, 1000);
	add_bins(&j, DIR_READ);
	add_bins(&j, DIR_WRITE);
	result_add_job(&r, &j);
	result_add_disk(&r, &vda);
	result_note(&r, "a note about <vda>");
	result_finish(&r);
	res = &r;
	check_page(&res, NULL, 1, "page.html");
	result_free(&r);
}

/* Errors, a lost worker, damage, an interruption; two groups, one without I/O. Two results in one page. */
static void problems(void **state)
{
	struct result_job bad = new_job("bad", 100), idle = new_job("idle", 101);
	const char *const source[] = { "a.json", "b.json" };
	struct result_damage damage = { .file = "f<1>", .kind = "stale", .text = "stale: write 7 expected" };
	struct result_lost_io lost = {
		.op = "read", .file = "f<1>", .offset = 4096, .length = 4096, .age_ns = 5e9
	};
	const struct result *res[2];
	struct result_job *job;
	struct result r;

	(void)state;
	begin(&r);
	simple_dir(&bad.sum, DIR_WRITE, 100, 1000);
	bad.sum.errors = bad.sum.dir[DIR_WRITE].errors = 3;
	bad.error = EIO;
	bad.error_text = "f<1>, write at offset 4096, Input/output error (EIO)";
	bad.lost_reason = "worker 2 was killed by SIGKILL";
	bad.lost_ios_total = 1;
	bad.verify = (struct result_verify){ .on = true, .checked = 10, .damaged = 1, .known_by = "seeds" };
	job = result_add_job(&r, &bad);
	damage.offset = 8192;
	damage.length = 4096;
	damage.blocks = 1;
	result_job_damage(&r, job, &damage);
	result_job_lost_io(&r, job, &lost);
	idle.group = 1;
	result_add_job(&r, &idle);
	result_interrupted(&r, 2, 1500000000);
	result_finish(&r);
	res[0] = res[1] = &r;
	check_page(res, source, 2, "page-problems.html");
	result_free(&r);
}

/* A job that became steady, one that did not, and one whose search found a depth. */
static void until(void **state)
{
	static const uint64_t iops[] = { 1000, 1020, 980, 1000 }, lat[] = { 90000, 120000 };
	static const struct result_depth_step step[] = {
		{ 0, 8, false, 4000, 3000, 500000000 },
		{ 0, 4, true, 2000, 1999, 500000000 },
		{ 1, 8, true, 4000, 4000, 500000000 },
	};
	struct result_job j[3] = { new_job("steady", 100), new_job("un<steady>", 101),
				   new_job("search", 102) };
	const struct result *res;
	struct result r;

	(void)state;
	begin(&r);
	for (unsigned i = 0; i < 3; i++)
		simple_dir(&j[i].sum, DIR_READ, 10000, 1000);
	j[0].steady = (struct result_steady){
		.on = true,
		.attained = true,
		.ss = "iops:5.000000%",
		.criterion = "2.000000%",
		.max_deviation = 20,
		.bw_mean = 4096000,
		.iops_mean = 1000,
		.samples = 4,
		.iops = iops,
		.bw = iops,
		.duration_ns = 4000000000,
		.interval_ns = 1000000000,
		.attained_ns = 12000000000,
		.range_percent = 4,
		.rise_percent = -1,
	};
	j[1].steady = (struct result_steady){
		.on = true,
		.ss = "lat_slope:1<0",
		.criterion = "30000.000000",
		.slope = 30000,
		.bw_mean = 4096000,
		.iops_mean = 1000,
		.lat_mean = 105000,
		.samples = 2,
		.iops = iops,
		.bw = iops,
		.lat = lat,
		.duration_ns = 4000000000,
		.interval_ns = 1000000000,
	};
	j[2].latency_target = (struct result_latency_target){
		.on = true,
		.found = true,
		.depth = 4,
		.iodepth = 16,
		.target_ns = 2000000,
		.window_ns = 500000000,
		.percentile = 99.9,
		.steps = step,
		.nsteps = 3,
		.left_out = 7,
		.answer = { .depth = 4,
			    .met = true,
			    .ios = 2000,
			    .within = 1999,
			    .ns = 500000000,
			    .lat_ns = 1900000 },
		.answer_iops = 4000,
	};
	for (unsigned i = 0; i < 3; i++)
		result_add_job(&r, &j[i]);
	result_finish(&r);
	res = &r;
	check_page(&res, NULL, 1, "page-until.html");
	result_free(&r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(one_job),
		cmocka_unit_test(problems),
		cmocka_unit_test(until),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
