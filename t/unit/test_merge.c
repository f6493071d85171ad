/* Merge: does the sum of several results have the figures of one run with all of their I/Os? The expected
   values come from one snapshot that every I/O is added to, and from formulas. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include "files.h"
#include "merge.h"
#include "rng.h"

#define LEN 100000000u

static const struct wstat_layout layout = {
	.hist = { [DIR_READ] = { [LAT_CLAT] = 1, [LAT_RESP] = 2 },
		  [DIR_WRITE] = { [LAT_CLAT] = 3 },
		  [DIR_SYNC] = { [LAT_CLAT] = 4 } },
	.nhist = 4,
};

/* ---- snapshots with known I/Os ---- */

static void add_io(struct snapshot *s, unsigned dir, unsigned kind, uint64_t ns)
{
	struct wstat_dir *d = &s->st->dir[dir];

	moments_add(&d->lat[kind], ns);
	if (s->layout.hist[dir][kind])
		hist_add(&s->st->hist[s->layout.hist[dir][kind] - 1], ns);
	if (kind != LAT_CLAT)
		return;
	d->ios++;
	d->bytes += 4096;
	s->cnt.depth[0]++;
}

/* Adds n I/Os of each kind to every snapshot of v. */
static void add_ios(struct snapshot **v, unsigned snaps, struct rng *r, unsigned n)
{
	for (unsigned i = 0; i < n; i++) {
		uint64_t ns = rng_below(r, 1ull << (5 + rng_below(r, 35)));

		for (unsigned k = 0; k < snaps; k++) {
			add_io(v[k], DIR_READ, LAT_CLAT, ns);
			add_io(v[k], DIR_READ, LAT_RESP, 3 * ns);
			add_io(v[k], DIR_WRITE, LAT_CLAT, ns / 2);
			add_io(v[k], DIR_SYNC, LAT_CLAT, ns / 7);
		}
	}
}

static void begin_snapshot(struct snapshot *s)
{
	assert_int_equal(snap_init(s, &layout), 0);
	s->members = 1;
	s->cnt.runtime_ns[DIR_READ] = s->cnt.runtime_ns[DIR_WRITE] = s->cnt.job_runtime_ns = 2000000000;
	s->cnt.user_us = 500000;
}

/* ---- results ---- */

static struct result_job *add_job(struct result *r, const char *name, const struct snapshot *s, bool bins)
{
	static const struct summary_cfg cfg = { .percentiles_of[LAT_RESP] = true };
	struct result_job j = { .name = name, .rw = "randrw", .engine = "null" }, *own;

	own = result_add_job(r, &j);
	assert_non_null(own);
	assert_int_equal(result_set_snapshot(r, own, s, &cfg, bins), 0);
	return own;
}

static void begin_result(struct result *r, const char *host)
{
	result_init(r, "fiord", "1", "3.42");
	r->env.host = host;
	r->timestamp_ms = 1700000000000;
}

static struct result_merge *begin_merge(void)
{
	struct result_merge *m = result_merge_new("fiord", "1", "3.42", true);

	assert_non_null(m);
	return m;
}

static void finish_merge(struct result_merge *m, struct result *out)
{
	struct diag d = { 0 };

	assert_int_equal(result_merge_finish(m, out, &d), 0);
	result_merge_free(m);
	assert_true(out->client_stats);
	assert_string_equal(out->jobs[out->njobs - 1]->name, "All clients");
	assert_null(out->jobs[out->njobs - 1]->hostname);
}

static void add(struct result_merge *m, const struct result *r)
{
	struct diag d = { 0 };

	assert_int_equal(result_merge_add(m, r, "unknown", &d), 0);
}

static const struct result_job *last(const struct result *r)
{
	return r->jobs[r->njobs - 1];
}

static bool has_note(const struct notes *n, const char *words)
{
	for (size_t i = 0; i < n->count; i++)
		if (strstr(n->line[i], words))
			return true;
	return false;
}

/* ---- comparisons ---- */

static void same_bins(const struct result_bins *a, const struct result_bins *b)
{
	assert_int_equal(a->n, b->n);
	for (size_t i = 0; i < a->n; i++) {
		assert_int_equal(a->ns[i], b->ns[i]);
		assert_int_equal(a->count[i], b->count[i]);
	}
}

