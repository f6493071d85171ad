/* worker.c: the life of a worker: set-up, gate, run, end. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>
#include "clock.h"
#include "clone.h"
#include "file_set.h"
#include "account.h"
#include "helper_cpu.h"
#include "io_queue.h"
#include "io_source.h"
#include "setup.h"
#include "loop.h"
#include "next_io.h"
#include "quota.h"
#include "region.h"
#include "schedule.h"
#include "verify.h"
#include "block_check.h"
#include "window.h"
#include "worker.h"
#include "worker_main.h"
#include "phase.h"

static bool init_queue(struct worker *w, struct diag *d)
{
	struct clone *c = &w->clone;

	w->files.dynamic = c->job->files_dynamic;
	if (file_set_init(&w->files, c) && sync_count_init(&w->sync, &c->opts->sync, c->job->nfiles) &&
	    io_queue_setup(&w->q, c, d) && io_source_init(&w->source, c, w->files.dynamic) &&
	    window_init(&w->window, c))
		return true;
	diag_err(d, -ENOMEM, "out of memory for %u I/Os of %u bytes", c->job->depth, c->job->bs_max);
	clone_fail_diag(c, -d->err, d);
	return false;
}

/* Sets up directions, contents and schedules. Returns false after clone_fail. */
static bool init_source(struct worker *w)
{
	struct clone *c = &w->clone;
	const struct plan_job *pj = c->job;
	struct io_source *s = &w->source;

	if (pj->rw & RW_WRITE) {
		s->content = &w->content;
		content_init(&w->content, &c->opts->buffer, &pj->content);
	}
	mix_init(&s->mix, &c->opts->mix, pj->rw, pj->seed + 2);
	if (!thread_group_init(&s->thread_group, c, &w->q.bufs) ||
	    !schedule_init(&w->sched, c, s->file_depth != 0)) {
		clone_fail(c, ENOMEM, "out of memory");
		return false;
	}
	if (pj->rw & RW_WRITE && !s->thread_group)
		iobuf_fill(&w->q.bufs, &w->content);
	return true;
}

/* Prepares the loop, once the source and the schedules are set up. */
static void init_loop(struct worker *w)
{
	const struct job_opts *opts = w->clone.opts;
	struct observers *o = &w->observers;

	zones_count(&w->source, &w->clone, w->stats.cnt);
	flow_wait_init(w);
	next_io_init(w);
	w->stats.simple = !w->files.count_inflight && !w->sched.paced && !w->q.eng.inner;
	for (int d = 0; d < DIR_DATA; d++)
		o->max_latency |= opts->max_latency_ns[d] != 0;
	per_file_account_init(o, &w->clone);
	step_account_init(o, &w->clone);
	io_placement_init(o, &w->clone);
	file_stats_account_init(o, &w->clone);
	o->by_file = o->per_file || o->file_stats;
	if (opts->time.search) {
		w->search = slot_part(w->clone.slot, w->clone.job, SLOT_SEARCH);
		depth_search_init(w->search, &opts->latency_target, w->clone.job->depth);
	}
	o->active =
		w->search || o->max_latency || o->prio.set || o->log || o->by_file || o->steps || o->placed;
	o->before_submit = o->prio.set || o->placed || w->clone.recorder ||
			   (w->verify && verify_watches_submits(w->verify));
	o->after_batch = o->log || w->verify;
	w->clock.measure_end_ns = UINT64_MAX;
	quota_set(&w->quota, &opts->time, w->clone.job->pass_bytes);
	w->quota.loops_left = opts->time.loops ? opts->time.loops : 1;
}

/* wait_for: lays out the files that no earlier job uses, and waits for the awaited jobs to end. The other
   files are laid out after that. */
static bool await_jobs(struct clone *c)
{
	if (c->plan->stages[c->job->stage].nawaited == 0)
		return true;
	if (!(clone_caps(c) & ENG_NOFILE) && !layout_worker(c, LAYOUT_EARLY))
		return false;
	clone_set_phase(c, PHASE_WAIT);
	region_notify(c->region, NOTIFY_NORMAL);
	futex_wait_until(&c->region->stages[c->job->stage].setup, 0, UINT64_MAX);
	clone_set_phase(c, PHASE_SETUP);
	return !clone_stopped(c);
}

/* Sets up everything before the gate. Returns false after clone_fail, or if the run must end. */
static bool prepare(struct worker *w, struct diag *d)
{
	struct clone *c = &w->clone;

	if (!io_queue_set_engine(&w->q, c, d)) {
		clone_fail(c, ENOMEM, "out of memory");
		return false;
	}
	if (!worker_cgroup_join(c) || !place_worker(c) || !io_prio_init(&w->observers.prio, c, w->stats.st) ||
	    !lockmem_lock(c, &w->locked) || !init_queue(w, d) || !init_source(w))
		return false;
	if (!verify_init(w) || !replay_init(w))
		return false;
	init_loop(w);
	if (!user_group_set(c) || !await_jobs(c))
		return false;
	created_files_begin_use(c);
	if (!setup_files(w) || !write_pool_fill(c, &w->source) ||
	    !zones_begin(w, w->verify ? verify_forget_zone : NULL))
		return false;
	return c->opts->files.create_only || io_queue_start(&w->q, c, &w->files);
}

