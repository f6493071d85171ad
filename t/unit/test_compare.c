/* Are jobs paired, differences found and refused, and series assigned as fiord-compare(1) says? The results
   are written by hand. */
#include "compare_setup.h"
#include "hosts.h"

static void jobs_are_paired_by_name(void **state)
{
	static const struct sample a[] = {
		{ "x", 100, 1000 }, { "twice", 200, 1000 }, { "old", 1, 1000 }, { "twice", 300, 1000 }
	};
	static const struct sample b[] = { { "twice", 220, 1000 },
					   { "new", 1, 1000 },
					   { "twice", 330, 1000 },
					   { "twice", 5, 1000 },
					   { "x", 110, 1000 } };
	struct setup s = { 0 };

	(void)state;
	add_run(&s, false, a, 4);
	add_run(&s, true, b, 5);
	compare_setup(&s);
	assert_int_equal(s.err, 0);
	assert_int_equal(s.c.njobs, 3);
	assert_string_equal(s.c.jobs[0].name, "x");
	assert_string_equal(s.c.jobs[1].name, "twice (1)");
	assert_string_equal(s.c.jobs[2].name, "twice (2)");
	for (size_t i = 0; i < 3; i++)
		assert_true(fabs(find(&s, i, "read.iops")->change.change - 0.1) < 1e-9);
	assert_int_equal(s.c.only_a.n, 1);
	assert_string_equal(s.c.only_a.v[0], "old");
	assert_int_equal(s.c.only_b.n, 2);
	assert_string_equal(s.c.only_b.v[0], "new");
	assert_string_equal(s.c.only_b.v[1], "twice (3)");
	fini(&s);
}

static void nothing_in_common_is_an_error(void **state)
{
	static const struct sample a = { "a", 1, 1 }, b = { "b", 1, 1 };
	struct setup s = { 0 };

	(void)state;
	add_run(&s, false, &a, 1);
	add_run(&s, true, &b, 1);
	compare_setup(&s);
	assert_error(&s, "1.json has 'a', and 2.json has 'b'");
	fini(&s);
	add_run(&s, false, &a, 1);
	add_run(&s, true, &b, 0);
	compare_setup(&s);
	assert_error(&s, "2.json: this result has no jobs");
	fini(&s);
}

/* ---- settings ---- */

static void other_settings_are_refused(void **state)
{
	static const struct {
		struct sample b;
		const char *part; /* of the error; NULL: compared */
	} row[] = {
		{ { "j", 1, 1, "4096" }, NULL },
		{ { "j", 1, 1, "4k,4k" }, NULL },
		{ { "j", 1, 1, "4k-4k" }, NULL },
		{ { "j", 1, 1, "8k" }, "bs is 4k in 1.json and 8k in 2.json" },
		{ { "j", 1, 1, "4k,8k" }, "bs is 4k in 1.json and 4k,8k,8k in 2.json" },
		{ { "j", 1, 1, "4k-8k" }, "--allow=bs" },
		{ { "j", 1, 1, "4k", "0" }, "access is direct in 1.json and buffered in 2.json" },
		{ { "j", 1, 1, "8k", "0" }, "1 more such difference" },
		{ { "j", 1, 1, "8k", "0" }, "--allow=bs,direct compares" },
	};
	static const struct sample a = { "j", 1, 1 };

	(void)state;
	for (unsigned i = 0; i < sizeof(row) / sizeof(*row); i++) {
		for (unsigned allow = 0; allow < 2; allow++) {
			struct setup s = { 0 };

			add_run(&s, false, &a, 1);
			add_run(&s, true, &row[i].b, 1);
			s.cfg.allow[COMPARE_BS] = s.cfg.allow[COMPARE_DIRECT] = allow;
			compare_setup(&s);
			if (row[i].part && !allow)
				assert_error(&s, row[i].part);
			else
				assert_int_equal(s.err, 0);
			assert_int_equal(s.c.difference.n > 0, row[i].part != NULL);
			fini(&s);
		}
	}
}