/* All figures of the latencies are the same bit by bit. */
static void same_figures(const struct result_job *a, const struct result_job *b)
{
	assert_memory_equal(a->counts.dir, b->counts.dir, sizeof(a->counts.dir));
	for (unsigned dir = 0; dir < DIR_COUNT; dir++)
		for (unsigned kind = 0; kind < LAT_KINDS; kind++)
			same_bins(&a->bins[dir][kind], &b->bins[dir][kind]);
	for (unsigned dir = 0; dir < DIR_DATA; dir++)
		assert_memory_equal(a->sum.dir[dir].lat, b->sum.dir[dir].lat, sizeof(a->sum.dir[dir].lat));
	assert_memory_equal(&a->sum.sync, &b->sum.sync, sizeof(a->sum.sync));
	assert_memory_equal(a->sum.lat_us, b->sum.lat_us, sizeof(a->sum.lat_us));
	assert_memory_equal(a->sum.depth, b->sum.depth, sizeof(a->sum.depth));
}

/* A job gives the snapshot that it was made from. */
static void test_inverse(void **state)
{
	struct snapshot s, back, *v[] = { &s };
	struct result r;
	struct rng rng;

	(void)state;
	rng_init(&rng, 1);
	begin_snapshot(&s);
	add_ios(v, 1, &rng, 1000);
	samples_add(&s.bw[0], 5);
	samples_add(&s.iops[3], 1.0 / 3);
	begin_result(&r, "a");
	assert_int_equal(result_snapshot(add_job(&r, "x", &s, true), &back), 0);
	assert_memory_equal(back.st->dir, s.st->dir, sizeof(s.st->dir));
	assert_memory_equal(&back.cnt, &s.cnt, sizeof(s.cnt));
	assert_memory_equal(back.bw, s.bw, sizeof(s.bw));
	assert_memory_equal(back.iops, s.iops, sizeof(s.iops));
	assert_int_equal(back.members, 1);
	for (unsigned dir = 0; dir < DIR_COUNT; dir++) {
		for (unsigned kind = 0; kind < LAT_KINDS; kind++) {
			unsigned a = s.layout.hist[dir][kind], b = back.layout.hist[dir][kind];

			assert_int_equal(!a, !b);
			if (a)
				assert_memory_equal(&s.st->hist[a - 1], &back.st->hist[b - 1],
						    sizeof(struct hist));
		}
	}
	snap_fini(&back);
	snap_fini(&s);
	result_free(&r);
}

/* Several results with different I/Os give the figures of one run with all of them, also in two steps. */
static void test_sum(void **state)
{
	struct result_merge *m = begin_merge(), *first = begin_merge(), *second = begin_merge();
	struct result out, part, twice, whole;
	struct snapshot all;
	struct rng rng;

	(void)state;
	rng_init(&rng, 2);
	begin_snapshot(&all);
	for (unsigned i = 0; i < 7; i++) {
		struct snapshot one, *v[] = { &one, &all };
		struct result r;

		begin_snapshot(&one);
		add_ios(v, 2, &rng, 1 + i * 500);
		begin_result(&r, i % 2 ? "odd" : "even");
		add_job(&r, "x", &one, true);
		add(m, &r);
		add(i < 4 ? first : second, &r);
		result_free(&r);
		snap_fini(&one);
	}
	begin_result(&whole, "all");
	all.cnt.job_runtime_ns *= 7;
	add_job(&whole, "x", &all, true);
	finish_merge(m, &out);
	assert_int_equal(out.njobs, 8);
	assert_string_equal(out.jobs[0]->hostname, "even");
	assert_string_equal(out.jobs[5]->hostname, "odd");
	same_figures(last(&out), whole.jobs[0]);
	assert_true(last(&out)->counts.exact);
	assert_int_equal(last(&out)->members, 7);
	assert_int_equal(last(&out)->sum.dir[DIR_READ].ios, 7 + 21 * 500);
	assert_true(fabs(last(&out)->sum.dir[DIR_READ].iops - (7 + 21 * 500) / 2.0) < 1e-6);
	assert_string_equal(last(&out)->rw, "randrw");
	assert_int_equal(out.ngroups, 1);
	assert_int_equal(out.groups[0].sum.dir[DIR_READ].bytes, (7 + 21 * 500) * 4096);

	finish_merge(first, &part);
	add(second, &part);
	finish_merge(second, &twice);
	assert_int_equal(twice.njobs, 8);
	assert_string_equal(twice.jobs[0]->hostname, "even");
	assert_string_equal(twice.jobs[6]->hostname, "odd");
	same_figures(last(&twice), last(&out));
	result_free(&part);
	result_free(&twice);
	result_free(&out);
	result_free(&whole);
	snap_fini(&all);
}

