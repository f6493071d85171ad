/* Is a comparison still the same as text, JSON and HTML? Results written by hand, compared with
   t/golden/report/compare*. UPDATE=1 rewrites these. */
#include "sample_results.h"

#include <cjson/cJSON.h>
#include "compare_report.h"
#include "rng.h"
#include "strbuf.h"

#define INTERVALS 60

/* Adds an interval with n reads whose latencies lie around `mean`. */
static void add_interval(struct series *s, uint64_t at, uint64_t n, double mean, struct rng *r)
{
	static unsigned char bytes[IVAL_BYTES(4, 1)];
	static struct hist h;
	struct moments m = { .min = UINT64_MAX };
	const struct ival head = { .first = at, .intervals = 1 };
	const struct ival_dir d = { .ios = n, .bytes = n * 4096 };
	struct ival_out o;
	struct ival v;
	size_t len;

	hist_init(&h);
	for (uint64_t i = 0; i < n; i++) {
		uint64_t ns = (uint64_t)(mean * (0.5 + rng_double(r)));

		hist_add(&h, ns);
		moments_add(&m, ns);
	}
	ival_begin(&o, bytes, sizeof(bytes), &head);
	ival_put_dir(&o, DIR_READ, &d);
	ival_put_lat(&o, LAT_CLAT, &(struct ival_lat){ .n = n, .sum = m.sum, .min = m.min, .max = m.max });
	for (unsigned i = h.lo; i <= h.hi; i++)
		if (h.n[i])
			ival_put_bin(&o, i, h.n[i]);
	len = ival_end(&o, bytes);
	assert_true(ival_read(&v, bytes, len));
	series_add(s, 0, 0, LAT_CLAT, &v);
}

/* A series of 60 intervals of 100 ms, with `ios` reads each on average. */
static void add_series(struct result *r, const char *name, uint64_t ios, double mean, uint64_t seed)
{
	const struct result_series_label label = { name, 0, 0, true };
	struct series s;
	struct rng rng;

	rng_init(&rng, seed);
	assert_int_equal(series_init(&s, 1, 100000000, 1 << 20), 0);
	for (uint64_t t = 0; t < INTERVALS; t++)
		add_interval(&s, t, ios - 10 + rng_below(&rng, 21), mean, &rng);
	result_move_series(r, &s, &label, 0);
}

static void add_device(struct result *r, const char *scheduler)
{
	struct result_device dev = { 0 };
	struct result_target t = { .path = "/mnt/f", .type = "file", .files = 1, .devs = &dev, .ndevs = 1 };

	props_text(&dev.props, "name", "sda");
	props_text(&dev.props, "scheduler", scheduler);
	result_add_target(r, &t);
	props_fini(&dev.props);
}

static void make_run(struct result *r, uint64_t ios, double mean, const char *scheduler, const char *other)
{
	static const struct result_opt option[] = { { "runtime", "6" } };
	struct result_job first = new_job("<b>reads</b>", 100), second = new_job(other, 101);

	begin(r);
	r->timestamp_ms += ios;
	first.options = option;
	first.noptions = 1;
	simple_dir(&first.sum, DIR_READ, ios * INTERVALS, 6000);
	first.sum.dir[DIR_READ].lat[LAT_CLAT].mean = mean;
	first.sum.self = (struct summary_self){ true, 500, mean / 100, 20, 0, 0 };
	for (unsigned i = 0; i < first.sum.npercentiles; i++) {
		double ns = mean * (0.5 + first.sum.percentiles[i] / 100);

		first.sum.dir[DIR_READ].lat[LAT_CLAT].value[i] = hist_mid(hist_index((uint64_t)ns));
	}
	second.group = 1;
	simple_dir(&second.sum, DIR_WRITE, 600, 6000);
	second.sum.dir[DIR_WRITE].iops_row = (struct summary_rate){ 12, 90, 110, 100, 4 };
	second.sum.dir[DIR_WRITE].bw_row = (struct summary_rate){ 12, 360, 440, 400, 16 };
	result_add_job(r, &first);
	result_add_job(r, &second);
	add_series(r, "<b>reads</b>", ios, mean, ios);
	add_device(r, scheduler);
}

struct sample {
	struct result res[4];
	const struct result *run[4];
	struct compare_cfg cfg;
	struct compare_condition condition[3];
	struct compare c;
};

static void make_cfg(struct sample *s)
{
	static const char *const text[] = { "p99 > +10%", "<b>reads</b>.iops < -5%", "cpu > +1%" };
	struct diag d = { 0 };

	s->cfg = (struct compare_cfg){ .confidence = 0.95,
				       .percentiles = { 50, 99, 99.9 },
				       .npercentiles = 3 };
	for (unsigned i = 0; i < 3; i++)
		assert_int_equal(compare_condition_parse(&s->condition[i], text[i], &d), 0);
	s->cfg.conditions = s->condition;
	s->cfg.nconditions = 3;
}

