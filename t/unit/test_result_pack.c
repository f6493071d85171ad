/* Does a result survive the way to another host? Its reports, and those of a merge, must be the same text
   with the result itself and with its pack. Damaged packs are refused. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <endian.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "files.h"
#include "hosts.h"
#include "merge.h"
#include "report.h"
#include "result_pack.h"
#include "rng.h"
#include "strbuf.h"

#define VERSION "1.2"
#define LEN     100000000u

static const struct wstat_layout layout = {
	.hist = { [DIR_READ] = { [LAT_SLAT] = 1, [LAT_CLAT] = 2, [LAT_LAT] = 3, [LAT_RESP] = 4 },
		  [DIR_WRITE] = { [LAT_CLAT] = 5 },
		  [DIR_SYNC] = { [LAT_CLAT] = 6 } },
	.nhist = 6,
	.nprio = 2,
	.prio_kind = LAT_CLAT,
};

static void add_latency(struct snapshot *s, unsigned dir, unsigned kind, uint64_t ns)
{
	moments_add(&s->st->dir[dir].lat[kind], ns);
	hist_add(&s->st->hist[s->layout.hist[dir][kind] - 1], ns);
}

static void add_io(struct snapshot *s, struct rng *r)
{
	uint64_t ns = rng_below(r, 1ull << (7 + rng_below(r, 34)));
	struct wstat_prio *prio = &wstat_prios(s->st, &s->layout)[ns & 1];

	add_latency(s, DIR_READ, LAT_SLAT, ns / 9);
	add_latency(s, DIR_READ, LAT_CLAT, ns);
	add_latency(s, DIR_READ, LAT_LAT, ns + ns / 9);
	add_latency(s, DIR_READ, LAT_RESP, 3 * ns);
	add_latency(s, DIR_WRITE, LAT_CLAT, ns / 2);
	add_latency(s, DIR_SYNC, LAT_CLAT, ns / 7);
	moments_add(&prio->lat[DIR_READ], ns);
	hist_add(&prio->hist[DIR_READ], ns);
	for (unsigned dir = DIR_READ; dir <= DIR_WRITE; dir++) {
		s->st->dir[dir].ios++;
		s->st->dir[dir].bytes += 4096;
	}
	s->st->dir[DIR_SYNC].ios++;
	s->cnt.depth[2]++;
	s->cnt.submit[1]++;
	samples_add(&s->bw[DIR_READ], (double)ns / 3);
	samples_add(&s->iops[DIR_READ], (double)ns / 7);
}

static void fill_snapshot(struct snapshot *s, struct rng *r, unsigned ios)
{
	assert_int_equal(snap_init(s, &layout), 0);
	s->members = 3;
	s->cnt.runtime_ns[DIR_READ] = s->cnt.runtime_ns[DIR_WRITE] = s->cnt.job_runtime_ns = 2123456789;
	s->cnt.user_us = 500000;
	s->cnt.cpu_ios = 7;
	s->cnt.unissued[DIR_WRITE] = 5;
	s->cnt.arrivals[DIR_WRITE] = 50;
	wstat_prios(s->st, &layout)[0].prio = 1u << 13 | 3;
	wstat_prios(s->st, &layout)[1].prio = 2u << 13 | 4;
	for (unsigned i = 0; i < ios; i++)
		add_io(s, r);
}

/* Two files, one of them without I/Os. */
static void add_files(struct result *r, struct result_job *j)
{
	static const uint64_t ns[] = { 100, 200 }, count[] = { 2, 1 };
	static const struct file_dir counts = {
		.ios = 3,
		.bytes = 12288,
		.errors = 1,
		.lat[FILE_CLAT] = { .n = 3, .min = 100, .max = 200, .sum = 400, .sq_lo = 60000 },
	};
	const struct result_bins bins = { ns, count, 2 };

	j->files.on = j->files.percentiles = true;
	result_file_add(r, result_files_find(r, &j->files, NULL, "/f"), DIR_WRITE, &counts, &bins);
	result_files_find(r, &j->files, NULL, "/unused");
	result_files_finish(r, &j->files, &j->sum);
}

