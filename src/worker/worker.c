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
#include "created_files.h"
#include "io_prio.h"
#include "io_source.h"
#include "layout_worker.h"
#include "lockmem.h"
#include "loop.h"
#include "meta.h"
#include "next_io.h"
#include "offload.h"
#include "per_file_account.h"
#include "place.h"
#include "schedule.h"
#include "setup.h"
#include "thread_group.h"
#include "user_group.h"
#include "window.h"
#include "worker.h"
#include "worker_cgroup.h"
#include "worker_main.h"
#include "worker_usage.h"
#include "write_pool.h"
#include "write_pool_fill.h"

/* Returns the size of one I/O buffer. Trims have no data. */
static uint32_t buffer_bytes(const struct worker *w)
{
	unsigned dirs = w->clone.job->rw & RW_TRIMWRITE ? RW_TRIM : w->clone.job->rw & (RW_READ | RW_WRITE);
	uint32_t bytes = bsize_max(&w->clone.opts->offset.bsize, dirs);

	return bytes ? bytes : 1;
}

static bool alloc_ios(struct worker *w, struct diag *d)
{
	unsigned depth = w->clone.job->depth;

	w->q.ios = slot_ios(w->clone.slot, &w->clone.job->layout);
	w->q.reaped = calloc(depth, sizeof(struct io *));
	w->q.ready = calloc(depth, sizeof(struct io *));
	w->q.idle = calloc(depth, sizeof(struct io *));
	w->files.file = calloc(w->clone.job->nfiles, sizeof(*w->files.file));
	if (!w->q.reaped || !w->q.ready || !w->q.idle || !w->files.file)
		return false;
	memset(w->q.ios, 0, depth * sizeof(*w->q.ios)); /* so that the first I/O has no page faults */
	for (uint32_t i = 0; i < w->clone.job->nfiles; i++)
		w->files.file[i].fd = -1;
	if (iobuf_init(&w->q.bufs, &w->clone.job->memory, &w->clone.plan->allow, depth, buffer_bytes(w), d))
		return false;
	for (unsigned i = 0; i < depth; i++) {
		w->q.ios[i].index = (uint16_t)i;
		w->q.ios[i].buf = w->q.bufs.base + i * w->q.bufs.stride;
		w->q.idle[depth - 1 - i] = &w->q.ios[i];
	}
	w->q.nidle = depth;
	return io_source_init(w);
}

static bool init_generators(struct worker *w)
{
	const struct plan_job *pj = w->clone.job;

	if (pj->rw & RW_WRITE) {
		w->source.content = &w->content;
		content_init(&w->content, &w->clone.opts->buffer, &pj->content);
	}
	mix_init(&w->source.mix, &w->clone.opts->mix, pj->rw, pj->seed + 2);
	if (!thread_group_init(w) || !schedule_init(w))
		return false;
	next_io_init(w);
	w->stats.simple = !w->files.count_inflight && !w->sched.paced && !w->q.eng.inner;
	for (int d = 0; d < DIR_DATA; d++)
		w->observers.max_latency |= w->clone.opts->max_latency_ns[d] != 0;
	w->clock.measure_end_ns = UINT64_MAX;
	per_file_account_init(w);
	w->observers.any = w->observers.max_latency || w->observers.prio.set || w->observers.log ||
			   w->observers.per_file;
	w->quota.loops_left = w->clone.opts->time.loops ? w->clone.opts->time.loops : 1;
	if (pj->rw & RW_WRITE && !w->source.thread_group)
		iobuf_fill(&w->q.bufs, &w->content);
	return true;
}

/* wait_for: lays out the files that no earlier job uses, and waits for the awaited jobs to end. The other
   files are laid out after that. */
static bool await_jobs(struct worker *w)
{
	if (w->clone.plan->stages[w->clone.job->stage].count == 0)
		return true;
	if (!(w->q.eng.engine->caps & ENG_NOFILE) && !layout_worker(w, LAYOUT_EARLY))
		return false;
	clone_set_phase(&w->clone, PHASE_WAIT);
	region_notify(w->clone.region, NOTIFY_NORMAL);
	futex_wait_until(&w->clone.region->stages[w->clone.job->stage].setup, 0, UINT64_MAX);
	clone_set_phase(&w->clone, PHASE_SETUP);
	return !clone_stopped(&w->clone);
}

