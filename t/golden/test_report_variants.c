/* Are variants of a report still the same: json+, directions joined or beside each other, idle CPUs, fio's
   name, other units, figures of each width, and 500 jobs? Compared with committed copies. */
#include <math.h>
#include "hosts.h"
#include "sample_results.h"
#include "strbuf.h"

#include <ctype.h>

typedef int report_fn(const struct result *r, struct strbuf *b);

static int report_terse_5(const struct result *r, struct strbuf *b)
{
	return report_terse(r, 5, b);
}

/* ---- variants ---- */

static void set_samples(struct summary_dir *d, double kib, double ios)
{
	d->bw_row = (struct summary_rate){ 4, kib - 8, kib + 8, kib + 0.25, 6.5 };
	d->iops_row = (struct summary_rate){ 4, ios - 2, ios + 2, ios + 0.25, 1.5 };
}

static void set_sync(struct summary *s)
{
	s->sync_ios = 20;
	s->sync = lat_ns(20, 14000, 900000, 27203.5, 5781.25);
	s->sync.percentiles = true;
	for (unsigned i = 0; i < s->npercentiles; i++)
		s->sync.value[i] = 15000 + 1000 * i;
}

static struct result_job mixed_job(void)
{
	struct result_job j = new_job("mix", 100);

	simple_dir(&j.sum, DIR_READ, 7000, 1000);
	simple_dir(&j.sum, DIR_WRITE, 3000, 1000);
	set_samples(&j.sum.dir[DIR_READ], 28000, 7000);
	set_samples(&j.sum.dir[DIR_WRITE], 12000, 3000);
	set_sync(&j.sum);
	return j;
}

static void make_none(struct result *r)
{
	struct result_job j = mixed_job();

	result_add_job(r, &j);
}

/* unified_rw_reporting=mixed: the snapshot has joined all directions. */
static void make_mixed(struct result *r)
{
	struct result_job j = new_job("mix", 100);

	j.mixed = true;
	simple_dir(&j.sum, DIR_READ, 10000, 1000);
	set_samples(&j.sum.dir[DIR_READ], 40000, 10000);
	result_add_job(r, &j);
}

static void make_both(struct result *r)
{
	static const uint64_t ns[] = { 30080 }, count[] = { 10000 };
	struct result_job j = mixed_job(), all = new_job("all", 100);

	simple_dir(&all.sum, DIR_READ, 10000, 1000);
	set_samples(&all.sum.dir[DIR_READ], 40000, 10000);
	j.both = true;
	j.sum_both = all.sum.dir[DIR_READ];
	j.bins_both[LAT_CLAT] = (struct result_bins){ ns, count, 1 };
	result_add_job(r, &j);
}

/* Counts that no double holds, bins of a latency without percentiles, two priorities, and a low rate. */
static void make_counts(struct result *r)
{
	static const uint64_t ns[] = { 30080, 45312 }, count[] = { 1, 2 };
	struct result_job j = mixed_job();
	struct result_prio prio[2] = { { .counts = { 1, 2, 2, 2, 4, 0 } },
				       { .sum = { .class = 1 }, .counts = { 2, 3, 9, 12, 90, 0 } } };
	struct result_counts *c = &j.counts;

	c->known = c->exact = true;
	c->dir[DIR_READ] = (struct wstat_dir){ .ios = UINT64_MAX, .bytes = (1ull << 53) + 1, .short_ios = 3 };
	c->dir[DIR_READ].lat[LAT_CLAT] =
		(struct moments){ UINT64_MAX, 1, 1ull << 45, UINT64_MAX - 1, UINT64_MAX, UINT64_MAX };
	c->dir[DIR_READ].lat[LAT_LAT] = (struct moments){ 3, 30000, 45000, 120000, 0, 1 };
	c->dir[DIR_SYNC].lat[LAT_CLAT] = (struct moments){ 1, 7, 7, 7, 49, 0 };
	c->dir[DIR_SYNC].ios = 1;
	c->cnt.runtime_ns[DIR_READ] = c->cnt.job_runtime_ns = 1000000001;
	c->cnt.depth[6] = 5;
	c->cnt.unissued[DIR_WRITE] = 2;
	c->bw[DIR_READ] = (struct samples){ 3, 0.1, 1.0 / 3, 0.1 + 0.2, 12345678901234568 };
	c->cfg = (struct summary_cfg){ .npercentiles = 2, .percentiles = { 50, 99.99999999 } };
	c->cfg.disabled[LAT_SLAT] = c->cfg.percentiles_of[LAT_RESP] = true;
	j.bins[DIR_READ][LAT_LAT] = (struct result_bins){ ns, count, 2 };
	j.prios[DIR_READ] = prio;
	j.nprios[DIR_READ] = 2;
	result_add_job(r, &j);
}