/* n copies have the percentiles, minimum, maximum and mean of one. */
static void test_copies(void **state)
{
	struct result_merge *m = begin_merge();
	struct snapshot s, *v[] = { &s };
	const struct summary_lat *one, *sum;
	struct result r, out;
	struct rng rng;

	(void)state;
	rng_init(&rng, 3);
	begin_snapshot(&s);
	add_ios(v, 1, &rng, 3000);
	begin_result(&r, "a");
	one = &add_job(&r, "x", &s, true)->sum.dir[DIR_READ].lat[LAT_RESP];
	for (unsigned i = 0; i < 100; i++)
		add(m, &r);
	finish_merge(m, &out);
	sum = &last(&out)->sum.dir[DIR_READ].lat[LAT_RESP];
	assert_int_equal(sum->n, 100 * one->n);
	assert_int_equal(sum->min, one->min);
	assert_int_equal(sum->max, one->max);
	assert_true(one->percentiles);
	assert_memory_equal(sum->value, one->value, sizeof(one->value));
	assert_true(fabs(sum->mean - one->mean) <= 1e-9 * one->mean);
	assert_true(fabs(sum->stddev / one->stddev -
			 sqrt((double)(one->n - 1) / (double)one->n / (1 - 1 / (double)sum->n))) < 1e-9);
	result_free(&out);
	result_free(&r);
	snap_fini(&s);
}

/* Where one result has no bins, no percentile stands for a part of the I/Os. */
static void test_missing_bins(void **state)
{
	struct result_merge *m = begin_merge();
	struct snapshot s, *v[] = { &s };
	struct result with, without, out;
	struct rng rng;

	(void)state;
	rng_init(&rng, 4);
	begin_snapshot(&s);
	add_ios(v, 1, &rng, 3000);
	begin_result(&with, "a");
	begin_result(&without, "b");
	add_job(&with, "x", &s, true);
	add_job(&without, "x", &s, false);
	add(m, &with);
	add(m, &without);
	finish_merge(m, &out);
	assert_true(out.jobs[0]->sum.dir[DIR_READ].lat[LAT_CLAT].percentiles);
	assert_false(last(&out)->sum.dir[DIR_READ].lat[LAT_CLAT].percentiles);
	assert_int_equal(last(&out)->bins[DIR_READ][LAT_CLAT].n, 0);
	assert_int_equal(last(&out)->sum.dir[DIR_READ].lat[LAT_CLAT].n, 6000);
	for (unsigned i = 0; i < SUMMARY_LAT_CELLS; i++)
		assert_true(fabs(last(&out)->sum.lat_us[i] - with.jobs[0]->sum.lat_us[i]) < 1e-9);
	assert_true(has_note(&out.notes, "1 of 2 entries have no bins"));
	result_free(&out);
	result_free(&with);
	result_free(&without);
	snap_fini(&s);
}

/* Entries with mixed directions and without: the sum is mixed and has all I/Os. */
static void test_mixed(void **state)
{
	struct result_merge *m = begin_merge();
	struct snapshot s, mixed, *v[] = { &s, &mixed };
	struct result_job *job;
	struct result a, b, out;
	struct rng rng;

	(void)state;
	rng_init(&rng, 5);
	begin_snapshot(&s);
	begin_snapshot(&mixed);
	add_ios(v, 2, &rng, 100);
	snap_mix(&mixed);
	begin_result(&a, "a");
	begin_result(&b, "b");
	add_job(&a, "x", &s, true);
	job = add_job(&b, "x", &mixed, true);
	job->mixed = true;
	add(m, &a);
	add(m, &b);
	finish_merge(m, &out);
	assert_true(last(&out)->mixed);
	assert_int_equal(last(&out)->sum.dir[DIR_READ].ios, 400);
	assert_int_equal(last(&out)->sum.dir[DIR_WRITE].ios, 0);
	assert_memory_equal(last(&out)->sum.dir[DIR_READ].lat[LAT_CLAT].value,
			    b.jobs[0]->sum.dir[DIR_READ].lat[LAT_CLAT].value,
			    sizeof(b.jobs[0]->sum.dir[DIR_READ].lat[LAT_CLAT].value));
	result_free(&out);
	result_free(&a);
	result_free(&b);
	snap_fini(&s);
	snap_fini(&mixed);
}

