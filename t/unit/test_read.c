/* Does a document become the result that it describes, and is a bad one refused with one line? The figures
   that are expected stand in the documents of the table, or are computed by hand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>
#include "read.h"
#include "strbuf.h"

#define COUNT(a)        (sizeof(a) / sizeof(*(a)))
#define JOB(members)    "{\"jobs\":[{\"jobname\":\"a\"," members "}]}"
#define LAT(members)    JOB("\"read\":{\"total_ios\":4,\"clat_ns\":{" members "}}")
#define SERIES(members) "{\"jobs\":[],\"fiord\":{\"series\":{" members "}}}"

static struct result_set set;
static struct diag diag;

static int read_text(const char *text)
{
	result_set_free(&set);
	diag_fini(&diag);
	return result_read(&set, "f", text, strlen(text), &diag);
}

static const struct result_job *read_job(const char *text)
{
	if (read_text(text))
		fail_msg("%s: %s", text, diag_text(&diag));
	assert_int_equal(set.n, 1);
	assert_true(set.res[0]->njobs > 0);
	return set.res[0]->jobs[0];
}

static int cleanup(void **state)
{
	(void)state;
	result_set_free(&set);
	diag_fini(&diag);
	return 0;
}

/* ---- what is refused ---- */

static void bad_documents(void **state)
{
	static const struct {
		const char *text, *message;
	} rows[] = {
		{ "", "f: the file is empty" },
		{ "text\nmore\n", "f: this is not a result of fiord or fio" },
		{ "{\"a\":1}", "f: this is not a result of fiord or fio: it has no \"jobs\"" },
		{ "[1]", "f: this is not a result of fiord or fio" },
		{ "\n{\"jobs\":[\n", "f: line 3: the text ends too early" },
		{ "{\"jobs\":{}}", "f: jobs: this is not an array" },
		{ "{\"jobs\":[7]}", "f: jobs[0]: this is not an object" },
		{ "{\"jobs\":[{}]}", "f: jobs[0]: there is no \"read\", \"write\", \"trim\" or \"mixed\"" },
		{ JOB("\"read\":[]"), "f: jobs[0].read: this is not an object" },
		{ JOB("\"read\":{\"total_ios\":-1}"),
		  "f: jobs[0].read.total_ios: -1 is not a whole number of 0 or more" },
		{ JOB("\"read\":{\"total_ios\":1e400}"), "f: jobs[0].read.total_ios: 1e400 is too large" },
		{ JOB("\"read\":{\"total_ios\":18446744073709551615}"),
		  "f: jobs[0].read: io_bytes or total_ios is too large" },
		{ JOB("\"read\":{\"iops\":\"x\"}"), "f: jobs[0].read.iops: this is not a number" },
		{ JOB("\"read\":{\"iops\":-2}"), "f: jobs[0].read.iops: this is negative" },
		{ JOB("\"read\":{\"iops\":NaN}"), "f: line 1: this is not a JSON value" },
		{ JOB("\"read\":{\"runtime\":99999999999999}"),
		  "f: jobs[0].read.runtime: this is too large" },
		{ JOB("\"read\":{},\"groupid\":4294967296"), "f: jobs[0].groupid: 4294967296 is too large" },
		{ JOB("\"read\":{},\"error\":1.5"), "f: jobs[0].error: this is not a whole number" },
		{ JOB("\"read\":{},\"error\":1e300"), "f: jobs[0].error: 1e300 is too large" },
		{ JOB("\"read\":{},\"error\":-2147483649"), "f: jobs[0].error: this is too large" },
		{ JOB("\"read\":{},\"desc\":1"), "f: jobs[0].desc: this is not a string" },
		{ LAT("\"N\":4,\"min\":5,\"max\":4"), "f: jobs[0].read.clat_ns: min is larger than max" },
		{ LAT("\"N\":4,\"bins\":{\"1\":18446744073709551615,\"2\":1}"),
		  "f: jobs[0].read.clat_ns.bins: the sum of the counts is too large" },
		{ LAT("\"N\":4,\"bins\":{\"x\":1}"), "f: jobs[0].read.clat_ns.bins: this is not a number" },
		{ LAT("\"N\":4,\"steps\":[5]"),
		  "f: jobs[0].read.clat_ns.steps: these are not possible steps between buckets" },
		{ LAT("\"N\":4,\"steps\":[2559,1,1,1]"),
		  "f: jobs[0].read.clat_ns.steps: these are not possible steps between buckets" },
		{ LAT("\"N\":4,\"steps\":[5,\"x\"]"), "f: jobs[0].read.clat_ns.steps: this is not a number" },
		{ LAT("\"N\":4,\"percentile\":{\"101.0\":1}"),
		  "f: jobs[0].read.clat_ns.percentile: a percentile is not between 0 and 100" },
		{ LAT("\"N\":4,\"percentile\":{\"9.0\":1,\"5.0\":1}"),
		  "f: jobs[0].read.clat_ns.percentile: the percentiles are not in ascending order" },
		{ SERIES("\"interval_ms\":0"),
		  "f: fiord.series.interval_ms: this is not a possible length of an interval" },
		{ SERIES("\"interval_ms\":1152921504606846976"),
		  "f: fiord.series.interval_ms: this is not a possible length of an interval" },
		{ SERIES("\"interval_ms\":1,\"groups\":[{\"intervals\":1152921504606846976}]"),
		  "f: fiord.series: there are too many intervals" },
		{ SERIES("\"interval_ms\":1,\"groups\":[{\"intervals\":3,\"read\":{\"ios\":[1,2]}}]"),
		  "f: fiord.series.series[0].read.ios: the number of elements is not \"intervals\"" },
		{ "<html></html>", "f: the page has no data of fiord" },
		{ "<script id=\"fiord-data\" data-encoding=\"zlib+base64\">AAAA</script>",
		  "f: the data in the page are damaged" },
		{ "<script id=\"fiord-data\" data-encoding=\"zlib+base64\">!</script>",
		  "f: the data in the page are not base64" },
		{ "<script id=\"fiord-data\" data-encoding=\"zlib+base64\">AAAA",
		  "f: the data in the page end too early" },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++) {
		assert_true(read_text(rows[i].text) < 0);
		assert_string_equal(diag_text(&diag), rows[i].message);
		assert_int_equal(set.n, 0);
	}
}