static void make_plus(struct result *r)
{
	static const uint64_t ns[] = { 127, 30080, 45312, 90624 }, count[] = { 1, 4000, 2900, 99 };
	static const uint64_t sync_ns[] = { 16000 }, sync_count[] = { 20 };
	struct result_job j = mixed_job();

	j.bins[DIR_READ][LAT_CLAT] = (struct result_bins){ ns, count, 4 };
	j.bins[DIR_READ][LAT_LAT] = (struct result_bins){ ns + 1, count + 1, 3 };
	j.bins[DIR_SYNC][LAT_CLAT] = (struct result_bins){ sync_ns, sync_count, 1 };
	j.sum.dir[DIR_READ].lat[LAT_LAT].percentiles = j.sum.print_percentiles[LAT_LAT] = true;
	result_add_job(r, &j);
}

static void make_idle(struct result *r)
{
	struct result_cpu cpu[] = { { 0, 39.66 }, { 1, 76.88 } };
	struct result_idle idle = { .on = true, .system = 58.27, .ncpus = 2, .cpus = cpu };

	idle.unit_mean_us = 42.66;
	idle.unit_stddev_us = 1.21;
	make_none(r);
	result_set_idle(r, &idle);
}

/* Two ranks of fiord-mpi, one of them late, and one without a result. */
static void make_hosts(struct result *r)
{
	static const struct result_host_wave on_time[] = { { 0, true, 0, 20120, 10000123456 } };
	static const struct result_host_wave late[] = { { 0, true, 0, 80450, 14200123456 } };
	static const char *const name[] = { "n1", "n2", "All clients" };

	r->client_stats = true;
	for (unsigned i = 0; i < 3; i++) {
		struct result_job j = new_job(i < 2 ? "a" : name[i], 100);

		simple_dir(&j.sum, DIR_READ, i < 2 ? 10000 : 20000, 1000);
		j.hostname = i < 2 ? name[i] : NULL;
		if (i == 1) {
			j.error = ENOSPC;
			j.error_text = "/mnt/f, write at offset 0, No space left (ENOSPC)";
		}
		j.notes = (struct notes){ 0 };
		notes_add(&j.notes, "the kernel reads ahead");
		if (i == 1)
			notes_add(&j.notes, "a note of one host");
		result_add_job(r, &j);
		notes_fini(&j.notes);
	}
	result_add_host(
		r,
		&(struct result_host){
			.hostname = "n1", .waves = on_time, .nwaves = 1, .ios = 10000, .bytes = 40960000 });
	result_add_host(
		r, &(struct result_host){ .hostname = "n2",
					  .rank = 1,
					  .waves = late,
					  .nwaves = 1,
					  .ios = 10000,
					  .bytes = 40960000,
					  .code = 4,
					  .error = "a: /mnt/f, write at offset 0, No space left (ENOSPC)" });
	result_add_host(r, &(struct result_host){
				   .hostname = "n3", .rank = 2, .code = 1, .error = "it has no result" });
}

/* Under fio's name the document has no fiord key; the text keeps its notes. */
static void make_as_fio(struct result *r)
{
	struct result_disk vda = {
		.name = "vda",
		.counts = { { 7000, 3000 }, { 56000, 24000 }, { 1, 2 }, { 310, 60 }, 370, 71.5 }
	};

	r->as_fio = true;
	make_none(r);
	r->jobs[0]->sum.self = (struct summary_self){ .known = true, .user_ns = 80 };
	r->jobs[0]->verify = (struct result_verify){ .on = true, .checked = 3000, .known_by = "seeds" };
	result_add_disk(r, &vda);
	result_note(r, "%s", "runtime=10sec is taken for 10 us");
}