static void set_job(struct result *r, const char *rw, const char *engine, unsigned depth)
{
	r->jobs[0]->rw = rw;
	r->jobs[0]->engine = engine;
	r->jobs[0]->iodepth = depth;
}

static void other_load_is_refused(void **state)
{
	static const struct {
		const char *rw, *engine;
		unsigned depth;
		const char *word;
	} row[] = { { "randwrite", "libaio", 4, "--allow=rw" },
		    { "randread", "psync", 4, "--allow=engine" },
		    { "randread", "libaio", 8, "--allow=iodepth" } };
	static const struct sample a = { "j", 1, 1 };

	(void)state;
	for (unsigned i = 0; i < 3; i++) {
		struct setup s = { 0 };

		add_run(&s, false, &a, 1);
		add_run(&s, true, &a, 1);
		set_job(&s.res[1], row[i].rw, row[i].engine, row[i].depth);
		compare_setup(&s);
		assert_error(&s, row[i].word);
		fini(&s);
	}
}

/* Each option that changes the load is refused with its own word; its default, if given, is no difference. */
static void other_load_options_are_refused(void **state)
{
	static const struct {
		struct result_opt option;
		const char *part;
	} row[] = {
		{ { "thinktime", "1ms" }, "thinktime is 0 in 1.json and 1ms in 2.json" },
		{ { "thinktime", "1ms" }, "--allow=thinktime compares" },
		{ { "fsync", "1" }, "--allow=sync compares" },
		{ { "fdatasync", "8" }, "--allow=sync compares" },
		{ { "random_distribution", "zipf:1.2" }, "--allow=distribution compares" },
		{ { "norandommap", "" }, "norandommap is 0 in 1.json and 1 in 2.json" },
		{ { "rwmixread", "70" }, "--allow=mix compares" },
		{ { "size", "1g" }, "--allow=size compares" },
		{ { "dedupe_percentage", "50" }, "--allow=contents compares" },
		{ { "rate_process", "poisson" }, "--allow=rate compares" },
		{ { "thinktime", "0" }, NULL },
		{ { "fsync", "0" }, NULL },
		{ { "random_distribution", "random" }, NULL },
		{ { "runtime", "20" }, NULL }, /* is listed alone */
	};
	static const struct sample a = { "j", 1, 1 };

	(void)state;
	for (size_t i = 0; i < sizeof(row) / sizeof(row[0]); i++) {
		struct setup s = { 0 };

		add_run(&s, false, &a, 1);
		add_run(&s, true, &a, 1);
		s.res[0].jobs[0]->noptions = 0;
		s.res[1].jobs[0]->options = &row[i].option;
		s.res[1].jobs[0]->noptions = 1;
		s.res[0].jobs[0]->bs = s.res[1].jobs[0]->bs = "4k";
		compare_setup(&s);
		if (row[i].part)
			assert_error(&s, row[i].part);
		else
			assert_int_equal(s.err, 0);
		fini(&s);
	}
}

static void add_device(struct result *r, const char *model, const char *scheduler)
{
	struct result_device dev = { 0 };
	struct result_target t = { .path = "/mnt/f", .type = "file", .files = 1, .devs = &dev, .ndevs = 1 };

	props_text(&dev.props, "name", "sda");
	props_text(&dev.props, "model", model);
	props_text(&dev.props, "scheduler", scheduler);
	result_add_target(r, &t);
	props_fini(&dev.props);
}