static bool prepare(struct worker *w, struct diag *d)
{
	int ret;

	w->q.eng = (struct engine_ctx){ .engine = w->clone.job->job->engine,
					.opts = w->clone.job->job->engine_opts,
					.depth = w->clone.job->depth,
					.d = d };
	if (w->clone.opts->queue.offload) {
		w->q.wrapper = offload_wrapper(w->q.eng.engine);
		w->q.eng.inner = w->q.eng.engine;
		w->q.eng.engine = &w->q.wrapper;
	}
	if (!worker_cgroup_join(&w->clone) || !place_worker(&w->clone) || !io_prio_init(w) ||
	    !lockmem_get(&w->clone, &w->locked))
		return false;
	w->files.dynamic =
		!(w->q.eng.engine->caps & ENG_NOFILE) &&
		(w->clone.job->openfiles < w->clone.job->nfiles || w->clone.opts->file.create_on_open ||
		 w->clone.opts->files.unlink_each_loop || meta_job(w));
	if (!alloc_ios(w, d) || !window_init(w)) {
		diag_err(d, -ENOMEM, "out of memory for %u I/Os of %u bytes", w->clone.job->depth,
			 w->clone.job->bs_max);
		clone_fail_diag(&w->clone, -d->err, d);
		return false;
	}
	if (!init_generators(w)) {
		clone_fail(&w->clone, ENOMEM, "out of memory");
		return false;
	}
	if (!user_group_take(&w->clone) || !await_jobs(w))
		return false;
	created_files_begin_use(&w->clone);
	if (!setup_files(w) || !write_pool_fill(w))
		return false;
	if (w->clone.opts->files.create_only)
		return true;
	w->q.eng.files = w->files.file;
	w->q.eng.nfiles = w->clone.job->nfiles;
	w->q.eng.files_dynamic = w->files.dynamic;
	w->q.eng.files_reopen =
		!w->clone.opts->time.time_based && (w->quota.loops_left > 1 || w->clone.job->repeat);
	w->q.eng.bufs = &w->q.bufs;
	w->q.eng.ios = w->q.ios;
	w->q.eng.write_rwf = w->clone.opts->file.atomic ? RWF_ATOMIC : 0;
	ret = engine_init(&w->q.eng);
	if (ret) {
		clone_fail_diag(&w->clone, -ret, d);
		return false;
	}
	if (w->q.eng.info[0])
		snprintf(w->clone.slot->info, sizeof(w->clone.slot->info), "%s", w->q.eng.info);
	return true;
}

static void run_measured(struct worker *w)
{
	uint64_t start = atomic_load_explicit(&w->clone.region->stages[w->clone.job->stage].start_ns,
					      memory_order_relaxed);

	if (w->clone.job->startdelay_ns) {
		clone_set_phase(&w->clone, PHASE_DELAY);
		futex_wait_until(&w->clone.slot->stop, 0, start + w->clone.job->startdelay_ns);
	}
	if (clone_stopped(&w->clone))
		return;
	loop_run(w);
	clone_set_phase(&w->clone, PHASE_SYNC);
	setup_sync(w);
	if (w->clock.in_cooldown)
		return;
	slot_write_begin(w->clone.slot);
	worker_usage_end(w, clock_ns());
	slot_write_end(w->clone.slot);
}

/* Waits at the gate. Behind the gate each worker sees the memory that the others prepared (write_pool). */
static void pass_gate(struct worker *w)
{
	struct region_stage *stage = &w->clone.region->stages[w->clone.job->stage];

	region_release(w->clone.region);
	clone_set_phase(&w->clone, PHASE_READY);
	region_notify(w->clone.region, NOTIFY_NORMAL);
	futex_wait_until(&stage->gate, 0, UINT64_MAX);
	region_acquire(w->clone.region);
}

/* Frees the worker. ready: its set-up succeeded. */
static void worker_free(struct worker *w, bool ready)
{
	engine_fini(&w->q.eng);
	setup_finish(w);
	window_fini(w);
	if (ready)
		created_files_mark_complete(&w->clone);
	created_files_end_use(&w->clone);
	schedule_fini(w);
	thread_group_fini(w);
	io_source_fini(w);
	iobuf_fini(&w->q.bufs);
	lockmem_free(&w->clone, w->locked);
	free(w->files.file);
	free(w->q.reaped);
	free(w->q.ready);
	free(w->q.idle);
}

void worker_main(const struct region *r, const struct plan *p, uint32_t job, bool thread)
{
	bool writes = p->jobs[job].rw & RW_WRITE;
	struct worker *w = calloc(1, writes ? sizeof(*w) : offsetof(struct worker, content));
	struct slot *s = region_slot(r, job);
	struct region_stage *base = &r->stages[p->stages[p->jobs[job].stage].base];
	struct diag d = { 0 };
	bool ready;

	s->pid = (int32_t)syscall(SYS_gettid);
	if (!w) {
		snprintf(s->error_text, sizeof(s->error_text), "out of memory");
		s->error = ENOMEM;
		region_set_phase(r, job, PHASE_DONE);
		region_notify(r, NOTIFY_URGENT);
		return;
	}
	w->clone.region = r;
	w->clone.plan = p;
	w->clone.job = &p->jobs[job];
	w->clone.opts = &w->clone.job->job->opts;
	w->clone.slot = s;
	w->stats.st = slot_stat(s);
	w->stats.cnt = &s->cnt;
	w->stats.tracks = slot_tracks(s, w->clone.job);
	w->clone.thread = thread;
	w->sched.current = &w->sched.single;
	if (w->clone.job->logs && w->clone.job->logs->entries)
		w->observers.log = slot_log(s, w->clone.job);
	prctl(PR_SET_TIMERSLACK, 1);
	wstat_init(w->stats.st, &w->clone.job->layout);
	futex_wait_until(&base->setup, 0, UINT64_MAX);
	region_acquire(r);
	clone_set_phase(&w->clone, PHASE_SETUP);
	ready = !clone_stopped(&w->clone) && prepare(w, &d);
	if (ready) {
		pass_gate(w);
		if (!clone_stopped(&w->clone) && !w->clone.opts->files.create_only)
			run_measured(w);
	}
	schedule_leave(w);
	worker_free(w, ready);
	diag_fini(&d);
	free(w);
	region_release(r);
	region_set_phase(r, job, PHASE_DONE);
	/* A failure is urgent: other workers may wait for files that this worker did not lay out. */
	region_notify(r, ready && !s->error ? NOTIFY_NORMAL : NOTIFY_URGENT);
}
