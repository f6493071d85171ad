#include "worker.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>
#include "clock.h"
#include "pool.h"
#include "usage.h"

/* One line, whatever a name contains. */
static void words(char *to, size_t size, const char *fmt, va_list ap) __attribute__((format(printf, 3, 0)));
static void words(char *to, size_t size, const char *fmt, va_list ap)
{
	vsnprintf(to, size, fmt, ap);
	for (char *c = to; *c; c++) {
		if ((unsigned char)*c < ' ' || *c == 0x7f)
			*c = '?';
	}
}

void worker_words(char *to, size_t size, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	words(to, size, fmt, ap);
	va_end(ap);
}

void worker_fail(struct worker *w, int err, const char *fmt, ...)
{
	va_list ap;

	w->failed = true;
	if (w->slot->error)
		return;
	va_start(ap, fmt);
	words(w->slot->error_text, sizeof(w->slot->error_text), fmt, ap);
	va_end(ap);
	w->slot->error = err ? err : EIO;
}

void worker_lost(const struct region *r, uint32_t job, int err, const char *fmt, ...)
{
	struct slot *s = region_slot(r, job);
	va_list ap;

	va_start(ap, fmt);
	words(s->lost, sizeof(s->lost), fmt, ap);
	va_end(ap);
	if (!s->error)
		s->error = err < 0 ? -err : err;
	region_set_phase(r, job, PHASE_DONE);
	region_tell(r, NEWS_URGENT);
}

void worker_note(struct worker *w, const char *fmt, ...)
{
	va_list ap;

	if (w->slot->note[0])
		return;
	va_start(ap, fmt);
	words(w->slot->note, sizeof(w->slot->note), fmt, ap);
	va_end(ap);
}

/* With its offload threads. */
static void usage_now(const struct worker *w, struct rusage *u)
{
	uint64_t user_us, sys_us;

	getrusage(w->thread ? RUSAGE_THREAD : RUSAGE_SELF, u);
	if (!w->thread || !w->o->queue.offload)
		return;
	offload_used(&w->eng, &user_us, &sys_us);
	u->ru_utime.tv_usec += (suseconds_t)user_us; /* may be more than a second: usage_us() */
	u->ru_stime.tv_usec += (suseconds_t)sys_us;
}

/* A job that does no more than this may be over before that is worth the look: 20 us for each of a thousand
   workers. */
#define WAITED_LEAST_BYTES (16u << 20)

/* How long this thread has been ready to run without a core. 0 if the kernel does not count it. */
static uint64_t waited_now(const struct worker *w)
{
	bool brief = !w->o->time.time_based && w->pj->pass_bytes < WAITED_LEAST_BYTES;
	int fd = brief ? -1 : open("/proc/thread-self/schedstat", O_RDONLY | O_CLOEXEC);
	char text[80], *after;
	ssize_t n = fd >= 0 ? read(fd, text, sizeof(text) - 1) : -1;

	if (fd >= 0)
		close(fd);
	if (n <= 0)
		return 0;
	text[n] = '\0';
	strtoull(text, &after, 10); /* its CPU time */
	return strtoull(after, NULL, 10);
}

void worker_mark_start(struct worker *w, uint64_t start_ns)
{
	struct timespec ts;
	uint64_t now = clock_ns(), ms, since_ms = (now - start_ns) / 1000000;

	clock_gettime((clockid_t)w->o->report.start_clock, &ts);
	ms = (uint64_t)ts.tv_sec * 1000 + (uint64_t)ts.tv_nsec / 1000000;
	w->slot->run_start_clock_ms = ms > since_ms ? ms - since_ms : 0;
	w->slot->run_start_ns = start_ns;
	usage_now(w, &w->slot->usage);
	w->waited_ns = waited_now(w);
}

void worker_usage(const struct worker *w, struct wcount *c)
{
	struct rusage u;
	uint64_t waited = waited_now(w);

	usage_now(w, &u);
	usage_since(c, &w->slot->usage, &u);
	c->waited_ns = waited > w->waited_ns ? waited - w->waited_ns : 0;
}

/* The measured phase is over. */
void worker_mark_end(struct worker *w, uint64_t end_ns)
{
	struct slot *s = w->slot;
	uint64_t ran;

	worker_usage(w, &s->cnt);
	s->run_end_ns = end_ns;
	ran = s->run_end_ns > s->run_start_ns ? s->run_end_ns - s->run_start_ns : 0;
	s->cnt.job_runtime_ns = ran;
	for (int d = 0; d < DIR_COUNT; d++)
		s->cnt.runtime_ns[d] = w->pj->rw & 1u << d ? ran : 0;
}

/* A trim has no data. */
static uint32_t buffer_bytes(const struct worker *w)
{
	uint32_t bytes = bsize_max(&w->o->offset.bsize, w->pj->rw & (RW_READ | RW_WRITE));

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
	return serve_init(w);
}