static void other_device_is_refused_and_scheduler_listed(void **state)
{
	static const struct sample a = { "j", 1, 1 };
	struct setup s = { 0 };

	(void)state;
	add_run(&s, false, &a, 1);
	add_run(&s, true, &a, 1);
	add_device(&s.res[0], "Fast 1", "none");
	add_device(&s.res[1], "Slow 2", "none");
	compare_setup(&s);
	assert_error(&s, "device is file on Fast 1 in 1.json and file on Slow 2 in 2.json");
	assert_error(&s, "--allow=device");
	fini(&s);
	add_run(&s, false, &a, 1);
	add_run(&s, true, &a, 1);
	add_device(&s.res[0], "Fast 1", "none");
	add_device(&s.res[1], "Fast 1", "bfq");
	s.res[0].env.kernel = "6.1";
	s.res[1].env.kernel = "6.9";
	compare_setup(&s);
	assert_int_equal(s.err, 0);
	assert_int_equal(s.c.difference.n, 2);
	assert_string_equal(s.c.difference.v[0].name, "sda: scheduler");
	assert_string_equal(s.c.difference.v[1].name, "kernel");
	assert_string_equal(s.c.difference.v[1].b, "6.9");
	fini(&s);
}

static void the_same_run_is_refused(void **state)
{
	static const struct sample a = { "j", 100, 1000 };
	struct setup s = { 0 };

	(void)state;
	add_run(&s, false, &a, 1);
	add_run(&s, true, &a, 1);
	s.res[1].timestamp_ms = s.res[0].timestamp_ms;
	compare_setup(&s);
	assert_error(&s, "1.json and 2.json hold the same run");
	fini(&s);
}

static void bad_ends_are_noted(void **state)
{
	static const struct sample a = { "j", 100, 1000 };
	struct setup s = { 0 };

	(void)state;
	add_run(&s, false, &a, 1);
	add_run(&s, true, &a, 1);
	s.res[0].exit.signal = 2;
	s.res[1].jobs[0]->error = EIO;
	compare_setup(&s);
	assert_int_equal(s.err, 0);
	assert_int_equal(s.c.notes.count, 2);
	assert_string_equal(s.c.notes.line[0], "1.json: the run was interrupted by signal 2");
	assert_string_equal(s.c.notes.line[1], "2.json: job 'j' ended with Input/output error (EIO)");
	fini(&s);
}

/* ---- where intervals come from ---- */

/* Welch's interval by hand: see test_compare_change.c; here the values are scipy's for these runs:
   a = 1000, 1040, 980; b = 1100, 1090, 1150. */
static void repeated_runs_give_welchs_interval(void **state)
{
	static const struct sample a[] = { { "j", 1000, 1000 }, { "j", 1040, 1000 }, { "j", 980, 1000 } };
	static const struct sample b[] = { { "j", 1100, 1000 }, { "j", 1090, 1000 }, { "j", 1150, 1000 } };
	const struct compare_figure *f;
	struct setup s = { 0 };

	(void)state;
	for (unsigned i = 0; i < 3; i++) {
		add_run(&s, false, &a[i], 1);
		add_run(&s, true, &b[i], 1);
	}
	compare_setup(&s);
	assert_int_equal(s.err, 0);
	f = find(&s, 0, "read.iops");
	assert_int_equal(f->basis, COMPARE_BY_RUNS);
	assert_true(f->change.shown);
	assert_true(fabs(f->change.df - 3.9889854789) < 1e-6);
	/* scipy's limits 0.034489 and 0.182440, and the rounding: 1 / 9800 + 0.5 / 10000 and its like. */
	assert_true(fabs(f->change.lo - 0.034489) < 0.0004);
	assert_true(fabs(f->change.hi - 0.182440) < 0.0004);
	assert_true(find(&s, 0, "read.p99")->change.interval);
	assert_false(find(&s, 0, "read.p99")->change.shown);
	fini(&s);
}