/* Two priorities on one host, one of them and a third on another. */
static void test_prios(void **state)
{
	static const uint64_t prio[2][2] = { { 1 << 13, 2 << 13 | 3 }, { 2 << 13 | 3, 3 << 13 } };
	struct result_merge *m = begin_merge();
	struct result out;

	(void)state;
	for (unsigned h = 0; h < 2; h++) {
		struct wstat_layout l = layout;
		struct snapshot s;
		struct result r;

		l.nprio = 2;
		l.prio_kind = LAT_CLAT;
		assert_int_equal(snap_init(&s, &l), 0);
		for (unsigned i = 0; i < 2; i++) {
			struct wstat_prio *p = &wstat_prios(s.st, &s.layout)[i];

			p->prio = prio[h][i];
			for (unsigned k = 0; k < 10 * (i + 1); k++) {
				add_io(&s, DIR_READ, LAT_CLAT, 100 * (h + 1));
				moments_add(&p->lat[DIR_READ], 100 * (h + 1));
				hist_add(&p->hist[DIR_READ], 100 * (h + 1));
			}
		}
		begin_result(&r, "a");
		add_job(&r, "x", &s, true);
		add(m, &r);
		result_free(&r);
		snap_fini(&s);
	}
	finish_merge(m, &out);
	assert_int_equal(last(&out)->nprios[DIR_READ], 3);
	assert_int_equal(last(&out)->prios[DIR_READ][1].sum.class, 2);
	assert_int_equal(last(&out)->prios[DIR_READ][1].sum.level, 3);
	assert_int_equal(last(&out)->prios[DIR_READ][1].sum.lat.n, 30);
	assert_int_equal(last(&out)->prios[DIR_READ][1].sum.lat.max, 200);
	assert_true(fabs(last(&out)->prios[DIR_READ][1].sum.share - 50) < 1e-9);
	result_free(&out);
}

/* A thousand priorities on ten hosts take the memory of some, and none is in the sum. The rest is. */
static void test_many_prios(void **state)
{
	struct result_merge *m = begin_merge();
	struct result out;

	(void)state;
	for (unsigned h = 0; h < 10; h++) {
		struct wstat_layout l = layout;
		struct snapshot s;
		struct result r;

		l.nprio = 100;
		l.prio_kind = LAT_CLAT;
		assert_int_equal(snap_init(&s, &l), 0);
		for (unsigned i = 0; i < l.nprio; i++) {
			struct wstat_prio *p = &wstat_prios(s.st, &s.layout)[i];

			p->prio = 1 << 13 | (100 * h + i) << 3;
			add_io(&s, DIR_READ, LAT_CLAT, 100);
			moments_add(&p->lat[DIR_READ], 100);
			hist_add(&p->hist[DIR_READ], 100);
		}
		begin_result(&r, "a");
		add_job(&r, "x", &s, true);
		add(m, &r);
		result_free(&r);
		snap_fini(&s);
	}
	finish_merge(m, &out);
	assert_int_equal(last(&out)->nprios[DIR_READ], 0);
	assert_int_equal(out.jobs[9]->nprios[DIR_READ], 100);
	assert_int_equal(last(&out)->sum.dir[DIR_READ].ios, 1000);
	assert_true(has_note(&out.notes, "more than 256 priorities"));
	result_free(&out);
}

/* ---- bad input ---- */

static void bytes(struct result_job *j)
{
	j->counts.dir[DIR_READ].bytes = UINT64_MAX / 2 + 1;
}

static void depths(struct result_job *j)
{
	j->counts.cnt.depth[3] = UINT64_MAX / 6;
}

static void switches(struct result_job *j)
{
	j->counts.cnt.ctx = UINT64_MAX / 2 + 1;
}

static void square_sums(struct result_job *j)
{
	j->counts.dir[DIR_READ].lat[LAT_CLAT] = (struct moments){ .n = 1, .sq_hi = UINT64_MAX };
}

/* They fit for each direction, but not together. */
static void two_dirs(struct result_job *j)
{
	for (unsigned dir = 0; dir < 2; dir++)
		j->counts.dir[dir].lat[LAT_CLAT] = (struct moments){ .n = 1, .sum = UINT64_MAX / 3 };
}