static void bad_text_leaves_the_set(void **state)
{
	struct diag d = { 0 };
	const char good[] = JOB("\"read\":{}"), half[] = JOB("\"read\":{}") "\n{\"jobs\":";

	(void)state;
	assert_int_equal(read_text(good), 0);
	assert_true(result_read(&set, "half", half, strlen(half), &d) < 0);
	assert_string_equal(diag_text(&d), "half: line 2: the text ends too early");
	assert_int_equal(set.n, 1);
	assert_string_equal(set.source[0], "f");
	diag_fini(&d);
}

static void bad_files(void **state)
{
	static const struct {
		const char *path, *message;
	} rows[] = {
		{ "/nonexistent", "/nonexistent: No such file or directory (ENOENT)" },
		{ "/", "/: Is a directory (EISDIR)" },
		{ "/dev/zero", "/dev/zero: this is not text" },
		{ "/dev/null", "/dev/null: the file is empty" },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++) {
		cleanup(NULL);
		assert_true(result_read_file(&set, rows[i].path, &diag) < 0);
		assert_string_equal(diag_text(&diag), rows[i].message);
	}
}

/* ---- several documents ---- */

static void documents_in_one_file(void **state)
{
	static const struct {
		const char *text;
		size_t n;
	} rows[] = {
		{ "{\"jobs\":[]}", 1 },
		{ "{\"jobs\":[]}{\"jobs\":[]}", 2 },
		{ "note: [x] {\n{\"jobs\":[]}\nfio: terminating on signal 2\n\n{\"jobs\":[]}\nbye {", 2 },
		{ "[{\"jobs\":[]},\n{\"client_stats\":[]},{\"jobs\":[]}]", 3 },
		{ "\xEF\xBB\xBF{\"jobs\":[]}", 1 },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++) {
		if (read_text(rows[i].text))
			fail_msg("%s: %s", rows[i].text, diag_text(&diag));
		assert_int_equal(set.n, rows[i].n);
	}
	assert_string_equal(set.source[0], "f");
	read_text(rows[1].text);
	assert_string_equal(set.source[1], "f, document 2");
}

/* ---- figures ---- */