static void compare_sample(struct sample *s, size_t na, size_t nb)
{
	static const char *const source[] = { "before.json", "after & later.json", "third.json",
					      "fourth.json" };
	const struct compare_runs a = { s->run, source, na }, b = { s->run + na, source + na, nb };
	struct diag d = { 0 };

	make_cfg(s);
	for (size_t i = 0; i < 4; i++)
		s->run[i] = &s->res[i];
	if (compare_results(&s->c, &a, &b, &s->cfg, &d))
		fail_msg("%s", diag_text(&d));
}

static void fini(struct sample *s)
{
	compare_fini(&s->c);
	for (unsigned i = 0; i < 3; i++)
		compare_condition_fini(&s->condition[i]);
	for (unsigned i = 0; i < 4; i++)
		result_free(&s->res[i]);
}

/* B has 8 % fewer reads and latencies 25 % higher, on another scheduler, and another second job. */
static void two_runs(struct sample *s)
{
	memset(s, 0, sizeof(*s));
	make_run(&s->res[0], 1000, 1e5, "none", "old");
	make_run(&s->res[1], 920, 1.25e5, "bfq", "new");
	compare_sample(s, 1, 1);
}

static void four_runs(struct sample *s)
{
	memset(s, 0, sizeof(*s));
	make_run(&s->res[0], 1000, 1.00e5, "none", "writes");
	make_run(&s->res[1], 1010, 1.01e5, "none", "writes");
	make_run(&s->res[2], 900, 1.10e5, "none", "writes");
	make_run(&s->res[3], 910, 1.12e5, "none", "writes");
	compare_sample(s, 2, 2);
}

/* Reduces the page to its content: the frame and the embedded data have their own tests. */
static void cut_to_main(struct strbuf *page, struct strbuf *content)
{
	const char *from = strstr(strbuf_str(page), "<main"), *to = strstr(strbuf_str(page), "</main>");

	assert_true(from && to);
	strbuf_add(content, from, (size_t)(to - from));
	strbuf_puts(content, "</main>\n");
}

static void check_all(const struct sample *s, const char *text, const char *json, const char *html)
{
	struct strbuf b = { 0 }, page = { 0 };

	assert_int_equal(report_compare_text(&s->c, &b), 0);
	check_golden(text, &b);
	strbuf_clear(&b);
	assert_int_equal(report_compare_json(&s->c, &b), 0);
	check_golden(json, &b);
	strbuf_clear(&b);
	assert_int_equal(report_compare_html(&s->c, &page), 0);
	cut_to_main(&page, &b);
	check_golden(html, &b);
	strbuf_fini(&b);
	strbuf_fini(&page);
}

static void two_runs_are_as_committed(void **state)
{
	struct sample s;

	(void)state;
	two_runs(&s);
	check_all(&s, "compare.txt", "compare.json", "compare.html");
	fini(&s);
}

static void repeated_runs_are_as_committed(void **state)
{
	struct sample s;

	(void)state;
	four_runs(&s);
	check_all(&s, "compare_runs.txt", "compare_runs.json", "compare_runs.html");
	fini(&s);
}

/* Names with markup stay text. */
static void names_are_escaped(void **state)
{
	struct strbuf b = { 0 };
	struct sample s;

	(void)state;
	two_runs(&s);
	assert_int_equal(report_compare_html(&s.c, &b), 0);
	assert_null(strstr(strbuf_str(&b), "<b>"));
	assert_non_null(strstr(strbuf_str(&b), "&lt;b&gt;reads"));
	assert_non_null(strstr(strbuf_str(&b), "after &amp; later.json"));
	strbuf_fini(&b);
	fini(&s);
}

static const cJSON *figure_of(const cJSON *doc, const char *name)
{
	const cJSON *jobs = cJSON_GetObjectItem(cJSON_GetObjectItem(doc, "compare"), "jobs"), *f;

	cJSON_ArrayForEach(
		f, cJSON_GetObjectItem(cJSON_GetArrayItem(jobs, 0),
				       "figures")) if (!strcmp(cJSON_GetObjectItem(f, "figure")->valuestring,
							       name)) return f;
	return NULL;
}

/* The document is valid, and has the planted changes. */
static void json_is_valid(void **state)
{
	static const struct {
		const char *name;
		double change;
	} row[] = { { "read.iops", -8 }, { "read.mean", 25 }, { "read.p50", 25 }, { "read.p99", 25 } };
	struct strbuf b = { 0 };
	struct sample s;
	cJSON *doc;

	(void)state;
	two_runs(&s);
	assert_int_equal(report_compare_json(&s.c, &b), 0);
	doc = cJSON_Parse(strbuf_str(&b));
	assert_non_null(doc);
	for (unsigned i = 0; i < 4; i++) {
		const cJSON *f = figure_of(doc, row[i].name);

		assert_non_null(f);
		assert_true(cJSON_IsTrue(cJSON_GetObjectItem(f, "shown")));
		assert_true(cJSON_GetObjectItem(f, "low_percent")->valuedouble < row[i].change + 0.5);
		assert_true(cJSON_GetObjectItem(f, "high_percent")->valuedouble > row[i].change - 0.5);
	}
	cJSON_Delete(doc);
	strbuf_fini(&b);
	fini(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(two_runs_are_as_committed),
		cmocka_unit_test(repeated_runs_are_as_committed),
		cmocka_unit_test(names_are_escaped),
		cmocka_unit_test(json_is_valid),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
