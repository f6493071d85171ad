/* plan_job.c: one clone of a job: seed, directions, depth, measurements, report entry. */
#include <inttypes.h>
#include "plan_build.h"
#include "rng.h"

/* Notes a ramp_size that leaves nothing to measure. With group_reporting the group's sum counts, which is not
   known here. */
static void note_ramp(struct build *b, const struct plan_job *pj)
{
	const struct job_opts *o = &pj->job->opts;
	uint32_t loops = o->time.loops ? o->time.loops : 1;

	if (!pj->clone && o->time.ramp_bytes && !o->time.time_based && !o->group.group_reporting &&
	    o->time.ramp_bytes / loops >= pj->pass_bytes)
		notes_add(&b->p->notes,
			  "%s: {ramp_size=%" PRIu64 "} covers all I/O of the job, so nothing is measured",
			  pj->job->name, o->time.ramp_bytes);
}

static void measure_one(struct wstat_layout *l, int dir, enum lat_kind kind, bool moments, bool hist)
{
	l->moments[dir][kind] = moments;
	if (moments && hist)
		l->hist[dir][kind] = (uint8_t)++l->nhist;
}

/* Chooses the moments and histograms that workers collect. A synchronous engine has no submission latency.
   Only I/Os with a rate have a due time, and so a response time. */
static void measure(struct plan_job *pj)
{
	const struct report_cfg *r = &pj->job->opts.report;
	const struct engine *e = pj->job->engine;
	bool sync = !pj->job->opts.queue.offload &&
		    (e->caps & ENG_SYNC || (e->caps & ENG_VIRTUAL && pj->depth == 1));
	const struct fsync_cfg *sync_opts = &pj->job->opts.sync;
	struct wstat_layout *l = &pj->layout;

	for (int d = 0; d < DIR_DATA; d++) {
		if (!(pj->rw & 1u << d) && !(d == DIR_READ && pj->verify.reads && !pj->verify.only_trims) &&
		    !(d == DIR_TRIM && pj->verify.trims))
			continue;
		measure_one(l, d, LAT_SLAT, !r->no_slat && !sync, r->slat_percentiles);
		measure_one(l, d, LAT_CLAT, !r->no_clat, true); /* the shares of latencies need it, too */
		measure_one(l, d, LAT_LAT, !r->no_lat, r->lat_percentiles);
		if (!pace_has_rate(&pj->job->opts.pace, (unsigned)d) && !plan_replay_tells_lateness(pj))
			continue;
		measure_one(l, d, LAT_RESP, !r->gtod_reduce, true);
	}
	if (pj->job->opts.replay.log)
		measure_one(l, DIR_SYNC, LAT_CLAT, !r->gtod_reduce, true);
	else if (pj->rw & RW_WRITE && (sync_opts->fsync || sync_opts->fdatasync || sync_opts->range.every))
		measure_one(l, DIR_SYNC, LAT_CLAT, !r->gtod_reduce, true);
}

/* Jobs with the same randseed have the same hot blocks. With hot blocks of its own for each job, a file that
   several jobs use would have many. */
static uint64_t hot_seed_of(const struct build *b, const struct job *job)
{
	uint64_t s = rng_mix64(job->opts.offset.randseed);

	return rng_mix64(job->opts.offset.randrepeat ? s : s ^ b->f->entropy);
}

uint64_t plan_seed(const struct build *b, const struct job *job)
{
	const struct offset_cfg *o = &job->opts.offset;
	uint64_t s = rng_mix64(o->randseed), rank = b->p->set->run.rank.rank;

	if (!o->randrepeat)
		s ^= b->f->entropy;
	return rank && o->randrepeat != RANDREPEAT_RANKS ? rng_mix64(s + rank) : s;
}

uint64_t plan_content_seed(const struct build *b, const struct job *job, uint64_t seed)
{
	bool repeats = job->opts.offset.allrandrepeat || job_user_option(job, "randseed");

	return repeats ? seed : seed + ((uint64_t)b->f->run << 32);
}

/* Returns the report entry of a job. A job with stats=0 joins no entry of other jobs. */
static uint32_t report_of(struct plan *p, const struct plan_job *pj)
{
	if (!pj->job->opts.group.group_reporting || !pj->job->opts.report.stats)
		return p->nreports++;
	for (uint32_t i = pj->index; i-- > 0 && p->jobs[i].group == pj->group;) {
		const struct job_opts *o = &p->jobs[i].job->opts;

		if (o->group.group_reporting && o->report.stats)
			return p->jobs[i].report;
	}
	return p->nreports++;
}