static void add_job(struct result *r, struct rng *rng, const char *name, unsigned ios)
{
	static const struct result_opt option[] = { { "rw", "randrw" }, { "bs", "4k" } };
	static const struct summary_cfg cfg = { .npercentiles = 2,
						.percentiles = { 50, 99.5 },
						.percentiles_of[LAT_LAT] = true };
	static const uint64_t samples[] = { 10, 11, 12 };
	static const uint64_t step_ns[] = { 100, 2016 }, step_count[] = { 4, 1 };
	static struct result_rate_step steps[2] = {
		{ .length_ns = 7,
		  .dir = { { .rate = 9,
			     .ios = 5,
			     .late_ios = 2,
			     .done_bytes = 8192,
			     .iops = 2.5,
			     .lat = { { .sum = { 5, 100, 2020, 2420, 484, { 100, 2016 } },
					.bins = { step_ns, step_count, 2 } } } } } },
		{ .start_ns = 7 }
	};
	struct result_job j = { .name = name,
				.rate_steps = { .by_bytes = true, .dirs = 1, .steps = steps, .nsteps = 2 },
				.description = "a \"job\"",
				.group = 1,
				.pid = 4711,
				.error = 5,
				.error_text = "/f, write at offset 0, Input/output error (EIO)",
				.start_ms = 1700000000123,
				.elapsed_s = 3,
				.options = option,
				.noptions = 2,
				.rw = "randrw",
				.bs = "4096-4096",
				.engine = "null",
				.iodepth = 4,
				.units = { 1000, 5, true },
				.both = true,
				.verify = { .on = true, .checked = 9, .damaged = 2, .known_by = "map" },
				.steady = { .on = true,
					    .attained = true,
					    .ss = "iops:1%",
					    .criterion = "0.5%",
					    .slope = -0.25,
					    .samples = 3,
					    .iops = samples,
					    .bw = samples } };
	struct snapshot s = { 0 };
	struct result_job *own;

	fill_snapshot(&s, rng, ios);
	own = result_add_job(r, &j);
	assert_non_null(own);
	assert_int_equal(result_set_snapshot(r, own, &s, &cfg, true), 0);
	add_files(r, own);
	result_job_note(own, "100 %% sure");
	snap_fini(&s);
}

static void put_cell(struct ival_out *o, void *rec, size_t bytes, unsigned i)
{
	struct ival head = { .first = i, .intervals = 1 };
	struct ival_dir d = { .ios = 5 + i, .bytes = 4096 * (5 + i) };
	struct ival_lat l = { .n = 5 + i, .sum = 5000 + i, .min = 1000, .max = 1004 };

	ival_begin(o, rec, bytes, &head);
	ival_put_dir(o, DIR_READ, &d);
	ival_put_lat(o, LAT_CLAT, &l);
	ival_put_bin(o, hist_index(1000), 5 + i);
}

static void add_series(struct result *r)
{
	static const struct result_series_label label[2] = {
		{ .name = "first", .group = 0, .in_report = true },
		{ .name = "second", .group = 1, .clone = 2, .in_report = true }
	};
	static unsigned char rec[IVAL_BYTES(1, 1)];
	struct series s;

	assert_int_equal(series_init(&s, 2, LEN, 1 << 20), 0);
	for (unsigned i = 0; i < 20; i++) {
		struct ival_out o;
		struct ival v;
		size_t bytes;

		put_cell(&o, rec, sizeof(rec), i);
		bytes = ival_end(&o, rec);
		assert_true(bytes && ival_read(&v, rec, bytes));
		if (i % 3) /* the others are empty */
			series_add(&s, i % 2, 4, LAT_CLAT, &v);
	}
	result_move_series(r, &s, label, 1700000000100);
	r->series.on = true;
	series_fini(&s);
}