static void figures_are_taken(void **state)
{
	const struct result_job *j = read_job(
		"{\"fio version\":\"fio-3.33\",\"timestamp_ms\":5,\"global "
		"options\":{\"bs\":\"8k\",\"rw\":\"read\"},"
		"\"jobs\":[{\"jobname\":\"a\",\"groupid\":2,\"error\":5,\"eta\":2147483647,\"elapsed\":9,"
		"\"job options\":{\"rw\":\"randread\",\"x\":\"\"},"
		"\"read\":{\"io_bytes\":4096,\"total_ios\":4,\"bw_bytes\":2048,\"iops\":2.5,\"runtime\":2000,"
		"\"clat_ns\":{\"N\":4,\"min\":10,\"max\":40,\"mean\":25.0,\"stddev\":12.909944,"
		"\"percentile\":{\"50.000000\":20,\"99.000000\":40}},"
		"\"bw_min\":1,\"bw_max\":3,\"bw_agg\":77.5,\"bw_mean\":2.5,\"bw_dev\":0.5,\"bw_samples\":4},"
		"\"write\":{},\"trim\":{},\"sync\":{\"total_ios\":3,\"lat_ns\":{\"N\":3,\"mean\":7,\"min\":7,"
		"\"max\":7}},"
		"\"job_runtime\":2000,\"usr_cpu\":1.5,\"ctx\":6,\"iodepth_level\":{\"1\":100.0},"
		"\"latency_ns\":{\"20\":50.0},\"latency_depth\":8,\"desc\":\"d\"}],"
		"\"disk_util\":[{\"name\":\"sda\",\"read_ios\":3,\"util\":1.5,\"aggr_read_ios\":9,\"aggr_"
		"util\":2.5}]}");
	const struct result *r = set.res[0];
	const struct summary_dir *d = &j->sum.dir[DIR_READ];
	const struct moments *m = &j->counts.dir[DIR_READ].lat[LAT_CLAT];

	(void)state;
	assert_true(r->as_fio);
	assert_string_equal(r->program, "fio");
	assert_string_equal(r->fio_version, "3.33");
	assert_int_equal(r->timestamp_ms, 5);
	assert_string_equal(r->globals[0].value, "8k");
	assert_string_equal(j->rw, "randread");
	assert_string_equal(j->bs, "8k");
	assert_string_equal(j->options[1].name, "x");
	assert_int_equal(j->group, 2);
	assert_int_equal(j->error, 5);
	assert_false(j->eta_known);
	assert_int_equal(d->ios, 4);
	assert_int_equal(d->bytes, 4096);
	assert_int_equal(d->runtime_ns, 2000000000);
	assert_true(d->iops == 2.5 && d->bw_share == 77.5 && d->bw_row.mean == 2.5);
	assert_int_equal(j->sum.npercentiles, 2);
	assert_int_equal(d->lat[LAT_CLAT].value[1], 40);
	assert_true(j->sum.print_percentiles[LAT_CLAT]);
	assert_int_equal(j->sum.sync_ios, 3);
	assert_true(j->sum.depth[0] == 100 && j->sum.lat_ns[4 - 1] == 50);
	assert_int_equal(j->iodepth, 8);
	assert_int_equal(r->disks[0].members, 1);
	assert_int_equal(r->disks[0].aggr.ios[0], 9);
	assert_int_equal(r->ngroups, 1);
	/* 10 20 30 40: the sum is 100, that of the squares 3000. */
	assert_true(j->counts.known && !j->counts.exact);
	assert_int_equal(m->sum, 100);
	assert_int_equal(m->sq_lo, 3000);
	assert_int_equal(j->counts.cnt.user_us, 30000);
}

static void directions(void **state)
{
	const struct result_job *j = read_job(JOB("\"mixed\":{\"total_ios\":3}"));

	(void)state;
	assert_true(j->mixed && !j->both);
	assert_int_equal(j->sum.dir[DIR_READ].ios, 3);
	j = read_job(
		JOB("\"read\":{\"total_ios\":1},\"write\":{\"total_ios\":2},\"mixed\":{\"total_ios\":3}"));
	assert_true(!j->mixed && j->both);
	assert_int_equal(j->sum.dir[DIR_READ].ios, 1);
	assert_int_equal(j->sum_both.ios, 3);
}

static void clients(void **state)
{
	(void)state;
	assert_int_equal(read_text("{\"client_stats\":[{\"jobname\":\"a\",\"hostname\":\"h\",\"read\":{}},"
				   "{\"jobname\":\"All clients\",\"hostname\":\"h\",\"read\":{}}]}"),
			 0);
	assert_true(set.res[0]->client_stats);
	assert_string_equal(set.res[0]->jobs[0]->hostname, "h");
	assert_null(set.res[0]->jobs[1]->hostname);
}

#define HOSTS(second)                                                                                        \
	"{\"global options\":[{\"hostname\":\"g\",\"port\":8765,\"bs\":\"4k\",\"size\":\"1g\"}," second "]," \
	"\"client_stats\":[]}"

