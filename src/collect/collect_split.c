#include "collect_split.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "clock.h"
#include "counts.h"
#include "cpu_counters.h"
#include "hist.h"
#include "job_snapshot.h"
#include "plan.h"
#include "region.h"
#include "result.h"
#include "run.h"
#include "split.h"
#include "vec.h"

/* At most this many others are listed for each disk; the rest is one row. */
#define OTHERS_MAX 8

/* ---- during the run ---- */

static bool is_split(const struct plan_job *pj)
{
	return pj->job->opts.report.latency_split && !(pj->job->engine->caps & ENG_NOIO);
}

void run_split_start(struct run_split *s, const struct plan *p)
{
	struct cpu_counters counters = { 0 };
	struct split_cfg cfg = { .entries = p->nreports, .phase = PHASE_RUN };

	for (uint32_t i = 0; i < p->njobs; i++) {
		cfg.workers += is_split(&p->jobs[i]);
		cfg.inflight += is_split(&p->jobs[i]) ? p->jobs[i].depth : 0;
		cfg.all |= is_split(&p->jobs[i]) &&
			   p->jobs[i].job->opts.report.latency_split == LATENCY_SPLIT_ALL;
	}
	if (!cfg.workers)
		return;
	s->split = split_start(&cfg, s->why, sizeof(s->why));
	s->course = s->split ? split_course_new(p) : NULL;
	s->no_counters = -cpu_counters_open(&counters);
	cpu_counters_close(&counters);
}

void run_split_wave(struct run_split *s, const struct run *run, uint32_t wave)
{
	if (s->course)
		split_course_begin(s->course, clock_ns());
	for (uint32_t i = 0; s->split && i < run->plan->njobs; i++) {
		const struct plan_job *pj = &run->plan->jobs[i];
		struct slot *slot = run_slot(run, i);
		struct split_worker w = { .tid = slot->pid,
					  .entry = pj->report,
					  .stamp_ns = &slot->submit_ns,
					  .phase = &run->region.phases[i],
					  .counts = slot_stat(slot),
					  .single = pj->depth == 1 };

		/* At depth 1 the loop stores the time of the submission in its only I/O. */
		if (pj->depth == 1)
			w.stamp_ns = &slot_ios(slot, &pj->layout)->start_ns;
		if (pj->wave == wave && is_split(pj) && slot->pid)
			split_add_worker(s->split, &w);
	}
	if (s->split)
		split_begin(s->split);
}

uint64_t run_split_due_ns(const struct run_split *s)
{
	uint64_t course = s->course ? split_course_due_ns(s->course) : 0;
	uint64_t windows = s->split ? split_due_ns(s->split) : 0;

	return !course || (windows && windows < course) ? windows : course;
}

void run_split_tick(struct run_split *s)
{
	if (s->course)
		split_course_tick(s->course, s->split, clock_ns());
	if (s->split)
		split_tick(s->split);
}

void run_split_fini(struct run_split *s)
{
	split_course_free(s->course);
	s->course = NULL;
	split_free(s->split);
	s->split = NULL;
}

/* ---- the result ---- */

/* The counts of the BPF programs, before they are added to the result. */
struct own {
	struct split_key key;
	struct result_split row;
	struct result_split_part completion; /* of I/Os that became one request each */
	struct split_sample sample;
};
struct other {
	struct split_other_key key;
	struct split_other counts;
};
struct found {
	struct result *result;
	const struct split_course *course; /* NULL: not known */
	struct own *rows;
	size_t nrows, rows_cap;
	struct other *others;
	size_t nothers, others_cap;
	bool failed; /* memory was short */
};

static struct result_split_part split_part_of(struct result *r, const struct split_times *t, struct hist *h)
{
	struct result_split_part part = { .max = t->max };

	hist_reset(h);
	for (unsigned i = 0; i < SPLIT_BUCKETS; i++)
		if (t->buckets[i])
			hist_add_bucket(h, i, t->buckets[i]);
	part.n = hist_total(h);
	result_set_split_part(r, &part, h);
	part.mean = part.n ? (double)t->sum / (double)part.n : 0;
	return part;
}

/* Finds the slowest hundredth of the requests. Of the lowest bucket that it needs, it takes a share. */
static struct result_split_tail tail_of(const struct split_stats *s)
{
	struct result_split_tail tail = { 0 };
	double sum[SPLIT_PARTS] = { 0 }, all = 0, left;
	uint64_t n = 0;