/* unit_base=1, kb_base=1000, significant_figures=6. */
static void make_units(struct result *r)
{
	struct result_job j = mixed_job();

	j.units = (struct result_units){ .kb_base = 1000, .figures = 6, .bits = true };
	result_add_job(r, &j);
}

/* ---- widths ---- */

/* clang-format off */
static const struct {
	const char *name;
	uint64_t ios, bytes, runtime_ms, lat_min, lat_max;
	double lat_mean, lat_stddev;
} widths[] = {
	{ "one-byte",  1, 1, 1,                                       1, 1, 1, 0 },
	{ "bytes",     999, 999, 1000,                                9, 999, 99.5, 9.25 },
	{ "kilo",      1000, 1000000, 1000,                           999, 99999, 2000, 999.99 },
	{ "usec",      9999, 40955904, 1000,                          2001, 100000, 3000.5, 1000.5 },
	{ "msec",      10000, 10240000000, 10000,                     2000001, 100000000, 3000000.5, 1000000.5 },
	{ "seconds",   10, 1ull << 40, 999999,                        999999999, 60000000000, 5e9, 1e9 },
	{ "most-ios",  12345678901, 12345678901ull * 512, 3600000,    100, 99999999, 291.5, 12345.6 },
	{ "peta",      244140625000, 1000000000000000, 86400000,      1234, 17179869184, 353.89, 99.125 },
	{ "exa",       1ull << 40, 1ull << 62, 1,                     1, UINT64_MAX, 1e18, 9.87654321e17 },
};
/* clang-format on */

static void make_widths(struct result *r)
{
	for (size_t i = 0; i < sizeof(widths) / sizeof(widths[0]); i++) {
		struct result_job j = new_job(widths[i].name, 100 + (int)i);
		struct summary_dir *d = &j.sum.dir[i % 2 ? DIR_WRITE : DIR_READ];

		set_rates(d, widths[i].ios, widths[i].bytes, widths[i].runtime_ms);
		d->lat[LAT_CLAT] = lat_ns(widths[i].ios, 0, 0, widths[i].lat_mean, widths[i].lat_stddev);
		d->lat[LAT_CLAT].min = widths[i].lat_min;
		d->lat[LAT_CLAT].max = widths[i].lat_max;
		d->lat[LAT_CLAT].percentiles = true;
		for (unsigned p = 0; p < j.sum.npercentiles; p++)
			d->lat[LAT_CLAT].value[p] = p < 9 ? widths[i].lat_min : widths[i].lat_max;
		d->lat[LAT_LAT] = d->lat[LAT_CLAT];
		d->lat[LAT_LAT].percentiles = false;
		set_samples(d, (double)(d->bw_bytes / 1024 + 8), floor(d->iops) + 2);
		j.sum.depth[6] = j.sum.submit[6] = j.sum.complete[6] = 100;
		j.sum.ctx = j.sum.minf = widths[i].ios;
		j.sum.usr_cpu = (double)i * 100.125;
		result_add_job(r, &j);
	}
}

/* The reads of one interval, all with one latency, as a worker's track would record them. */
static void add_interval(struct series *s, uint64_t first, uint64_t span, uint64_t ios, uint64_t errors,
			 bool resp)
{
	const struct ival head = { .first = first, .intervals = span, .part_ns = span ? 0 : 50000000 };
	const struct ival_dir d = { .ios = ios, .bytes = ios * 4096, .errors = errors };
	const struct ival_lat l = { .n = ios, .sum = ios * 2000 + ios / 2, .min = 1990, .max = 2010 };
	const struct ival_lat late = { .n = ios, .sum = ios * 3000000, .min = 2999999, .max = 3000001 };
	unsigned char buf[300];
	struct ival_out o;
	struct ival v;

	ival_begin(&o, buf, sizeof(buf), &head);
	if (ios || errors)
		ival_put_dir(&o, DIR_READ, &d);
	if (ios) {
		ival_put_lat(&o, LAT_CLAT, &l);
		ival_put_bin(&o, hist_index(1990), ios / 2);
		ival_put_bin(&o, hist_index(2010), ios - ios / 2);
	}
	if (ios && resp) {
		ival_put_lat(&o, LAT_RESP, &late);
		ival_put_bin(&o, hist_index(3000000), ios);
	}
	assert_true(ival_read(&v, buf, ival_end(&o, buf)));
	series_add(s, 0, 20, LAT_CLAT, &v);
}