/* The array of fio 3.39 with two hosts. */
static void globals_of_hosts(void **state)
{
	(void)state;
	assert_int_equal(read_text(HOSTS("{\"hostname\":\"h\",\"port\":8766,\"bs\":\"4k\",\"size\":\"1g\"}")),
			 0);
	assert_int_equal(set.res[0]->nglobals, 2);
	assert_string_equal(set.res[0]->globals[0].name, "bs");
	assert_string_equal(set.res[0]->globals[1].value, "1g");
	assert_int_equal(read_text(HOSTS("{\"hostname\":\"h\",\"port\":8766,\"bs\":\"8k\",\"size\":\"1g\"}")),
			 0);
	assert_int_equal(set.res[0]->nglobals, 0);
	assert_int_equal(read_text(HOSTS("7")), -EINVAL);
}

static void bins(void **state)
{
	const struct result_job *j =
		read_job(LAT("\"N\":4,\"max\":999,\"bins\":{\"900\":1,\"7\":2,\"901\":1}"));
	const struct result_bins *b = &j->bins[DIR_READ][LAT_CLAT];

	/* 900 and 901 lie in one bucket, from 896 to 903, whose midpoint is 900. */
	(void)state;
	assert_int_equal(b->n, 2);
	assert_int_equal(b->ns[0], 7);
	assert_int_equal(b->count[0], 2);
	assert_int_equal(b->ns[1], 900);
	assert_int_equal(b->count[1], 2);
	/* A page has steps between buckets: 900 lies in bucket 128 + 2 * 64 + (900 - 512) / 8. */
	j = read_job(LAT("\"N\":4,\"max\":999,\"steps\":[7,2,297,2]"));
	b = &j->bins[DIR_READ][LAT_CLAT];
	assert_int_equal(b->n, 2);
	assert_int_equal(b->ns[0], 7);
	assert_int_equal(b->count[0], 2);
	assert_int_equal(b->ns[1], 900);
	assert_int_equal(b->count[1], 2);
	j = read_job(LAT("\"N\":4,\"max\":9,\"bins\":{\"7\":3}"));
	assert_int_equal(j->bins[DIR_READ][LAT_CLAT].n, 0);
	assert_string_equal(j->notes.line[0],
			    "The bins of jobs[0].read.clat_ns do not add up to its N, and are left out.");
}

#define STEP(lat)                                                                                           \
	JOB("\"read\":{\"total_ios\":4},\"fiord\":{\"rate_steps\":{\"unit\":\"ios\",\"steps\":[{\"start_"   \
	    "ns\":0,"                                                                                       \
	    "\"length_ns\":9,\"read\":{\"rate\":5,\"total_ios\":4,\"clat_ns\":{\"N\":4,\"min\":10,\"max\":" \
	    "40,"                                                                                           \
	    "\"mean\":25," lat "}}}]}}")

/* The sum of four latencies from 10 to 40 lies between 40 and 160. */
static void rate_steps(void **state)
{
	const struct result_job *j = read_job(STEP("\"sum\":160"));

	(void)state;
	assert_int_equal(j->rate_steps.steps[0].dir[DIR_READ].lat[STEP_CLAT].sum.sum, 160);
	assert_int_equal(j->notes.count, 0);
	j = read_job(STEP("\"sum\":40"));
	assert_int_equal(j->rate_steps.steps[0].dir[DIR_READ].lat[STEP_CLAT].sum.n, 4);
	j = read_job(STEP("\"sum\":161"));
	assert_int_equal(j->rate_steps.steps[0].dir[DIR_READ].ios, 4);
	assert_int_equal(j->rate_steps.steps[0].dir[DIR_READ].lat[STEP_CLAT].sum.n, 0);
	assert_string_equal(j->notes.line[0], "The figures of jobs[0].fiord.rate_steps.steps[0].read.clat_ns "
					      "contradict each other, and are left out.");
	j = read_job(STEP("\"sum\":9223372036854775808"));
	assert_int_equal(j->rate_steps.steps[0].dir[DIR_READ].lat[STEP_CLAT].sum.n, 0);
}

#define COUNTS(ios, sum, sq)                                                                           \
	JOB("\"read\":{\"total_ios\":4,\"clat_ns\":{\"N\":4,\"min\":10,\"max\":40,\"mean\":25.1}},"    \
	    "\"fiord\":{\"counts\":{\"read\":{\"ios\":\"" ios                                          \
	    "\",\"errors\":\"2\",\"runtime_ns\":\"1234567\","                                          \
	    "\"clat\":{\"n\":\"4\",\"min\":\"10\",\"max\":\"40\",\"sum\":\"" sum "\",\"sum_sq\":\"" sq \
	    "\"}},\"percentiles_of\":[\"clat\"],\"depth\":[\"1\",\"2\"]}}")