	for (unsigned i = 0; i < SPLIT_TOTALS; i++)
		n += s->totals[i].n;
	tail.n = n / 100;
	left = (double)tail.n;
	for (unsigned i = SPLIT_TOTALS; i-- > 0 && left > 0;) {
		const struct split_total *t = &s->totals[i];
		double share = (double)t->n > left ? left / (double)t->n : 1;

		for (unsigned part = 0; part < SPLIT_PARTS; part++)
			sum[part] += share * (double)t->sum[part];
		left -= share * (double)t->n;
	}
	for (unsigned part = 0; part < SPLIT_PARTS; part++)
		all += sum[part];
	if (!tail.n || all <= 0)
		return (struct result_split_tail){ 0 };
	tail.mean = all / (double)tail.n;
	tail.submission_percent = 100 * sum[SPLIT_SUBMISSION] / all;
	tail.scheduler_percent = 100 * sum[SPLIT_SCHEDULER] / all;
	tail.device_percent = 100 * sum[SPLIT_DEVICE] / all;
	tail.completion_percent = 100 * sum[SPLIT_COMPLETION] / all;
	tail.has_completion = sum[SPLIT_COMPLETION] > 0;
	return tail;
}

static void add_own(void *arg, const struct split_key *key, const struct split_stats *stats,
		    struct split_sample sample)
{
	struct found *f = arg;
	struct own own = { .key = *key, .sample = sample };
	struct hist *h = calloc(1, sizeof(*h));

	if (!h) {
		f->failed = true;
		return;
	}
	hist_init(h);
	own.row.dir = counts_dir_name[key->dir];
	own.row.helper_requests = stats->helper_requests;
	own.row.submission = split_part_of(f->result, &stats->parts[SPLIT_SUBMISSION], h);
	own.row.scheduler = split_part_of(f->result, &stats->parts[SPLIT_SCHEDULER], h);
	own.row.device = split_part_of(f->result, &stats->parts[SPLIT_DEVICE], h);
	own.completion = split_part_of(f->result, &stats->parts[SPLIT_COMPLETION], h);
	own.row.tail = tail_of(stats);
	own.row.measured = stats->measured;
	own.row.requests = own.row.device.n;
	free(h);
	if (own.row.measured)
		f->failed |= !VEC_ADD(f->rows, f->nrows, f->rows_cap, own);
}

static void add_other(void *arg, const struct split_other_key *key, const struct split_other *counts)
{
	struct found *f = arg;
	struct other other = { *key, *counts };

	f->failed |= !VEC_ADD(f->others, f->nothers, f->others_cap, other);
}

static int compare_own(const void *a, const void *b)
{
	const struct split_key *x = &((const struct own *)a)->key, *y = &((const struct own *)b)->key;

	if (x->entry != y->entry)
		return x->entry < y->entry ? -1 : 1;
	if (x->dev != y->dev)
		return x->dev < y->dev ? -1 : 1;
	return (x->dir > y->dir) - (x->dir < y->dir);
}

/* The most requests come first. */
static int compare_others(const void *a, const void *b)
{
	const struct other *x = a, *y = b;

	if (x->counts.requests != y->counts.requests)
		return x->counts.requests < y->counts.requests ? 1 : -1;
	return memcmp(&x->key, &y->key, sizeof(x->key));
}

/* Returns how many requests all processes sent to the disk. */
static uint64_t requests_of(const struct found *f, uint32_t dev)
{
	uint64_t n = 0;

	for (size_t i = 0; i < f->nrows; i++)
		n += f->rows[i].key.dev == dev ? f->rows[i].row.requests : 0;
	for (size_t i = 0; i < f->nothers; i++)
		n += f->others[i].key.dev == dev ? f->others[i].counts.requests : 0;
	return n;
}

/* Returns how many requests an entry has in one direction on all disks. Of a sample, each counts as many as
   it stands for. */
static uint64_t on_all_disks(const struct found *f, const struct split_key *key)
{
	uint64_t n = 0;

	for (size_t i = 0; i < f->nrows; i++)
		if (f->rows[i].key.entry == key->entry && f->rows[i].key.dir == key->dir)
			n += f->rows[i].row.device.n;
	return n;
}

/* Estimates the requests of rows with a sample. The number of all I/Os is known, and how many requests an I/O
   became while the programs measured. Each disk gets its share of these requests. */