static void rates(struct result_job *j)
{
	j->counts.bw[DIR_READ] = (struct samples){ .n = 2, .min = 1, .max = 1e308, .sum = 1.5e308 };
}

static void step_bytes(struct result_job *j)
{
	static struct result_rate_step step = { .dir[DIR_READ].done_bytes = UINT64_MAX / 2 + 1 };

	j->rate_steps = (struct result_rate_steps){ .dirs = 1u << DIR_READ, .steps = &step, .nsteps = 1 };
}

static void step_latencies(struct result_job *j)
{
	static struct result_rate_step step = { .dir[DIR_READ].lat[STEP_RESP].sum = { .n = 2,
										      .max = UINT64_MAX / 2,
										      .sum = UINT64_MAX / 2 +
											     1 } };

	j->rate_steps = (struct result_rate_steps){ .dirs = 1u << DIR_READ, .steps = &step, .nsteps = 1 };
}

static void (*const too_large[])(struct result_job *) = { bytes,    depths, switches,   square_sums,
							  two_dirs, rates,  step_bytes, step_latencies };

/* ---- files ---- */

static void add_files(struct result *r, struct result_job *j, const char *path, uint64_t ns)
{
	const uint64_t mid = hist_mid(hist_index(ns)), one = 1;
	const struct result_bins bins = { &mid, &one, 1 };
	struct file_dir d = { .ios = 1, .bytes = 4096, .errors = 2 };

	d.lat[FILE_CLAT] = (struct moments){ .n = 1, .min = ns, .max = ns, .sum = ns, .sq_lo = ns * ns };
	j->files.on = j->files.percentiles = true;
	result_file_add(r, result_files_find(r, &j->files, NULL, path), DIR_READ, &d, &bins);
	result_files_finish(r, &j->files, &j->sum);
}

/* ---- latency_split ---- */

/* A part that `n` requests have, each of them `ns`, which is in the middle of a bucket. */
static struct result_split_part split_part(uint64_t *ns, uint64_t *n)
{
	return (struct result_split_part){
		.n = *n, .mean = (double)*ns, .max = *ns, .bins = { .ns = ns, .count = n, .n = 1 }
	};
}

/* Adds a result of a host whose job has one row. */
static void add_split(struct result_merge *m, const char *host, uint64_t ns, uint64_t n, bool bins)
{
	struct result r;
	struct snapshot s;
	struct result_split row = { .disk = host, .dir = "read", .requests = n, .measured = n };
	struct result_job *job;
	struct rng rng;

	rng_init(&rng, n);
	begin_snapshot(&s);
	add_ios(&(struct snapshot *){ &s }, 1, &rng, (unsigned)n / 2);
	begin_result(&r, host);
	job = add_job(&r, "a", &s, true);
	row.submission = row.scheduler = row.device = split_part(&ns, &n);
	row.completion_known = true;
	row.completion.mean = (double)ns;
	row.device.bins.n = bins;
	result_job_split(&r, job, &row);
	add(m, &r);
	result_free(&r);
	snap_fini(&s);
}

static void test_split(void **state)
{
	struct result_merge *m = begin_merge();
	const struct result_split *sum;
	struct result out;

	(void)state;
	add_split(m, "one", 100, 30, true);
	add_split(m, "two", 20, 10, true);
	finish_merge(m, &out);
	assert_int_equal(last(&out)->nsplits, 1);
	sum = last(&out)->splits;
	assert_string_equal(sum->disk, "all disks");
	assert_int_equal(sum->requests, 40);
	assert_true(sum->requests_per_io == 2);
	assert_int_equal(sum->device.n, 40);
	assert_true(sum->device.mean == 80); /* (30 * 100 + 10 * 20) / 40 */
	assert_int_equal(sum->device.max, 100);
	assert_int_equal(sum->device.p50, 100);
	assert_true(sum->completion_known && !sum->completion.n && sum->completion.mean == 80);
	assert_true(sum->device_percent == 25);
	assert_int_equal(sum->tail.n, 0);
	result_free(&out);

	m = begin_merge();
	add_split(m, "one", 100, 30, true);
	add_split(m, "two", 20, 10, false);
	finish_merge(m, &out);
	assert_int_equal(last(&out)->nsplits, 0);
	assert_true(has_note(&out.notes, "has no parts of the latency of requests"));
	result_free(&out);
}

/* Each worker adds other latencies. The memory of the lists that were too short must not grow with the number
   of workers. */