static void counts(void **state)
{
	const struct result_job *j = read_job(COUNTS("4", "101", "340282366920938463463374607431768211455"));
	const struct result_counts *c = &j->counts;

	(void)state;
	assert_true(c->known && c->exact);
	assert_int_equal(c->dir[DIR_READ].lat[LAT_CLAT].sum, 101);
	assert_true(c->dir[DIR_READ].lat[LAT_CLAT].sq_hi == UINT64_MAX);
	assert_true(c->dir[DIR_READ].lat[LAT_CLAT].sq_lo == UINT64_MAX);
	assert_int_equal(c->cnt.depth[1], 2);
	assert_int_equal(j->sum.dir[DIR_READ].errors, 2);
	assert_int_equal(j->sum.dir[DIR_READ].runtime_ns, 1234567);
	assert_true(c->dir[DIR_WRITE].lat[LAT_LAT].min == UINT64_MAX);
	/* Counts that contradict the figures are not used. */
	assert_false(read_job(COUNTS("5", "101", "1"))->counts.exact);
	assert_false(read_job(COUNTS("4", "161", "1"))->counts.exact);
	assert_int_equal(set.res[0]->jobs[0]->notes.count, 1);
	/* 39 digits of 9 do not fit 128 bits. */
	assert_true(read_text(COUNTS("4", "101", "999999999999999999999999999999999999999")) < 0);
}

/* ---- the rest ---- */

static void series(void **state)
{
	const struct series *s;
	struct ival v;

	(void)state;
	assert_int_equal(read_text(SERIES("\"interval_ms\":500,\"groups\":[{\"group\":1,\"name\":\"b\","
					  "\"start_ms\":3000,\"begin_ms\":125,\"runtime_ms\":900,"
					  "\"intervals\":2,\"lat_kind\":\"clat\",\"read\":{\"ios\":[3,0],"
					  "\"bytes\":[12,0],\"errors\":[0,1],"
					  "\"lat_min\":[1,null],\"lat_mean\":[3.3,null],\"lat_max\":[6,null],"
					  "\"lat_ns\":[{\"1\":1,\"3\":1,\"6\":1},{}],"
					  "\"resp_min\":[2,null],\"resp_mean\":[4.0,null],\"resp_max\":[7,"
					  "null],\"resp_ns\":[{\"4\":3},{}]}},"
					  "{\"group\":0,\"name\":\"a\",\"start_ms\":2000,\"runtime_ms\":500,"
					  "\"intervals\":1}]")),
			 0);
	assert_true(set.res[0]->series.on && !set.res[0]->series.per_job);
	assert_int_equal(set.res[0]->series.start_ms, 2000);
	assert_string_equal(set.res[0]->series.label[1].name, "a");
	s = &set.res[0]->series.data;
	assert_int_equal(series_interval_ns(s), 500000000);
	assert_int_equal(s->groups[0].first, 2);
	assert_int_equal(s->groups[0].cells.n, 2);
	assert_int_equal(s->groups[0].begin_ns, 1125000000);
	assert_int_equal(s->groups[0].end_ns, 1900000000);
	assert_true(s->groups[0].resp);
	series_get(s, 0, 0, &v);
	assert_int_equal(v.dir[DIR_READ].ios, 3);
	assert_int_equal(v.dir[DIR_READ].bytes, 12);
	assert_int_equal(v.dir[DIR_READ].lat[LAT_CLAT].n, 3);
	assert_int_equal(v.dir[DIR_READ].lat[LAT_CLAT].sum, 10); /* 3.3 is 10 / 3, cut off */
	assert_int_equal(v.dir[DIR_READ].lat[LAT_CLAT].max, 6);
	assert_int_equal(v.dir[DIR_READ].lat[LAT_RESP].sum, 12);
	series_get(s, 0, 1, &v);
	assert_int_equal(v.dir[DIR_READ].errors, 1);
	assert_int_equal(v.dir[DIR_READ].lat[LAT_CLAT].n, 0);
}