static void fill_result(struct result *r, const char *host, uint64_t seed)
{
	static const struct result_opt global[] = { { "size", "1m" } };
	const struct result_disk disk = { .name = "sda", .counts = { { 1, 2 }, { 3, 4 }, .util = 12.5 } };
	const struct result_host_wave wave = { 1, true, 2, 3, 4 };
	struct rng rng;

	rng_init(&rng, seed);
	result_init(r, "fiord", VERSION, "3.42");
	r->env = (struct result_env){ .host = host,
				      .os = "Linux",
				      .kernel = "6.1",
				      .arch = "x86_64",
				      .cpu = "a CPU",
				      .cpus = 2,
				      .memory_bytes = 1 << 30 };
	r->clock.source = "tsc";
	r->timestamp_ms = 1700000003000;
	r->self = (struct result_self){ .wall_ns = 3000000000, .user_us = 5, .max_rss_bytes = 77 };
	r->plan.workers = r->plan.processes = 3;
	result_globals(r, global, 1);
	add_job(r, &rng, "first", 3000);
	add_job(r, &rng, "idle", 0);
	result_note(r, "a note of %s", host);
	result_add_disk(r, &disk);
	result_add_host(r, &(struct result_host){ .hostname = host,
						  .rank = (unsigned)seed,
						  .program = 3,
						  .waves = &wave,
						  .nwaves = 1,
						  .ios = 5,
						  .bytes = 6,
						  .code = 4,
						  .error = "an error" });
	result_exit_code(r, 4);
	add_series(r);
	result_finish(r);
}

static char *json_of(const struct result *r)
{
	struct strbuf b = { 0 };

	assert_int_equal(report_json(r, &b), 0);
	return b.text;
}

static void unpack(struct result *r, const struct strbuf *pack)
{
	struct diag d = { 0 };

	assert_int_equal(result_unpack(r, VERSION, pack->text, pack->len, &d), 0);
	assert_null(d.text);
}

/* A pack gives the document of its result, and packing it again gives the same bytes. */
static void test_document(void **state)
{
	struct strbuf pack = { 0 }, again = { 0 };
	struct result from, to;
	char *expected, *got;

	(void)state;
	fill_result(&from, "h1", 1);
	assert_int_equal(result_pack(&from, &pack), 0);
	unpack(&to, &pack);
	to.fio_version = from.fio_version;
	expected = json_of(&from);
	got = json_of(&to);
	assert_non_null(strstr(expected, "\"100 % sure\""));
	assert_non_null(strstr(expected, "\"path\":\"/unused\""));
	assert_string_equal(got, expected);
	assert_int_equal(result_pack(&to, &again), 0);
	assert_int_equal(again.len, pack.len);
	assert_memory_equal(again.text, pack.text, pack.len);
	free(expected);
	free(got);
	strbuf_fini(&pack);
	strbuf_fini(&again);
	result_free(&from);
	result_free(&to);
}

/* Frees each result as soon as it has been added, as rank 0 of fiord-mpi does. */
static char *merged_json(struct result *a, struct result *b)
{
	struct result_merge *m = result_merge_new("fiord", VERSION, "3.42", true);
	struct result out = { 0 };
	struct diag d = { 0 };
	char *text;

	assert_non_null(m);
	assert_int_equal(result_merge_add(m, a, "a", &d), 0);
	result_free(a);
	assert_int_equal(result_merge_add(m, b, "b", &d), 0);
	result_free(b);
	assert_int_equal(result_merge_finish(m, &out, &d), 0);
	text = json_of(&out);
	result_free(&out);
	result_merge_free(m);
	return text;
}

/* The merge of two packs is the merge of their results. */
static void test_merge(void **state)
{
	struct result from[2], to[2];
	char *expected, *got;

	(void)state;
	for (unsigned i = 0; i < 2; i++) {
		struct strbuf pack = { 0 };

		fill_result(&from[i], i ? "h2" : "h1", i + 5);
		assert_int_equal(result_pack(&from[i], &pack), 0);
		unpack(&to[i], &pack);
		strbuf_fini(&pack);
	}
	expected = merged_json(&from[0], &from[1]);
	got = merged_json(&to[0], &to[1]);
	assert_non_null(strstr(expected, "All clients"));
	assert_string_equal(got, expected);
	assert_non_null(strstr(got, "\"known_by\" : \"map\""));
	free(expected);
	free(got);
}