static void test_bins_memory(void **state)
{
	struct result r;
	struct result_file file = { .path = "/f" };
	const struct file_dir counts = { .ios = 2 };
	const struct result_file_dir *d;
	const uint64_t *before = NULL;
	size_t total = 0;

	(void)state;
	begin_result(&r, "a");
	for (int i = 0; i < 2 * HIST_BUCKETS; i++) {
		/* Every bin twice: in the list of the one before, and in an own one. */
		int at = i % HIST_BUCKETS * 7 % HIST_BUCKETS, next = (at + 7) % HIST_BUCKETS;
		const uint64_t ns[] = { (uint64_t)(at < next ? at : next),
					(uint64_t)(at < next ? next : at) };
		const uint64_t count[] = { 1, 1 };

		result_file_add(&r, &file, DIR_READ, &counts, &(struct result_bins){ ns, count, 2 });
		d = file.dir[DIR_READ];
		if (d->bins.ns != before)
			total += d->room;
		before = d->bins.ns;
	}
	assert_in_range(total, HIST_BUCKETS, 2 * HIST_BUCKETS);
	assert_int_equal(d->bins.n, HIST_BUCKETS);
	for (size_t i = 0; i < d->bins.n; i++) {
		assert_int_equal(d->bins.ns[i], i);
		assert_int_equal(d->bins.count[i], 4);
	}
	result_free(&r);
}

/* Merges one result of host "a" with files, and one more: of the same host, of another, or without files. */
static const struct result_job *merge_files(struct result *out, const char *host, bool files)
{
	struct result_merge *m = begin_merge();
	struct snapshot s;

	begin_snapshot(&s);
	for (unsigned i = 0; i < 2; i++) {
		struct result r;
		struct result_job *j;

		begin_result(&r, i ? host : "a");
		j = add_job(&r, "x", &s, true);
		if (!i || files) {
			add_files(&r, j, "/one", 100 + i);
			add_files(&r, j, i ? "/three" : "/two", 5);
		}
		add(m, &r);
		result_free(&r);
	}
	finish_merge(m, out);
	snap_fini(&s);
	return last(out);
}

/* Files of one path are one file on one host, and two on two hosts. */
static void test_files(void **state)
{
	const struct result_job *all;
	const struct result_file_dir *d;
	struct result out;

	(void)state;
	all = merge_files(&out, "a", true);
	assert_int_equal(all->files.n, 3);
	d = all->files.file[0].dir[DIR_READ];
	assert_string_equal(all->files.file[0].host, "a");
	assert_int_equal(d->counts.ios, 2);
	assert_int_equal(d->counts.errors, 4);
	assert_int_equal(d->counts.lat[FILE_CLAT].sum, 201);
	assert_int_equal(d->bins.n, 2);
	assert_non_null(d->percentile);
	assert_int_equal(out.jobs[0]->files.n, 2); /* the entries have their own */
	assert_int_equal(out.jobs[1]->files.file[0].dir[DIR_READ]->counts.lat[FILE_CLAT].sum, 101);
	assert_null(out.jobs[1]->files.file[0].host);
	result_free(&out);
	all = merge_files(&out, "b", true);
	assert_int_equal(all->files.n, 4);
	assert_string_equal(all->files.file[2].path, "/one");
	assert_string_equal(all->files.file[2].host, "b");
	result_free(&out);
	all = merge_files(&out, "b", false);
	assert_false(all->files.on);
	assert_true(out.jobs[0]->files.on);
	assert_true(has_note(&out.notes, "1 of 2 entries have no counts of files"));
	result_free(&out);
}

/* ---- steps ---- */