static void names_become_utf8(void **state)
{
	const struct result_job *j = read_job("{\"jobs\":[{\"jobname\":\"<b>\\u0000\xff\",\"read\":{},"
					      "\"fiord\":{\"notes\":[\"a\\u0001b {bs}\"]}}]}");

	(void)state;
	assert_string_equal(j->name, "<b>\xEF\xBF\xBD\xEF\xBF\xBD");
	assert_string_equal(j->notes.line[0], "a?b {bs}");
}

/* Returns a page with the data of `text`. */
static char *page_of(const char *text, size_t len)
{
	static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
	uLongf n = compressBound(len);
	unsigned char *packed = calloc(1, n + 3);
	struct strbuf b = { 0 };

	assert_int_equal(compress2(packed, &n, (const unsigned char *)text, len, 9), Z_OK);
	strbuf_puts(&b,
		    "<!doctype html><script>x</script><script type=\"application/json\" id=\"fiord-data\" "
		    "data-encoding=\"zlib+base64\">\n");
	for (size_t i = 0; i < n; i += 3) {
		unsigned v = (unsigned)packed[i] << 16 | (unsigned)packed[i + 1] << 8 | packed[i + 2];

		for (unsigned k = 0; k < 4; k++)
			strbuf_putc(&b, i + k > n ? '=' : digits[v >> (18 - 6 * k) & 63]);
	}
	strbuf_puts(&b, "\n</script></html>");
	free(packed);
	return b.text;
}

static void pages(void **state)
{
	char *page = page_of("{\"jobs\":[]}\n{\"jobs\":[]}\n", 24);

	(void)state;
	assert_int_equal(read_text(page), 0);
	assert_int_equal(set.n, 2);
	free(page);
}

static void a_bomb_is_refused(void **state)
{
	size_t len = (size_t)130 << 20;
	char *text = malloc(len), *page;

	(void)state;
	assert_non_null(text);
	memset(text, ' ', len);
	page = page_of(text, len);
	free(text);
	assert_true(strlen(page) < 300000);
	assert_true(read_text(page) < 0);
	assert_string_equal(diag_text(&diag), "f: the data in the page are larger than 128 MiB");
	free(page);
}

/* The limit is that of a page, not of each of its scripts: 50 of them took 22 s. */
static void many_bombs_are_refused(void **state)
{
	size_t len = (size_t)44 << 20;
	char *text = malloc(len), *page, *pages = NULL;

	(void)state;
	assert_non_null(text);
	memset(text, ' ', len);
	page = page_of(text, len);
	free(text);
	assert_true(read_text(page) < 0);
	assert_string_equal(diag_text(&diag), "f: the page has no data of fiord");
	assert_true(asprintf(&pages, "%s%s%s", page, page, page) > 0);
	assert_true(read_text(pages) < 0);
	assert_string_equal(diag_text(&diag), "f: the data in the page are larger than 128 MiB");
	free(page);
	free(pages);
}

/* A job of a few bytes takes thousands of them. */
static void memory_has_a_limit(void **state)
{
	struct strbuf b = { 0 };

	(void)state;
	strbuf_puts(&b, "{\"jobs\":[{\"read\":{}}");
	for (unsigned i = 0; i < 400000; i++)
		strbuf_puts(&b, ",{\"read\":{}}");
	strbuf_puts(&b, "]}");
	assert_int_equal(read_text(b.text), -EFBIG); /* not -ENOMEM, which is no fault of the document */
	assert_non_null(strstr(diag_text(&diag), "more memory than the limit"));
	strbuf_fini(&b);
}

int unit_read(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_teardown(bad_documents, cleanup),
		cmocka_unit_test_teardown(bad_text_leaves_the_set, cleanup),
		cmocka_unit_test_teardown(bad_files, cleanup),
		cmocka_unit_test_teardown(documents_in_one_file, cleanup),
		cmocka_unit_test_teardown(figures_are_taken, cleanup),
		cmocka_unit_test_teardown(directions, cleanup),
		cmocka_unit_test_teardown(clients, cleanup),
		cmocka_unit_test_teardown(globals_of_hosts, cleanup),
		cmocka_unit_test_teardown(bins, cleanup),
		cmocka_unit_test_teardown(rate_steps, cleanup),
		cmocka_unit_test_teardown(counts, cleanup),
		cmocka_unit_test_teardown(series, cleanup),
		cmocka_unit_test_teardown(names_become_utf8, cleanup),
		cmocka_unit_test_teardown(pages, cleanup),
		cmocka_unit_test_teardown(a_bomb_is_refused, cleanup),
		cmocka_unit_test_teardown(many_bombs_are_refused, cleanup),
		cmocka_unit_test_teardown(memory_has_a_limit, cleanup),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