static void run_measured(struct worker *w)
{
	struct clone *c = &w->clone;
	const struct region_stage *stage = &c->region->stages[c->job->stage];
	uint64_t start = atomic_load_explicit(&stage->start_ns, memory_order_relaxed);

	if (c->job->startdelay_ns)
		clone_set_phase(c, PHASE_DELAY);
	if (c->job->startdelay_ns || stage->starts_later)
		futex_wait_until(&c->slot->stop, 0, start + c->job->startdelay_ns);
	if (clone_stopped(c))
		return;
	loop_run(w);
	clone_set_phase(c, PHASE_SYNC);
	file_set_sync(&w->files, c);
	if (w->verify && (c->opts->sync.end_fsync || c->opts->sync.end_syncfs) && !c->failed)
		verify_files_synced(w->verify);
	if (w->clock.in_cooldown)
		return;
	slot_write_begin(c->slot);
	worker_usage_end(w, clock_ns());
	slot_write_end(c->slot);
}

/* Waits at the gate. After the gate each worker sees the memory that the others prepared (write_pool). */
static void pass_gate(const struct clone *c)
{
	region_release(c->region);
	clone_set_phase(c, PHASE_READY);
	region_notify(c->region, NOTIFY_NORMAL);
	futex_wait_until(&c->region->stages[c->job->stage].gate, 0, UINT64_MAX);
	region_acquire(c->region);
}

static void free_worker(struct worker *w)
{
	struct clone *c = &w->clone;

	engine_fini(&w->q.eng);
	zones_end(w);
	setup_finish(&w->files, c);
	window_fini(&w->window, &w->stats, c);
	region_files_mark_complete(c->region, c->plan, c->job);
	created_files_end_use(c);
	schedule_fini(&w->sched);
	verify_async_stop(w->verify_async);
	verify_fini(w);
	replay_fini(w);
	thread_group_fini(w->source.thread_group);
	io_source_fini(&w->source);
	io_queue_fini(&w->q, c);
	sync_count_fini(&w->sync);
	file_set_fini(&w->files);
	lockmem_unlock(c, w->locked);
	free(w);
}

static struct worker *new_worker(const struct region *r, const struct plan *p, uint32_t job, bool thread)
{
	const struct plan_job *pj = &p->jobs[job];
	struct slot *s = region_slot(r, job);
	size_t bytes = pj->rw & RW_WRITE ? sizeof(struct worker) : offsetof(struct worker, content);
	struct worker *w = aligned_alloc(_Alignof(struct worker), bytes);

	if (!w)
		return NULL;
	memset(w, 0, bytes);
	w->clone = (struct clone){
		.region = r, .plan = p, .job = pj, .opts = &pj->job->opts, .slot = s, .thread = thread
	};
	w->stats.st = slot_stat(s);
	w->stats.cnt = &s->cnt;
	w->stats.tracks = slot_tracks(s, pj);
	w->sched.current = &w->sched.single;
	if (pj->logs && pj->logs->entries)
		w->observers.log = slot_log(s, pj);
	recorder_init(w);
	wstat_init(w->stats.st, &pj->layout);
	return w;
}

/* Runs the job from its set-up to its end. Returns true if the set-up succeeded. */
static bool run_job(struct worker *w)
{
	struct clone *c = &w->clone;
	uint32_t base = c->plan->stages[c->job->stage].base;
	struct diag d = { 0 };
	bool ready;

	futex_wait_until(&c->region->stages[base].setup, 0, UINT64_MAX);
	region_acquire(c->region);
	clone_set_phase(c, PHASE_SETUP);
	ready = !clone_stopped(c) && prepare(w, &d);
	if (ready) {
		pass_gate(c);
		if (!clone_stopped(c) && !c->opts->files.create_only)
			run_measured(w);
	}
	schedule_leave(&w->sched, c);
	flow_wait_leave(c);
	free_worker(w);
	diag_fini(&d);
	return ready;
}

static uint64_t ios_of_slot(const void *slot)
{
	return slot_live_ios(slot);
}

/* Opens an account for the engine's helper threads, unless the process has no other worker. */
static void join_helpers(struct worker *w)
{
	const struct clone *c = &w->clone;
	struct helper_cpu_cfg cfg = {
		.common = c->job->job->engine->caps & ENG_COMMON_THREADS,
		.group = c->job->report,
		.ios = ios_of_slot,
		.arg = c->slot,
	};

	if (c->thread && c->job->job->engine->caps & (ENG_RING | ENG_COMMON_THREADS))
		w->helpers = helper_cpu_join(&cfg);
}

void worker_main(const struct region *r, const struct plan *p, uint32_t job, bool thread)
{
	struct slot *s = region_slot(r, job);
	struct worker *w = new_worker(r, p, job, thread);
	struct helper_cpu *helpers;
	bool ready = false;

	s->pid = (int32_t)syscall(SYS_gettid);
	if (w) {
		prctl(PR_SET_TIMERSLACK, 1);
		if (w->clone.opts->group.comm)
			prctl(PR_SET_NAME, w->clone.opts->group.comm);
		join_helpers(w);
		helpers = w->helpers;
		ready = run_job(w);
		helper_cpu_leave(helpers);
		region_release(r);
	} else {
		snprintf(s->error_text, sizeof(s->error_text), "out of memory");
		s->error = ENOMEM;
	}
	region_set_phase(r, job, PHASE_DONE);
	/* A failure is urgent: other workers may wait for files that this worker did not lay out. */
	region_notify(r, ready && !s->error ? NOTIFY_NORMAL : NOTIFY_URGENT);
}