/* Two hosts with one step: the rate of a host that ran a part of the step counts for this part. */
static void test_steps(void **state)
{
	static const struct {
		uint64_t rate[2], length_ns[2], expected;
	} rows[] = {
		{ { 2000, 3000 }, { 1000000000, 1000000000 }, 5000 },
		{ { 2000, 3000 }, { 1000000000, 990000000 }, 5000 }, /* as good as the same time */
		{ { 2000, 2000 }, { 1000000000, 500000000 }, 3000 },
		{ { 2000, 2000 }, { 500000000, 1000000000 }, 3000 },
		{ { 2000, 2000 }, { 0, 1000000000 }, 2000 },
		{ { 2000, 2000 }, { 0, 0 }, 4000 }, /* a step that did not begin */
		{ { UINT64_MAX, UINT64_MAX }, { 1000000000, 900000000 }, UINT64_MAX },
	};
	struct snapshot s;

	(void)state;
	begin_snapshot(&s);
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct result_merge *m = begin_merge();
		struct result out;

		for (unsigned k = 0; k < 2; k++) {
			struct result_rate_step step = { .length_ns = rows[i].length_ns[k] };
			struct result r;

			step.dir[DIR_READ].rate = rows[i].rate[k];
			begin_result(&r, k ? "b" : "a");
			add_job(&r, "x", &s, true)->rate_steps = (struct result_rate_steps){
				.dirs = 1u << DIR_READ, .steps = &step, .nsteps = 1
			};
			add(m, &r);
			result_free(&r);
		}
		finish_merge(m, &out);
		assert_int_equal(last(&out)->rate_steps.nsteps, 1);
		assert_int_equal(last(&out)->rate_steps.steps[0].dir[DIR_READ].rate, rows[i].expected);
		result_free(&out);
	}
	snap_fini(&s);
}

static void test_refused(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(too_large) / sizeof(*too_large); i++) {
		struct result_merge *m = begin_merge();
		struct result good, bad, out;
		struct diag d = { 0 };
		struct snapshot s;
		int ret;

		begin_result(&good, "a");
		add(m, &good);
		assert_int_equal(result_merge_finish(m, &out, &d), -EINVAL);
		diag_fini(&d);
		begin_snapshot(&s);
		add_job(&good, "x", &s, true);
		add(m, &good);
		begin_result(&bad, "a");
		too_large[i](add_job(&bad, "x", &s, true));
		d = (struct diag){ 0 };
		ret = result_merge_add(m, &bad, "b", &d);
		if (!ret)
			ret = result_merge_add(m, &bad, "c", &d);
		assert_int_equal(ret, -EOVERFLOW);
		assert_non_null(strstr(diag_text(&d), "too large"));
		diag_fini(&d);
		result_merge_free(m);
		result_free(&good);
		result_free(&bad);
		snap_fini(&s);
	}
}

/* ---- series ---- */

static void add_cell(struct series *s, uint64_t first, uint64_t ios)
{
	const struct ival head = { .first = first, .intervals = 1 };
	const struct ival_dir dir = { .ios = ios, .bytes = ios * 512 };
	const struct ival_lat lat = { .n = ios, .sum = ios * 100, .min = 100, .max = 100 };
	unsigned char buf[200];
	struct ival_out o;
	struct ival v;

	ival_begin(&o, buf, sizeof(buf), &head);
	ival_put_dir(&o, DIR_READ, &dir);
	ival_put_lat(&o, LAT_CLAT, &lat);
	ival_put_bin(&o, 100, ios);
	assert_true(ival_read(&v, buf, ival_end(&o, buf)));
	series_add(s, 0, 0, LAT_CLAT, &v);
}

/* Cells of 1, 2, 3 ... I/Os from start_ms on, in intervals of len_ns. */
static void set_series(struct result *r, uint64_t start_ms, uint64_t len_ns, unsigned cells, const char *name)
{
	const struct result_series_label label = { .name = name, .in_report = true };
	struct series s;

	series_fini(&r->series.data);
	assert_int_equal(series_init(&s, 1, len_ns, 1 << 20), 0);
	for (unsigned i = 0; i < cells; i++)
		add_cell(&s, i, i + 1);
	result_move_series(r, &s, &label, start_ms);
}

static uint64_t ios_at(const struct result *r, unsigned group, size_t i)
{
	struct ival v;

	assert_true(i < r->series.data.groups[group].cells.n);
	series_get(&r->series.data, group, i, &v);
	return v.dir[DIR_READ].ios;
}

static uint64_t all_ios(const struct result *r, unsigned group)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < r->series.data.groups[group].cells.n; i++)
		sum += ios_at(r, group, i);
	return sum;
}