static void estimate_requests(const struct found *f, struct result_job *const *jobs)
{
	for (size_t i = 0; i < f->nrows; i++) {
		struct own *own = &f->rows[i];
		const struct result_job *job = jobs[own->key.entry];
		double share = (double)own->row.device.n / (double)on_all_disks(f, &own->key);
		double n;

		if (!job || job->mixed || own->sample.requests_per_io <= 0 || own->row.helper_requests)
			continue;
		n = (double)job->sum.dir[own->key.dir].ios * own->sample.requests_per_io * share;
		own->row.requests = n > (double)own->row.measured ? (uint64_t)(n + 0.5) : own->row.measured;
	}
}

/* Returns whether each of the entry's I/Os in this direction became one request, on this disk. A run that
   begins or ends with I/Os in flight has some requests more or fewer, and the estimate of a sample has an
   error. */
static bool has_one_request_each(const struct found *f, size_t at, uint64_t ios)
{
	const struct own *own = &f->rows[at];
	uint64_t spare = ios / (own->row.measured < own->row.device.n ? 20 : 50);

	for (size_t i = 0; i < f->nrows; i++)
		if (i != at && f->rows[i].key.entry == own->key.entry && f->rows[i].key.dir == own->key.dir)
			return false;
	return own->row.submission.n == own->row.device.n && own->row.requests + spare >= ios &&
	       own->row.requests <= ios + spare;
}

/* Compares the number of requests with that of the job's I/Os, and their times with lat. The programs delay
   the requests of a sample, so it takes the lat of I/Os in the same windows. */
static void compare_with_ios(struct found *f, size_t at, const struct result_job *job)
{
	struct own *own = &f->rows[at];
	struct result_split *row = &own->row;
	const struct summary_dir *dir = &job->sum.dir[own->key.dir];
	double lat = own->sample.lat_ns > 0 ? own->sample.lat_ns : dir->lat[LAT_LAT].mean, parts;

	if (job->mixed || !dir->ios)
		return;
	row->requests_per_io = (double)row->requests / (double)dir->ios;
	if (!dir->lat[LAT_LAT].n || lat <= 0 || !has_one_request_each(f, at, dir->ios))
		return;
	parts = row->submission.mean + row->scheduler.mean + row->device.mean;
	row->completion_known = true;
	row->completion = own->completion;
	if (!row->completion.n)
		row->completion.mean = lat > parts ? lat - parts : 0;
	row->device_percent = 100 * row->device.mean / (lat > parts ? lat : parts);
}

static void list_others(struct result *r, struct result_job *job, const struct found *f, uint32_t dev,
			const char *disk)
{
	struct result_split_other rest = { .disk = disk, .name = "others" };
	double all = (double)requests_of(f, dev);
	unsigned listed = 0;

	for (size_t i = 0; i < f->nothers; i++) {
		const struct other *o = &f->others[i];
		struct result_split_other row = { .disk = disk,
						  .name = o->key.comm,
						  .kernel = o->key.kernel,
						  .requests = o->counts.requests,
						  .bytes = o->counts.bytes,
						  .percent = 100 * (double)o->counts.requests / all };

		if (o->key.dev != dev || !o->counts.requests)
			continue;
		if (listed++ < OTHERS_MAX) {
			result_job_split_other(r, job, &row);
			continue;
		}
		rest.requests += row.requests;
		rest.bytes += row.bytes;
		rest.percent += row.percent;
	}
	if (rest.requests)
		result_job_split_other(r, job, &rest);
}

/* Returns the job of each entry of the report; NULL: all its members have stats=0. The caller frees the list.
 */
static struct result_job **list_jobs(const struct plan *p, const struct result *r)
{
	struct result_job **jobs = calloc(p->nreports ? p->nreports : 1, sizeof(struct result_job *));
	uint32_t at = 0;

	for (uint32_t report = 0; jobs && report < p->nreports; report++) {
		const uint32_t *member;
		uint32_t n = plan_members(p, report, &member), i = 0;

		while (i < n && !p->jobs[member[i]].job->opts.report.stats)
			i++;
		if (i < n && at < r->njobs)
			jobs[report] = r->jobs[at++];
	}
	return jobs;
}

static void add_split_rows(struct found *f, struct result *r, struct result_job *const *jobs)
{
	for (size_t i = 0; i < f->nrows; i++) {
		struct own *own = &f->rows[i];
		struct result_job *job = jobs[own->key.entry];
		bool new_disk = !i || own[-1].key.entry != own->key.entry || own[-1].key.dev != own->key.dev;
		char disk[64];

		if (!job)
			continue;
		split_disk_name(own->key.dev, disk, sizeof(disk));
		own->row.disk = disk;
		compare_with_ios(f, i, job);
		if (f->course)
			split_course_result(f->course, &own->key, r, &own->row);
		result_job_split(r, job, &own->row);
		if (new_disk)
			list_others(r, job, f, own->key.dev, disk);
	}
}