static void rows_are_used_without_a_series(void **state)
{
	static const struct sample a = { "j", 1000, 1000 }, b = { "j", 1030, 1000 };
	const struct compare_figure *f;
	struct setup s = { 0 };
	double se = 0.01 / sqrt(20) * sqrt(2), t = 2.0243942; /* scipy: t.ppf(0.975, 38) */

	(void)state;
	add_run(&s, false, &a, 1);
	add_run(&s, true, &b, 1);
	compare_setup(&s);
	f = find(&s, 0, "read.iops");
	assert_int_equal(f->basis, COMPARE_BY_SAMPLES);
	assert_null(f->why);
	assert_true(fabs(f->change.lo - expm1(log(1.03) - t * se)) < 0.0004);
	assert_true(f->change.shown);
	f = find(&s, 0, "read.p99");
	assert_int_equal(f->basis, COMPARE_BY_NOTHING);
	assert_string_equal(f->why, "a result has no series");
	assert_false(f->change.interval);
	fini(&s);
}

#define GRID 40 /* intervals of 250 ms */

/* The I/Os of one direction in an interval, with latencies of 1 us and of 2 us. */
static void put_dir(struct ival_out *o, unsigned dir, uint64_t fast, uint64_t slow)
{
	const struct ival_dir d = { .ios = fast + slow, .bytes = (fast + slow) * 4096 };
	const struct ival_lat l = {
		.n = fast + slow, .sum = fast * 1000 + slow * 2000, .min = 1000, .max = slow ? 2000 : 1000
	};

	ival_put_dir(o, dir, &d);
	ival_put_lat(o, LAT_CLAT, &l);
	if (fast)
		ival_put_bin(o, hist_index(1000), fast);
	if (slow)
		ival_put_bin(o, hist_index(2000), slow);
}

/* Adds reads of 1 us whose number alternates, and writes of 2 us. With `joined` all are reads. */
static void add_intervals(struct series *series, unsigned group, uint64_t ios, const uint64_t *writes,
			  bool joined)
{
	static unsigned char bytes[IVAL_BYTES(4, 2)];

	for (unsigned t = 0; t < GRID; t++) {
		const struct ival head = { .first = t, .intervals = 1 };
		struct ival_out o;
		struct ival v;
		size_t len;

		ival_begin(&o, bytes, sizeof(bytes), &head);
		put_dir(&o, DIR_READ, ios + t % 2, writes && joined ? writes[t] : 0);
		if (writes && !joined)
			put_dir(&o, DIR_WRITE, 0, writes[t]);
		len = ival_end(&o, bytes);
		assert_true(ival_read(&v, bytes, len));
		series_add(series, group, 0, LAT_CLAT, &v);
	}
}

static void add_series(struct result *r, unsigned groups, bool per_job,
		       const struct result_series_label *label)
{
	struct series series;

	assert_int_equal(series_init(&series, groups, 250000000, 1 << 20), 0);
	for (unsigned g = 0; g < groups; g++)
		add_intervals(&series, g, 250 * (g + 1), NULL, false);
	result_move_series(r, &series, label, 0);
	r->series.per_job = per_job;
	r->series.on = true;
}