/* A job that has a rate from its second interval on. */
static void make_series_rate(struct result *r)
{
	static const struct result_series_label of[] = { { "rated", 0, 0, true } };
	struct result_job j = mixed_job();
	struct series s;

	assert_int_equal(series_init(&s, 1, 100000000, 1 << 20), 0);
	add_interval(&s, 0, 1, 2, 0, false);
	add_interval(&s, 1, 1, 3, 0, true);
	result_add_job(r, &j);
	result_move_series(r, &s, of, 1700000000000);
	r->series.on = true;
}

/* --series: I/O, silence, only errors, a partial interval; a group that never began; one that is not in the
 * report. */
static void make_series(struct result *r)
{
	const struct result_series_label of[] = { { "over\"time", 0, 0, true },
						  { "never", 1, 0, true },
						  { "untold", 2, 0, false } };
	struct result_job j = mixed_job();
	struct series s;

	assert_int_equal(series_init(&s, 3, 100000000, 1 << 20), 0);
	add_interval(&s, 0, 1, 1001, 0, false);
	add_interval(&s, 1, 2, 0, 0, false);
	add_interval(&s, 3, 1, 0, 2, false);
	add_interval(&s, 4, 0, 1, 0, false);
	result_add_job(r, &j);
	result_move_series(r, &s, of, 1700000000000);
	r->series.on = true;
}

static const struct form {
	const char *name;
	void (*make)(struct result *r);
} forms[] = {
	{ "unified-none", make_none },       { "unified-mixed", make_mixed }, { "unified-both", make_both },
	{ "json-plus", make_plus },          { "idle-prof", make_idle },      { "as-fio", make_as_fio },
	{ "counts", make_counts },           { "units", make_units },         { "series", make_series },
	{ "series-rate", make_series_rate }, { "hosts", make_hosts },         { "widths", make_widths },
};
#define FORMS (sizeof(forms) / sizeof(forms[0]))

static void make(struct result *r, const struct form *f)
{
	begin(r);
	f->make(r);
	result_finish(r);
	assert_false(r->failed);
}

static void check_form(const struct form *f, report_fn *report, const char *suffix)
{
	struct strbuf b = { 0 };
	struct result r;
	char name[64];

	make(&r, f);
	assert_int_equal(report(&r, &b), 0);
	snprintf(name, sizeof(name), "%s.%s", f->name, suffix);
	check_golden(name, &b);
	strbuf_fini(&b);
	result_free(&r);
}

static void forms_are_as_committed(void **state)
{
	(void)state;
	for (size_t i = 0; i < FORMS; i++) {
		check_form(&forms[i], report_normal, "txt");
		check_form(&forms[i], report_json, "json");
		check_form(&forms[i], report_terse_5, "terse");
	}
}

/* ---- rules for all numbers ---- */

/* A number is an integer of at most 64 bits, or has a point and six decimals, and never an exponent. */
static void check_number(const char *text, size_t len, const char *where)
{
	size_t whole = 0;

	if (len && *text == '-')
		text++, len--;
	while (whole < len && isdigit((unsigned char)text[whole]))
		whole++;
	if (!whole || (whole > 1 && *text == '0'))
		fail_msg("%s: %.*s is no number", where, (int)len, text);
	if (whole == len) {
		errno = 0;
		strtoull(text, NULL, 10);
		assert_int_equal(errno, 0);
		return;
	}
	if (text[whole] != '.' || len - whole != 7 || strspn(text + whole + 1, "0123456789") < 6)
		fail_msg("%s: %.*s has no six decimals", where, (int)len, text);
}

/* Reads lines of the form `"key" : VALUE,`. */
static void check_numbers(const char *json, const char *where)
{
	for (const char *line = json; *line; line += strcspn(line, "\n"), line += *line == '\n') {
		const char *value = line + strspn(line, " ");
		size_t len = strcspn(line, "\n") - (size_t)(value - line);

		if (*value == '"') {
			value = memmem(value, len, "\" : ", 4);
			if (!value)
				continue;
			value += 4;
			len = strcspn(value, "\n");
		}
		len -= len && value[len - 1] == ',';
		if (len && !strchr("\"{}[]tf", *value))
			check_number(value, len, where);
	}
}

