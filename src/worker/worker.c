#include "worker.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>
#include "clock.h"
#include "write_pool.h"

/* A trim has no data. */
static uint32_t buffer_bytes(const struct worker *w)
{
	unsigned dirs = w->pj->rw & RW_TRIMWRITE ? RW_TRIM : w->pj->rw & (RW_READ | RW_WRITE);
	uint32_t bytes = bsize_max(&w->o->offset.bsize, dirs);

	return bytes ? bytes : 1;
}

static bool alloc_ios(struct worker *w, struct diag *d)
{
	unsigned depth = w->pj->depth;

	w->ios = slot_ios(w->slot, &w->pj->layout);
	w->batch = calloc(depth, sizeof(struct io *));
	w->queue = calloc(depth, sizeof(struct io *));
	w->free_io = calloc(depth, sizeof(struct io *));
	w->files = calloc(w->pj->nfiles, sizeof(*w->files));
	if (!w->batch || !w->queue || !w->free_io || !w->files)
		return false;
	memset(w->ios, 0, depth * sizeof(*w->ios)); /* the first I/O must not pay for page faults */
	for (uint32_t i = 0; i < w->pj->nfiles; i++)
		w->files[i].fd = -1;
	if (iobuf_init(&w->bufs, &w->pj->memory, &w->plan->allow, depth, buffer_bytes(w), d))
		return false;
	for (unsigned i = 0; i < depth; i++) {
		w->ios[i].index = (uint16_t)i;
		w->ios[i].buf = w->bufs.base + i * w->bufs.stride;
		w->free_io[depth - 1 - i] = &w->ios[i];
	}
	w->nfree = depth;
	return next_io_init(w);
}

static bool init_generators(struct worker *w)
{
	const struct plan_job *pj = w->pj;

	if (pj->rw & RW_WRITE) {
		w->writes = &w->content;
		content_init(&w->content, &w->o->buffer, &pj->content);
	}
	mix_init(&w->mix, &w->o->mix, pj->rw, pj->seed + 2);
	if (!thread_group_init(w) || !schedule_init(w))
		return false;
	next_io_start(w);
	w->plain = !w->source.counts && !w->paced && !w->eng.inner;
	for (int d = 0; d < DIR_DATA; d++)
		w->watch_latency |= w->o->max_latency_ns[d] != 0;
	w->measure_end_ns = UINT64_MAX;
	per_file_start(w);
	w->watched = w->watch_latency || w->prio.set || w->log || w->per_file;
	w->loops_left = w->o->time.loops ? w->o->time.loops : 1;
	if (pj->rw & RW_WRITE && !w->thread_group)
		iobuf_fill(&w->bufs, &w->content);
	return true;
}

/* wait_for: what nobody before this job uses is laid out with the others of the wave, the rest in its turn.
 */
static bool await_jobs(struct worker *w)
{
	if (w->plan->stages[w->pj->stage].count == 0)
		return true;
	if (!(w->eng.engine->caps & ENG_NOFILE) && !layout_worker(w, LAY_EARLY))
		return false;
	worker_phase(w, PHASE_WAIT);
	region_news(w->region, NEWS_PLAIN);
	futex_wait_until(&w->region->stages[w->pj->stage].setup, 0, UINT64_MAX);
	worker_phase(w, PHASE_SETUP);
	return !worker_stopped(w);
}