static void a_series_belongs_to_its_job(void **state)
{
	static const struct sample one = { "x", 1000, 1000 };
	static const struct sample two[] = { { "x", 1000, 1000 }, { "y", 2000, 1000 } };
	static const struct result_series_label label[] = { { "x", 0, 0, true }, { "y", 0, 1, true } };
	static const struct {
		size_t jobs;
		unsigned groups;
		bool per_job;
		enum compare_basis iops, p99;
		const char *why; /* of p99 */
	} row[] = {
		{ 1, 1, false, COMPARE_BY_SERIES, COMPARE_BY_SERIES, NULL },
		{ 1, 2, true, COMPARE_BY_SERIES, COMPARE_BY_SERIES, NULL },
		{ 2, 2, true, COMPARE_BY_SERIES, COMPARE_BY_SERIES, NULL },
		{ 2, 1, false, COMPARE_BY_SAMPLES, COMPARE_BY_NOTHING,
		  "a series covers all jobs of the group; --series=job makes one for each" },
	};

	(void)state;
	for (unsigned i = 0; i < sizeof(row) / sizeof(*row); i++) {
		struct setup s = { 0 };
		const struct compare_figure *p99;

		for (unsigned side = 0; side < 2; side++) {
			add_run(&s, side, row[i].jobs == 2 ? two : &one, row[i].jobs);
			add_series(&s.res[side], row[i].groups, row[i].per_job, label);
		}
		compare_setup(&s);
		assert_int_equal(s.err, 0);
		p99 = find(&s, 0, "read.p99");
		assert_int_equal(find(&s, 0, "read.iops")->basis, row[i].iops);
		assert_int_equal(p99->basis, row[i].p99);
		if (row[i].why)
			assert_string_equal(p99->why, row[i].why);
		assert_false(p99->change.shown);
		assert_int_equal(s.c.njobs, row[i].jobs == 2 ? 3 : 1);
		if (row[i].jobs == 2) {
			/* The total has the series of the whole group in any case: 1000 + 2000 IOPS. */
			assert_string_equal(s.c.jobs[2].name, "all jobs");
			assert_int_equal(find(&s, 2, "read.iops")->basis, COMPARE_BY_SERIES);
			assert_true(fabs(find(&s, 2, "read.iops")->a.value - 3000) < 1e-6);
		}
		fini(&s);
	}
}

/* The merged series of several hosts is that of their sum, whatever the groups; no entry has it. */
static void the_sum_of_hosts_has_the_series(void **state)
{
	static const struct sample jobs[] = { { "x", 1000, 1000 },
					      { "x", 2000, 1000 },
					      { "All clients", 3000, 1000 } };
	static const struct result_series_label label[] = { { "x", 0, 0, true }, { "y", 1, 0, true } };
	struct setup s = { 0 };

	(void)state;
	for (unsigned side = 0; side < 2; side++) {
		struct result *r = &s.res[side];

		add_run(&s, side, jobs, 3);
		r->client_stats = true;
		r->jobs[0]->hostname = "n0";
		r->jobs[1]->hostname = "n1";
		add_series(r, 2, false, label);
		for (unsigned rank = 0; rank < 2 + side; rank++)
			result_add_host(r, &(struct result_host){ .hostname = "n", .rank = rank });
	}
	compare_setup(&s);
	assert_int_equal(s.err, 0);
	assert_int_equal(find(&s, 0, "read.p99")->basis, COMPARE_BY_NOTHING);
	assert_int_equal(find(&s, 2, "read.p99")->basis, COMPARE_BY_SERIES);
	assert_true(fabs(find(&s, 2, "read.iops")->a.value - 3000) < 1e-6);
	assert_int_equal(s.c.notes.count, 1);
	assert_string_equal(s.c.notes.line[0],
			    "A ran on 2 ranks and B on 3; the sums differ for this reason, too");
	fini(&s);
}

/* A run of 250 reads and about 1000 writes in each interval, in a mixed job or as if all were reads. */
static void add_mixed_run(struct setup *s, bool b, bool joined)
{
	static const struct sample job = { "x", 5000, 2000 };
	static const struct result_series_label label = { "x", 0, 0, true };
	size_t at = s->na + s->nb;
	struct series series;
	uint64_t writes[GRID];

	for (unsigned t = 0; t < GRID; t++)
		writes[t] = 900 + t * 7919 % 101 + 100 * b;
	add_run(s, b, &job, 1);
	s->res[at].jobs[0]->mixed = !joined;
	assert_int_equal(series_init(&series, 1, 250000000, 1 << 20), 0);
	add_intervals(&series, 0, 250, writes, joined);
	result_move_series(&s->res[at], &series, &label, 0);
	s->res[at].series.on = true;
}