void plan_job_begin(struct build *b, struct plan_job *pj, const struct job *job, size_t section,
		    uint32_t clone)
{
	const struct plan *p = b->p;
	const struct job_opts *o = &job->opts;

	pj->job = job;
	pj->clone = clone;
	pj->group = p->ngroups - 1;
	pj->wave = p->nwaves - 1;
	pj->section = (uint32_t)section;
	pj->stage = b->section[section].stage;
	pj->seed = rng_mix64(plan_seed(b, job) ^ section << 32 ^ clone);
	pj->content_seed = plan_content_seed(b, job, pj->seed);
	pj->hot_seed = hot_seed_of(b, job);
	pj->rw = o->offset.rw;
	pj->depth = o->queue.iodepth;
	pj->bs_min = bsize_min(&o->offset.bsize, pj->rw);
	pj->bs_max = bsize_max(&o->offset.bsize, pj->rw);
	if (job->engine->caps & ENG_NOIO)
		pj->rw = 0;
}

struct plan_job *plan_job_new(struct build *b, const struct job *job, size_t section, uint32_t clone)
{
	struct plan *p = b->p;
	struct plan_job *pj = &p->jobs[p->njobs];

	pj->index = p->njobs++;
	plan_job_begin(b, pj, job, section, clone);
	pj->report = report_of(p, pj);
	return pj;
}

int plan_job_files(struct build *b, struct plan_job *pj)
{
	int ret = plan_files(b, pj);

	ret = ret ? ret : plan_files_amount(b, pj);
	ret = ret ? ret : plan_scheduler(b, pj);
	if (!ret && pj->job->opts.queue.per_file)
		ret = plan_files_depth(b, pj);
	return ret ? ret : plan_files_weights(b, pj);
}

/* Returns the option that makes the job open and close files while it runs, or NULL. */
static const char *opens_while_running(const struct plan_job *pj)
{
	const struct job_opts *o = &pj->job->opts;

	if (pj->job->engine->caps & ENG_NOFILE)
		return NULL;
	if (pj->job->engine->caps & ENG_META)
		return "ioengine";
	return pj->openfiles < pj->nfiles  ? o->files.openfiles ? "openfiles" : "opendir"
	       : o->file.create_on_open    ? "create_on_open"
	       : o->files.unlink_each_loop ? "unlink_each_loop"
					   : NULL;
}

/* With io_submit_mode=offload each thread has an engine of its own, which cannot follow when the worker
   reopens the files between loops. */
static int check_open_files(struct build *b, const struct plan_job *pj)
{
	const struct engine *e = pj->job->engine;
	const char *needs = e->needs_open_files ? e->needs_open_files(pj->job->engine_opts) : NULL;
	const char *opens = opens_while_running(pj);

	if (needs && opens)
		return plan_err(b, pj->job, opens,
				"{%s}: files that are opened and closed while the job runs ({%s}) cannot be "
				"registered",
				needs, opens);
	if (needs && pj->files_reopen && pj->job->opts.queue.offload)
		return plan_err(
			b, pj->job, "io_submit_mode",
			"{%s}: the threads of {io_submit_mode=offload} cannot register the files again "
			"that are reopened between two loops; use {+io_submit_mode=inline} or "
			"{+time_based=1}",
			needs);
	return 0;
}

int plan_job_end(struct build *b, struct plan_job *pj)
{
	const struct job_opts *o = &pj->job->opts;
	struct rng r;
	int ret;

	pj->openfiles = o->files.openfiles                       ? o->files.openfiles
			: o->files.opendir && !o->offset.endless ? OPENDIR_OPEN_FILES
								 : pj->nfiles;
	if (pj->openfiles > pj->nfiles)
		pj->openfiles = pj->nfiles;
	if (o->offset.endless && pj->openfiles < pj->nfiles)
		return plan_err(b, pj->job, "openfiles",
				"{openfiles=%u}: {%s} needs all %u files open at once; leave {openfiles} out",
				pj->openfiles,
				pj->nmembers        ? "thread_group"
				: o->queue.per_file ? "iodepth_per_file"
						    : "file_weights",
				pj->nfiles);
	rng_init(&r, pj->seed ^ 0x5de1a7);
	pj->startdelay_ns = o->time.startdelay_lo_ns;
	if (o->time.startdelay_hi_ns > o->time.startdelay_lo_ns)
		pj->startdelay_ns += rng_below(&r, o->time.startdelay_hi_ns - o->time.startdelay_lo_ns + 1);
	pj->files_dynamic = opens_while_running(pj);
	pj->files_reopen = !o->time.time_based && (o->time.loops > 1 || pj->repeat);
	ret = check_open_files(b, pj);
	if (ret)
		return ret;
	plan_passthrough_depth(b, pj);
	plan_zones_depth(b, pj);
	plan_trims(b, pj);
	plan_submit(b, pj);
	ret = plan_verify(b, pj);
	if (ret)
		return ret;
	measure(pj);
	note_ramp(b, pj);
	plan_layout_after(b->p, pj);
	ret = plan_memory(b, pj);
	ret = ret ? ret : plan_cgroup(b, pj);
	ret = ret ? ret : plan_place(b, pj);
	ret = ret ? ret : plan_placement(b, pj);
	return ret ? ret : plan_prio(b, pj);
}