static const struct {
	const char *label;
	uint64_t start_ms[2], len_ns[2];
	unsigned cells[2];
	const char *name[2];
	bool none;                       /* nothing in common */
	uint64_t merged_ms, interval_ms; /* when the merged series begins, and its interval */
	unsigned groups;
	uint64_t first[3]; /* I/Os of the first three intervals of the first group */
} courses[] = {
	{ "at once",
	  { 1700000000000, 1700000000000 },
	  { LEN, LEN },
	  { 5, 5 },
	  { "x", "x" },
	  false,
	  1700000000000,
	  100,
	  1,
	  { 2, 4, 6 } },
	{ "the second host 200 ms later",
	  { 1700000000000, 1700000000200 },
	  { LEN, LEN },
	  { 5, 5 },
	  { "x", "x" },
	  false,
	  1700000000000,
	  100,
	  1,
	  { 1, 2, 3 + 1 } },
	{ "the second host earlier, and not on the grid",
	  { 1700000000200, 1700000000010 },
	  { LEN, LEN },
	  { 5, 5 },
	  { "x", "x" },
	  false,
	  1700000000000,
	  100,
	  1,
	  { 1, 2, 3 + 1 } },
	{ "intervals of another length",
	  { 1700000000000, 1700000000000 },
	  { LEN, 2 * LEN },
	  { 4, 2 },
	  { "x", "x" },
	  false,
	  1700000000000,
	  200,
	  1,
	  { 1 + 2 + 1, 3 + 4 + 2, 0 } },
	{ "jobs of other names",
	  { 1700000000000, 1700000000000 },
	  { LEN, LEN },
	  { 5, 5 },
	  { "x", "y" },
	  false,
	  1700000000000,
	  100,
	  2,
	  { 1, 2, 3 } },
	{ "one after the other",
	  { 1700000000000, 1700000001000 },
	  { LEN, LEN },
	  { 5, 5 },
	  { "x", "x" },
	  true,
	  0,
	  0,
	  0,
	  { 0 } },
};

static void test_series(void **state)
{
	(void)state;
	for (size_t c = 0; c < sizeof(courses) / sizeof(*courses); c++) {
		struct result_merge *m = begin_merge();
		uint64_t ios = 0, all = 0;
		struct result out;

		for (unsigned i = 0; i < 2; i++) {
			struct snapshot s;
			struct result r;

			begin_snapshot(&s);
			begin_result(&r, "a");
			add_job(&r, "x", &s, true);
			set_series(&r, courses[c].start_ms[i], courses[c].len_ns[i], courses[c].cells[i],
				   courses[c].name[i]);
			add(m, &r);
			result_free(&r);
			snap_fini(&s);
			ios += courses[c].cells[i] * (courses[c].cells[i] + 1) / 2;
		}
		finish_merge(m, &out);
		print_message("%s\n", courses[c].label);
		assert_int_equal(out.series.on, !courses[c].none);
		assert_int_equal(has_note(&out.notes, "no moment at which all"), courses[c].none);
		assert_int_equal(out.series.data.ngroups, courses[c].groups);
		for (unsigned g = 0; g < courses[c].groups; g++)
			all += all_ios(&out, g);
		if (!courses[c].none) {
			assert_int_equal(all, ios);
			assert_int_equal(out.series.start_ms, courses[c].merged_ms);
			assert_int_equal(series_interval_ns(&out.series.data),
					 courses[c].interval_ms * 1000000);
			assert_false(out.series.data.failed);
		}
		for (unsigned i = 0; i < 3 && courses[c].first[i]; i++)
			assert_int_equal(ios_at(&out, 0, i), courses[c].first[i]);
		result_free(&out);
	}
}

/* A result without a series makes the merged one incomplete, and is named. */
static void test_missing_series(void **state)
{
	struct result_merge *m = begin_merge();
	struct result r, out;
	struct snapshot s;

	(void)state;
	begin_snapshot(&s);
	begin_result(&r, "a");
	add_job(&r, "x", &s, true);
	add(m, &r);
	set_series(&r, 1700000000000, LEN, 3, "x");
	add(m, &r);
	finish_merge(m, &out);
	assert_true(out.series.data.failed);
	assert_true(has_note(&out.notes, "1 of 2 results have no series"));
	assert_int_equal(all_ios(&out, 0), 6);
	result_free(&out);
	result_free(&r);
	snap_fini(&s);
}

int unit_merge(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_inverse),    cmocka_unit_test(test_sum),
		cmocka_unit_test(test_copies),     cmocka_unit_test(test_missing_bins),
		cmocka_unit_test(test_mixed),      cmocka_unit_test(test_prios),
		cmocka_unit_test(test_many_prios), cmocka_unit_test(test_refused),
		cmocka_unit_test(test_series),     cmocka_unit_test(test_missing_series),
		cmocka_unit_test(test_files),      cmocka_unit_test(test_steps),
		cmocka_unit_test(test_split),      cmocka_unit_test(test_bins_memory),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