static int try_unpack(const void *pack, size_t bytes)
{
	struct result r;
	struct diag d = { 0 };
	int ret = result_unpack(&r, VERSION, pack, bytes, &d);

	assert_int_equal(ret != 0, d.text != NULL);
	result_free(&r);
	diag_fini(&d);
	return ret;
}

/* Every shorter pack is refused. The copy has its exact size, so that a sanitizer sees reads beyond it. */
static void test_short(void **state)
{
	struct strbuf pack = { 0 };
	struct result r;

	(void)state;
	fill_result(&r, "h1", 1);
	assert_int_equal(result_pack(&r, &pack), 0);
	for (size_t n = 0; n < pack.len; n += 1 + n / 300) {
		char *copy = malloc(n + !n);

		assert_non_null(copy);
		memcpy(copy, pack.text, n);
		assert_int_not_equal(try_unpack(copy, n), 0);
		free(copy);
	}
	strbuf_fini(&pack);
	result_free(&r);
}

/* Changed bytes change figures or are refused; they do no harm. */
static void test_damaged(void **state)
{
	struct strbuf pack = { 0 };
	unsigned refused = 0;
	struct result r;
	struct rng rng;

	(void)state;
	rng_init(&rng, 3);
	fill_result(&r, "h1", 1);
	assert_int_equal(result_pack(&r, &pack), 0);
	for (unsigned i = 0; i < 2000; i++) {
		size_t at = rng_below(&rng, pack.len);
		char before = pack.text[at];

		pack.text[at] = (char)rng_below(&rng, 256);
		refused += try_unpack(pack.text, pack.len) != 0;
		pack.text[at] = before;
	}
	assert_true(refused > 0);
	assert_int_equal(try_unpack(pack.text, pack.len), 0);
	strbuf_fini(&pack);
	result_free(&r);
}

/* A number as it stands in a pack. */
static uint64_t packed(double number)
{
	uint64_t bits;

	memcpy(&bits, &number, sizeof(bits));
	return htole64(bits);
}

/* A percentile of 1e308 would overflow where a report prints it. */
static void test_percentile(void **state)
{
	static const double refused[] = { 1e308, -1, 100.5, __builtin_nan("") };
	const uint64_t right = packed(99.5);
	struct strbuf pack = { 0 };
	struct result r;
	char *at;

	(void)state;
	fill_result(&r, "h1", 1);
	assert_int_equal(result_pack(&r, &pack), 0);
	at = memmem(pack.text, pack.len, &right, sizeof(right));
	assert_non_null(at);
	for (size_t i = 0; i < sizeof(refused) / sizeof(*refused); i++) {
		const uint64_t wrong = packed(refused[i]);

		memcpy(at, &wrong, sizeof(wrong));
		assert_int_equal(try_unpack(pack.text, pack.len), -EBADMSG);
	}
	memcpy(at, &right, sizeof(right));
	assert_int_equal(try_unpack(pack.text, pack.len), 0);
	strbuf_fini(&pack);
	result_free(&r);
}

static void test_other_version(void **state)
{
	struct strbuf pack = { 0 };
	struct diag d = { 0 };
	struct result r, to;

	(void)state;
	fill_result(&r, "h1", 1);
	assert_int_equal(result_pack(&r, &pack), 0);
	assert_int_equal(result_unpack(&to, "1.3", pack.text, pack.len, &d), -EPROTO);
	assert_string_equal(diag_text(&d), "the result comes from another version of fiord");
	diag_fini(&d);
	result_free(&to);
	strbuf_fini(&pack);
	result_free(&r);
}

int unit_result_pack(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_document),   cmocka_unit_test(test_merge),
		cmocka_unit_test(test_short),      cmocka_unit_test(test_damaged),
		cmocka_unit_test(test_percentile), cmocka_unit_test(test_other_version),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