static void note_jobs_without(const struct plan *p, struct result_job *const *jobs)
{
	for (uint32_t i = 0; i < p->njobs; i++) {
		struct result_job *job = is_split(&p->jobs[i]) ? jobs[p->jobs[i].report] : NULL;

		if (job && !job->nsplits && !p->jobs[i].clone && summary_has_io(&job->sum))
			result_job_note(job,
					"{latency_split=1}: no request of the job reached a block device "
					"with a queue while its I/Os were measured: the data were in the "
					"page cache, in memory or on a network file system, or other threads "
					"did the I/O");
	}
}

static void note_missing(struct result *r, uint64_t n, const char *why)
{
	if (n)
		result_note(r, "{latency_split=1}: %" PRIu64 " request%s not counted: %s", n,
			    n == 1 ? " was" : "s were", why);
}

static void note_all_missing(struct result *r, const struct split_missing *m)
{
	char why[200] = "the BPF programs missed the issue or the completion";

	if (m->skipped)
		snprintf(why + strlen(why), sizeof(why) - strlen(why),
			 "; the kernel skipped a BPF program %" PRIu64
			 " time%s, because it would have interrupted itself",
			 m->skipped, m->skipped == 1 ? "" : "s");
	note_missing(r, m->unlisted, "there was no room for more pairs of a job and a disk");
	note_missing(r, m->unseen, why);
	note_missing(
		r, m->outlived,
		"the sample follows the requests of a window for 2 s, and saw no completion in that time");
	note_missing(r, m->in_parts, "the driver completes requests in parts");
}

/* Returns how many requests all jobs and other processes sent, counted or estimated. */
static uint64_t all_requests(const struct found *f)
{
	uint64_t n = 0;

	for (size_t i = 0; i < f->nrows; i++)
		n += f->rows[i].row.requests;
	for (size_t i = 0; i < f->nothers; i++)
		n += f->others[i].counts.requests;
	return n;
}

static void note_cost(struct result *r, uint64_t ns, uint64_t requests)
{
	if (ns && requests)
		result_note(
			r,
			"{latency_split=1}: the BPF programs took %.0f ns of CPU time for each request to a "
			"disk; the kernel counts this (kernel.bpf_stats_enabled), and a part of it is the "
			"cost of counting",
			(double)ns / (double)requests);
}

static void add_result(struct found *f, const struct plan *p, const struct split_missing *missing)
{
	struct result *r = f->result;
	struct result_job **jobs = list_jobs(p, r);

	if (f->nrows)
		qsort(f->rows, f->nrows, sizeof(*f->rows), compare_own);
	if (f->nothers)
		qsort(f->others, f->nothers, sizeof(*f->others), compare_others);
	f->failed |= !jobs;
	if (!jobs)
		return;
	estimate_requests(f, jobs);
	add_split_rows(f, r, jobs);
	for (size_t i = 0; i < r->njobs; i++)
		collect_split_notes(r->jobs[i]);
	if (!missing->unlisted)
		note_jobs_without(p, jobs);
	note_all_missing(r, missing);
	free(jobs);
}

static const char *no_counters_text(int err)
{
	if (err == ENOENT || err == EOPNOTSUPP)
		return "the CPUs have no counters, as in many virtual machines";
	if (err == EPERM || err == EACCES)
		return "kernel.perf_event_paranoid or a container's seccomp profile forbids perf events";
	return diag_errno(err);
}

void run_split_result(struct run_split *s, const struct plan *p, struct result *r)
{
	struct found f = { .result = r, .course = s->course };
	struct split_reader reader = { &f, add_own, add_other };
	struct split_missing missing = { 0 };

	if (*s->why)
		result_note(r, "{latency_split=1}: %s; the run went on without it", s->why);
	if (s->no_counters)
		result_note(r,
			    "{latency_split=1}: instructions and cycles are not counted, because %s; self "
			    "has the CPU time per I/O",
			    no_counters_text(s->no_counters));
	if (!s->split)
		return;
	split_stop(s->split);
	if (s->course)
		split_course_end(s->course, s->split);
	split_read(s->split, &reader, &missing);
	add_result(&f, p, &missing);
	note_cost(r, split_cost_ns(s->split), all_requests(&f));
	r->failed |= f.failed;
	free(f.rows);
	free(f.others);
}