static bool init_generators(struct worker *w)
{
	const struct plan_job *pj = w->pj;

	if (pj->rw & RW_WRITE) {
		w->writes = &w->content;
		content_init(&w->content, &w->o->buffer, &pj->content);
	}
	mix_init(&w->mix, &w->o->mix, pj->rw, pj->seed + 2);
	if (!team_init(w) || !arrive_init(w))
		return false;
	serve_start(w);
	w->plain = !w->serve.counts && !w->paced && !w->eng.behind;
	for (int d = 0; d < DIR_DATA; d++)
		w->watch_latency |= w->o->max_latency_ns[d] != 0;
	w->measure_end_ns = UINT64_MAX;
	if (w->o->queue.adapt || w->o->queue.complete_min > 1) {
		gather_begin(&w->only_gather, w->o->queue.adapt);
		w->gather = &w->only_gather;
	}
	parts_start(w);
	w->watched = w->watch_latency || w->prio.set || w->log || w->parts;
	w->loops_left = w->o->time.loops ? w->o->time.loops : 1;
	if (pj->rw & RW_WRITE && !w->team)
		iobuf_fill(&w->bufs, &w->content);
	return true;
}

/* wait_for: what nobody before this job uses is laid out with the others of the wave, the rest in its turn.
 */
static bool await_jobs(struct worker *w)
{
	if (w->plan->stages[w->pj->stage].count == 0)
		return true;
	if (!(w->eng.engine->caps & ENG_NOFILE) && !lay_out(w, LAY_EARLY))
		return false;
	worker_phase(w, PHASE_WAIT);
	region_tell(w->region, NEWS_PLAIN);
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
		w->face = offload_face(w->eng.engine);
		w->eng.behind = w->eng.engine;
		w->eng.engine = &w->face;
	}
	if (!cgroup_join(w) || !place_worker(w) || !prio_start(w) || !lockmem_get(w))
		return false;
	w->dynamic_files = !(w->eng.engine->caps & ENG_NOFILE) &&
			   (w->pj->openfiles < w->pj->nfiles || w->o->file.create_on_open ||
			    w->o->files.unlink_each_loop || meta_job(w));
	if (!alloc_ios(w, d) || !cool_init(w)) {
		diag_err(d, -ENOMEM, "out of memory for %u I/Os of %u bytes", w->pj->depth, w->pj->bs_max);
		worker_fail(w, -d->err, "%s", diag_text(d));
		return false;
	}
	if (!init_generators(w)) {
		worker_fail(w, ENOMEM, "out of memory");
		return false;
	}
	if (!identity_take(w) || !await_jobs(w))
		return false;
	made_use(w);
	if (!setup_files(w) || !pool_fill(w))
		return false;
	if (w->o->files.create_only)
		return true;
	w->eng.files = w->files;
	w->eng.nfiles = w->pj->nfiles;
	w->eng.files_dynamic = w->dynamic_files;
	w->eng.bufs = &w->bufs;
	w->eng.ios = w->ios;
	w->eng.write_rwf = w->o->file.atomic ? RWF_ATOMIC : 0;
	ret = eng_init(&w->eng);
	if (ret) {
		worker_fail(w, -ret, "%s", diag_text(d));
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

	region_before(w->region);
	worker_phase(w, PHASE_READY);
	region_tell(w->region, NEWS_PLAIN);
	futex_wait_until(&stage->gate, 0, UINT64_MAX);
	region_behind(w->region);
}

/* ready: its files were complete. */
static void worker_free(struct worker *w, bool ready)
{
	eng_fini(&w->eng);
	setup_finish(w);
	cool_fini(w);
	if (ready)
		made_settle(w);
	made_leave(w);
	arrive_fini(w);
	team_fini(w);
	serve_fini(w);
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
		region_tell(r, NEWS_URGENT);
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
	w->arrive = &w->only_arrive;
	if (w->pj->logs && w->pj->logs->entries)
		w->log = slot_log(s, w->pj);
	prctl(PR_SET_TIMERSLACK, 1);
	wstat_init(w->st, &w->pj->layout);
	futex_wait_until(&base->setup, 0, UINT64_MAX);
	region_behind(r);
	worker_phase(w, PHASE_SETUP);
	ready = !worker_stopped(w) && prepare(w, &d);
	if (ready) {
		pass_gate(w);
		if (!worker_stopped(w) && !w->o->files.create_only)
			run_measured(w);
	}
	arrive_leave(w);
	worker_free(w, ready);
	diag_fini(&d);
	free(w);
	region_before(r);
	region_set_phase(r, job, PHASE_DONE);
	/* Others may wait for what it has not laid out, or end with it. */
	region_tell(r, ready && !s->error ? NEWS_PLAIN : NEWS_URGENT);
}