/* The intervals of a mixed job are those of the same I/Os in one direction. */
static void mixed_jobs_have_all_directions(void **state)
{
	static const char *const name[][2] = { { "mixed.iops", "read.iops" },
					       { "mixed.bw", "read.bw" },
					       { "mixed.mean", "read.mean" },
					       { "mixed.p50", "read.p50" },
					       { "mixed.p99", "read.p99" } };
	struct setup mixed = { 0 }, joined = { 0 };

	(void)state;
	for (unsigned side = 0; side < 2; side++) {
		add_mixed_run(&mixed, side, false);
		add_mixed_run(&joined, side, true);
	}
	compare_setup(&mixed);
	compare_setup(&joined);
	for (unsigned i = 0; i < sizeof(name) / sizeof(*name); i++) {
		const struct compare_figure *m = find(&mixed, 0, name[i][0]);
		const struct compare_figure *j = find(&joined, 0, name[i][1]);

		assert_int_equal(m->basis, COMPARE_BY_SERIES);
		assert_true(j->change.interval && m->change.lo == j->change.lo);
		assert_true(m->change.hi == j->change.hi && m->b_lo == j->b_lo && m->b_hi == j->b_hi);
	}
	fini(&mixed);
	fini(&joined);
}

enum reporting { APART, MIXED, BOTH };

/* A job of 1000 reads and 500 writes per s, with latencies of 1000 and 4000 ns, as each value of
   unified_rw_reporting reports it. */
static void set_directions(struct result_job *j, enum reporting how)
{
	static const uint64_t ns[] = { 1004, 4016 }, count[] = { 10000, 5000 };
	struct summary_dir all, *d = j->sum.dir;

	d[DIR_READ].lat[LAT_CLAT].n = 10000;
	d[DIR_WRITE] = d[DIR_READ];
	d[DIR_WRITE].ios /= 2;
	d[DIR_WRITE].bytes /= 2;
	d[DIR_WRITE].bw_bytes /= 2;
	d[DIR_WRITE].iops /= 2;
	d[DIR_WRITE].lat[LAT_CLAT] =
		(struct summary_lat){ .n = 5000, .min = 4000, .max = 4000, .mean = 4000 };
	for (unsigned dir = 0; dir < 2; dir++)
		j->bins[dir][LAT_CLAT] = (struct result_bins){ &ns[dir], &count[dir], 1 };
	all = d[DIR_READ];
	all.ios += d[DIR_WRITE].ios;
	all.bytes += d[DIR_WRITE].bytes;
	all.iops += d[DIR_WRITE].iops;
	all.bw_bytes += d[DIR_WRITE].bw_bytes;
	all.lat[LAT_CLAT] = (struct summary_lat){ .n = 15000, .min = 500, .max = 4000, .mean = 2000 };
	if (how == BOTH) {
		j->both = true;
		j->sum_both = all;
		j->bins_both[LAT_CLAT] = (struct result_bins){ ns, count, 2 };
	} else if (how == MIXED) {
		j->mixed = true;
		d[DIR_READ] = all;
		d[DIR_WRITE] = (struct summary_dir){ 0 };
		j->bins[DIR_READ][LAT_CLAT] = (struct result_bins){ ns, count, 2 };
		j->bins[DIR_WRITE][LAT_CLAT] = (struct result_bins){ 0 };
	}
}

static bool has(const struct setup *s, size_t job, const char *name)
{
	char buf[COMPARE_NAME];

	for (size_t i = 0; i < s->c.jobs[job].nfigures; i++)
		if (!strcmp(compare_figure_name(&s->c.jobs[job].figures[i], buf), name))
			return true;
	return false;
}

static void assert_mixed(const struct setup *s, size_t job, double iops)
{
	assert_true(fabs(find(s, job, "mixed.iops")->a.value - iops) < 0.01);
	assert_true(fabs(find(s, job, "mixed.iops")->b.value - iops) < 0.01);
	assert_true(fabs(find(s, job, "mixed.bw")->b.value - iops * 4096) < 1);
	assert_true(fabs(find(s, job, "mixed.mean")->b.value - 2000) < 1e-6);
	assert_true(find(s, job, "mixed.p50")->b.value == 1004);
	assert_true(find(s, job, "mixed.p99")->b.value == 4000);
}