static bool prepare(struct worker *w, struct diag *d)
{
	int ret;

	w->eng = (struct engine_ctx){
		.engine = w->pj->job->engine, .opts = w->pj->job->engine_opts, .depth = w->pj->depth, .d = d
	};
	if (w->o->queue.offload) {
		w->wrapper = offload_wrapper(w->eng.engine);
		w->eng.inner = w->eng.engine;
		w->eng.engine = &w->wrapper;
	}
	if (!cgroup_join(w) || !place_worker(w) || !io_prio_start(w) || !lockmem_get(w))
		return false;
	w->dynamic_files = !(w->eng.engine->caps & ENG_NOFILE) &&
			   (w->pj->openfiles < w->pj->nfiles || w->o->file.create_on_open ||
			    w->o->files.unlink_each_loop || meta_job(w));
	if (!alloc_ios(w, d) || !cooldown_init(w)) {
		diag_err(d, -ENOMEM, "out of memory for %u I/Os of %u bytes", w->pj->depth, w->pj->bs_max);
		worker_fail_diag(w, -d->err, d);
		return false;
	}
	if (!init_generators(w)) {
		worker_fail(w, ENOMEM, "out of memory");
		return false;
	}
	if (!identity_take(w) || !await_jobs(w))
		return false;
	created_use(w);
	if (!setup_files(w) || !write_pool_fill(w))
		return false;
	if (w->o->files.create_only)
		return true;
	w->eng.files = w->files;
	w->eng.nfiles = w->pj->nfiles;
	w->eng.files_dynamic = w->dynamic_files;
	w->eng.files_reopen = !w->o->time.time_based && (w->loops_left > 1 || w->pj->repeat);
	w->eng.bufs = &w->bufs;
	w->eng.ios = w->ios;
	w->eng.write_rwf = w->o->file.atomic ? RWF_ATOMIC : 0;
	ret = eng_init(&w->eng);
	if (ret) {
		worker_fail_diag(w, -ret, d);
		return false;
	}
	if (w->eng.info[0])
		snprintf(w->slot->info, sizeof(w->slot->info), "%s", w->eng.info);
	return true;
}

static void run_measured(struct worker *w)
{
	uint64_t start =
		atomic_load_explicit(&w->region->stages[w->pj->stage].start_ns, memory_order_relaxed);

	if (w->pj->startdelay_ns) {
		worker_phase(w, PHASE_DELAY);
		futex_wait_until(&w->slot->stop, 0, start + w->pj->startdelay_ns);
	}
	if (worker_stopped(w))
		return;
	loop_run(w);
	worker_phase(w, PHASE_SYNC);
	setup_sync(w);
	if (w->cooling)
		return;
	slot_begin(w->slot);
	worker_mark_end(w, clock_ns());
	slot_end(w->slot);
}

/* What one worker has prepared (its part of a pool) others use behind the gate. */
static void pass_gate(struct worker *w)
{
	struct region_stage *stage = &w->region->stages[w->pj->stage];

	region_release(w->region);
	worker_phase(w, PHASE_READY);
	region_news(w->region, NEWS_PLAIN);
	futex_wait_until(&stage->gate, 0, UINT64_MAX);
	region_acquire(w->region);
}

/* ready: its files were complete. */
static void worker_free(struct worker *w, bool ready)
{
	eng_fini(&w->eng);
	setup_finish(w);
	cooldown_fini(w);
	if (ready)
		created_settle(w);
	created_leave(w);
	schedule_fini(w);
	thread_group_fini(w);
	next_io_fini(w);
	iobuf_fini(&w->bufs);
	lockmem_free(w);
	free(w->files);
	free(w->batch);
	free(w->queue);
	free(w->free_io);
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
		region_news(r, NEWS_URGENT);
		return;
	}
	w->region = r;
	w->plan = p;
	w->pj = &p->jobs[job];
	w->o = &w->pj->job->opts;
	w->slot = s;
	w->st = slot_stat(s);
	w->cnt = &s->cnt;
	w->tracks = slot_tracks(s, w->pj);
	w->thread = thread;
	w->schedule = &w->only_schedule;
	if (w->pj->logs && w->pj->logs->entries)
		w->log = slot_log(s, w->pj);
	prctl(PR_SET_TIMERSLACK, 1);
	wstat_init(w->st, &w->pj->layout);
	futex_wait_until(&base->setup, 0, UINT64_MAX);
	region_acquire(r);
	worker_phase(w, PHASE_SETUP);
	ready = !worker_stopped(w) && prepare(w, &d);
	if (ready) {
		pass_gate(w);
		if (!worker_stopped(w) && !w->o->files.create_only)
			run_measured(w);
	}
	schedule_leave(w);
	worker_free(w, ready);
	diag_fini(&d);
	free(w);
	region_release(r);
	region_set_phase(r, job, PHASE_DONE);
	/* Others may wait for what it has not laid out, or end with it. */
	region_news(r, ready && !s->error ? NEWS_PLAIN : NEWS_URGENT);
}