static void numbers_are_whole_or_have_six_decimals(void **state)
{
	(void)state;
	for (size_t i = 0; i < FORMS; i++) {
		struct strbuf b = { 0 };
		struct result r;

		make(&r, &forms[i]);
		assert_int_equal(report_json(&r, &b), 0);
		check_numbers(strbuf_str(&b), forms[i].name);
		strbuf_fini(&b);
		result_free(&r);
	}
}

static void json_has_64_bit_numbers(void **state)
{
	struct strbuf b = { 0 };
	struct result r;

	(void)state;
	make(&r, &forms[FORMS - 1]);
	assert_int_equal(report_json(&r, &b), 0);
	assert_non_null(strstr(strbuf_str(&b), "\"io_bytes\" : 1000000000000000,"));
	assert_non_null(strstr(strbuf_str(&b), "\"io_bytes\" : 4611686018427387904,"));
	assert_non_null(strstr(strbuf_str(&b), "\"max\" : 18446744073709551615,"));
	strbuf_fini(&b);
	result_free(&r);
}

/* fio's output is read on 80 columns, so the lines of percentiles end before that. */
static void cells_fit_the_terminal(void **state)
{
	struct strbuf b = { 0 };
	struct result r;

	(void)state;
	make(&r, &forms[FORMS - 1]);
	assert_int_equal(report_normal(&r, &b), 0);
	for (const char *line = strbuf_str(&b); *line; line += strcspn(line, "\n") + 1) {
		if (!strncmp(line, "     |", 6) || !strncmp(line, "  lat (", 7))
			assert_true(strcspn(line, "\n") <= 80);
	}
	strbuf_fini(&b);
	result_free(&r);
}

/* ---- many jobs ---- */

#define MANY 500

static unsigned count(const char *text, const char *what)
{
	unsigned n = 0;

	for (const char *at = text; (at = strstr(at, what)); at++)
		n++;
	return n;
}

/* Each job is there, in order and complete, and the group adds up all of them. */
static void five_hundred_jobs(void **state)
{
	struct strbuf text = { 0 }, json = { 0 }, terse = { 0 };
	struct result r;

	(void)state;
	begin(&r);
	for (unsigned i = 0; i < MANY; i++) {
		struct result_job j = new_job("many", 1000 + (int)i);

		simple_dir(&j.sum, DIR_READ, 1000 + i, 1000);
		result_add_job(&r, &j);
	}
	result_finish(&r);
	assert_int_equal(report_normal(&r, &text), 0);
	assert_int_equal(report_json(&r, &json), 0);
	assert_int_equal(report_terse(&r, 3, &terse), 0);
	assert_int_equal(count(strbuf_str(&text), "\nmany: (groupid=0, jobs=1): err= 0: pid=1"), MANY);
	assert_int_equal(count(strbuf_str(&text), "Run status group"), 1);
	/* 500 * 1000 + 499 * 500 / 2 I/Os of 4 KiB in a second. */
	assert_non_null(strstr(strbuf_str(&text), "   READ: bw=2440MiB/s (2559MB/s), 4000KiB/s-5996KiB/s"));
	assert_int_equal(count(strbuf_str(&json), "\"jobname\" : \"many\""), MANY);
	assert_non_null(strstr(strbuf_str(&json), "\"total_ios\" : 1499,"));
	check_numbers(strbuf_str(&json), "500 jobs");
	assert_int_equal(count(strbuf_str(&terse), "\n"), MANY);
	assert_int_equal(count(strbuf_str(&terse), ";"), MANY * 120);
	strbuf_fini(&text);
	strbuf_fini(&json);
	strbuf_fini(&terse);
	result_free(&r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(forms_are_as_committed),
		cmocka_unit_test(numbers_are_whole_or_have_six_decimals),
		cmocka_unit_test(json_has_64_bit_numbers),
		cmocka_unit_test(cells_fit_the_terminal),
		cmocka_unit_test(five_hundred_jobs),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