/* Whatever two runs report, their directions can be compared together unless both have them apart. A job with
   both has them apart as well. */
static void all_directions_have_figures(void **state)
{
	static const struct sample job = { "x", 1000, 1000 };

	(void)state;
	for (unsigned how = 0; how < 9; how++) {
		enum reporting a = how / 3, b = how % 3;
		bool mixed = a == MIXED || b == MIXED || (a == BOTH && b == BOTH);
		struct setup s = { 0 };

		add_run(&s, false, &job, 1);
		add_run(&s, true, &job, 1);
		set_directions(s.res[0].jobs[0], a);
		set_directions(s.res[1].jobs[0], b);
		compare_setup(&s);
		assert_int_equal(s.err, 0);
		assert_int_equal(has(&s, 0, "mixed.iops"), mixed);
		assert_int_equal(has(&s, 0, "write.iops"), a != MIXED && b != MIXED);
		if (mixed)
			assert_mixed(&s, 0, 1500);
		fini(&s);
	}
}

/* All jobs of a group of which one is mixed. */
static void totals_of_unlike_jobs_are_mixed(void **state)
{
	static const struct sample job[] = { { "x", 1000, 1000 }, { "y", 1000, 1000 } };

	(void)state;
	for (unsigned how = APART; how <= BOTH; how++) {
		struct setup s = { 0 };

		for (unsigned side = 0; side < 2; side++) {
			add_run(&s, side, job, 2);
			set_directions(s.res[side].jobs[0], how);
			set_directions(s.res[side].jobs[1], how == APART ? MIXED : how);
		}
		compare_setup(&s);
		assert_int_equal(s.err, 0);
		assert_string_equal(s.c.jobs[2].name, "all jobs");
		assert_mixed(&s, 2, 3000);
		assert_int_equal(has(&s, 2, "write.iops"), how == BOTH);
		fini(&s);
	}
}

/* Jobs of a group that has other jobs in one of the runs have no total. */
static void totals_hold_the_same_jobs(void **state)
{
	static const struct sample a[] = { { "x", 1000, 1000 },
					   { "y", 2000, 1000 },
					   { "z", 5, 1000, NULL, NULL, 1 } };
	static const struct sample b[] = {
		{ "x", 1000, 1000 }, { "y", 2000, 1000 }, { "new", 5, 1000 }, { "z", 5, 1000, NULL, NULL, 1 }
	};
	struct setup s = { 0 };

	(void)state;
	add_run(&s, false, a, 3);
	add_run(&s, true, b, 4);
	compare_setup(&s);
	assert_int_equal(s.err, 0);
	assert_int_equal(s.c.njobs, 3);
	for (size_t i = 0; i < 3; i++)
		assert_false(s.c.jobs[i].total);
	fini(&s);
}

int unit_compare(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(jobs_are_paired_by_name),
		cmocka_unit_test(nothing_in_common_is_an_error),
		cmocka_unit_test(other_settings_are_refused),
		cmocka_unit_test(other_load_is_refused),
		cmocka_unit_test(other_load_options_are_refused),
		cmocka_unit_test(other_device_is_refused_and_scheduler_listed),
		cmocka_unit_test(the_same_run_is_refused),
		cmocka_unit_test(bad_ends_are_noted),
		cmocka_unit_test(repeated_runs_give_welchs_interval),
		cmocka_unit_test(rows_are_used_without_a_series),
		cmocka_unit_test(a_series_belongs_to_its_job),
		cmocka_unit_test(the_sum_of_hosts_has_the_series),
		cmocka_unit_test(mixed_jobs_have_all_directions),
		cmocka_unit_test(all_directions_have_figures),
		cmocka_unit_test(totals_of_unlike_jobs_are_mixed),
		cmocka_unit_test(totals_hold_the_same_jobs),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
