/* offload.c: hands I/Os over to threads. I/O number i always goes to thread i and wakes it
   through its futex. Completed I/Os go to one stack, from which the core takes all at once. The threads share
   no other data and use no locks. */
#include "offload.h"

#include <errno.h>
#include <linux/futex.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>
#include "clock.h"
#include "helper_cpu.h"
#include "thread_cpu.h"

#define STACK_BYTES (256u << 10)
/* Pause before retrying an engine that took no I/O. */
#define RETRY_NS 50000

enum thread_state { STARTING, IDLE, WORK, QUIT };

struct offload_pool;

/* One thread and the I/O that it does. */
struct offload_thread {
	_Alignas(64) _Atomic uint32_t state; /* enum thread_state; a futex */
	struct offload_pool *pool;
	struct io *core_io;          /* the core's I/O */
	struct offload_thread *next; /* next in the stack of completed I/Os */
	uint64_t issue_ns;
	int64_t res;
	struct io engine_io; /* the copy that the engine sees */
	struct iobuf buf;
	struct engine_ctx ctx;
	struct diag d;
	int err; /* -errno of the engine's init */
	pthread_t thread;
	pid_t worker;
	pid_t tid; /* set before the word becomes IDLE */
};

struct offload_pool {
	struct offload_thread *threads;                     /* by io->index */
	unsigned started;                                   /* threads started */
	struct offload_thread *completed;                   /* off the stack; oldest first */
	_Atomic int broken;                                 /* -errno of an engine that has failed */
	_Alignas(64) _Atomic(struct offload_thread *) done; /* stack of completed I/Os, newest first */
	_Atomic uint32_t completions;                       /* a futex */
	_Atomic uint32_t waiting;                           /* the core sleeps on `completions` */
};

static void futex_wait(_Atomic uint32_t *word, uint32_t value, const struct timespec *timeout)
{
	syscall(SYS_futex, word, FUTEX_WAIT_PRIVATE, value, timeout, NULL, 0);
}

static void futex_wake(_Atomic uint32_t *word)
{
	syscall(SYS_futex, word, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
}

static uint32_t wait_while(_Atomic uint32_t *word, uint32_t value)
{
	uint32_t v;

	while ((v = atomic_load_explicit(word, memory_order_acquire)) == value)
		futex_wait(word, value, NULL);
	return v;
}

static void set_state(struct offload_thread *h, enum thread_state state)
{
	atomic_store_explicit(&h->state, state, memory_order_release);
	futex_wake(&h->state);
}

/* ---- a thread's side ---- */

static void copy_in(struct offload_thread *h)
{
	const struct io *io = h->core_io;

	h->engine_io.file = io->file;
	h->engine_io.buf = io->buf;
	h->engine_io.offset = io->offset;
	h->engine_io.len = io->len;
	h->engine_io.rwf = io->rwf;
	h->engine_io.prio = io->prio;
	h->engine_io.placed = io->placed;
	h->engine_io.placement = io->placement;
	h->engine_io.op = io->op;
	h->engine_io.dir = io->dir;
}

/* Returns the I/O's res; -EAGAIN if the engine has no room, and the core submits it again. */
static int64_t engine_failed(struct offload_thread *h, int ret)
{
	const struct timespec nap = { .tv_nsec = RETRY_NS };

	if (ret == 0) {
		nanosleep(&nap, NULL);
		h->engine_io.rwf &= ~(uint32_t)RWF_NOWAIT; /* otherwise the core would take -EAGAIN for the
							      kernel's answer */
		return -EAGAIN;
	}
	atomic_store_explicit(&h->pool->broken, ret, memory_order_relaxed);
	return ret;
}

static int64_t do_io(struct offload_thread *h)
{
	bool sync = h->ctx.engine->caps & (ENG_SYNC | ENG_VIRTUAL);
	struct io *io = &h->engine_io;
	int ret;

	copy_in(h);
	h->issue_ns = clock_ns();
	ret = engine_submit(&h->ctx, &io, 1);
	if (ret <= 0)
		return engine_failed(h, ret);
	if (!sync)
		h->issue_ns = clock_ns();
	do
		ret = engine_reap(&h->ctx, &io, 1, 1, UINT64_MAX);
	while (ret == 0);
	return ret < 0 ? engine_failed(h, ret) : h->engine_io.res;
}

/* Puts the I/O on the stack. From then on the core may give this thread the next one. */
static void return_io(struct offload_thread *h)
{
	struct offload_pool *p = h->pool;
	struct offload_thread *top = atomic_load_explicit(&p->done, memory_order_relaxed);

	atomic_store_explicit(&h->state, IDLE, memory_order_relaxed);
	do
		h->next = top;
	while (!atomic_compare_exchange_weak_explicit(&p->done, &top, h, memory_order_release,
						      memory_order_relaxed));
	atomic_fetch_add(&p->completions, 1);
	if (atomic_load(&p->waiting))
		futex_wake(&p->completions);
}

static void *thread_main(void *arg)
{
	struct offload_thread *h = arg;

	h->tid = (pid_t)syscall(SYS_gettid);
	helper_cpu_thread_begins(h->worker);
	h->err = engine_init(&h->ctx);
	set_state(h, IDLE);
	while (wait_while(&h->state, IDLE) == WORK) {
		h->res = do_io(h);
		return_io(h);
	}
	if (!h->err)
		engine_fini(&h->ctx);
	helper_cpu_thread_ends();
	return NULL;
}

/* ---- the core's side ---- */

static int wrapper_submit(struct engine_ctx *ctx, struct io **ios, unsigned n)
{
	struct offload_pool *p = ctx->state;

	for (unsigned i = 0; i < n; i++) {
		struct offload_thread *h = &p->threads[ios[i]->index];

		h->core_io = ios[i];
		set_state(h, WORK);
	}
	return (int)n;
}

/* Moves completed I/Os from the stack, which has the newest on top, to `completed`, which has the oldest
   first. */
static void drain_stack(struct offload_pool *p)
{
	struct offload_thread *h = atomic_exchange_explicit(&p->done, NULL, memory_order_acquire),
			      *list = NULL;

	while (h) {
		struct offload_thread *older = h->next;

		h->next = list;
		list = h;
		h = older;
	}
	p->completed = list;
}

static unsigned take_completed(struct offload_pool *p, struct io **out, unsigned max)
{
	unsigned n = 0;

	for (; n < max; n++) {
		struct io *io;

		if (!p->completed)
			drain_stack(p);
		if (!p->completed)
			break;
		io = p->completed->core_io;
		io->res = p->completed->res;
		io->rwf = p->completed->engine_io.rwf; /* with RWF_NOWAIT, EAGAIN is a result */
		if (!io->done)
			io->issue_ns =
				p->completed->issue_ns > io->start_ns ? p->completed->issue_ns : io->start_ns;
		out[n] = io;
		p->completed = p->completed->next;
	}
	return n;
}

/* Sleeps until an I/O completes. Returns false when the time is up; until_ns UINT64_MAX: no limit. */
static bool wait_completion(struct offload_pool *p, uint64_t until_ns)
{
	struct timespec ts, *timeout = NULL;
	uint32_t completions;

	if (until_ns != UINT64_MAX) {
		uint64_t now = clock_ns();

		if (now >= until_ns)
			return false;
		ts = (struct timespec){ (time_t)((until_ns - now) / 1000000000),
					(long)((until_ns - now) % 1000000000) };
		timeout = &ts;
	}
	/* a thread that completes after this store wakes the core; earlier completions are on the stack */
	atomic_store(&p->waiting, 1);
	completions = atomic_load(&p->completions);
	if (!atomic_load_explicit(&p->done, memory_order_relaxed))
		futex_wait(&p->completions, completions, timeout);
	atomic_store_explicit(&p->waiting, 0, memory_order_relaxed);
	return true;
}

static int wrapper_reap(struct engine_ctx *ctx, struct io **out, unsigned min, unsigned max,
			uint64_t timeout_ns)
{
	struct offload_pool *p = ctx->state;
	unsigned n = take_completed(p, out, max);
	uint64_t until = UINT64_MAX;
	int broken;

	if (n < min && timeout_ns != UINT64_MAX)
		until = clock_ns() + timeout_ns;
	while (n < min && wait_completion(p, until))
		n += take_completed(p, out + n, max - n);
	broken = atomic_load_explicit(&p->broken, memory_order_relaxed);
	return broken && !n ? broken : (int)n;
}

/* ---- start and end ---- */

static void stop(struct engine_ctx *ctx)
{
	struct offload_pool *p = ctx->state;
	struct io *io;

	while (ctx->inflight) { /* the engine has failed; the I/Os of the other threads still come back */
		if (take_completed(p, &io, 1))
			ctx->inflight--;
		else
			wait_completion(p, UINT64_MAX);
	}
	for (unsigned i = 0; i < p->started; i++)
		set_state(&p->threads[i], QUIT);
	for (unsigned i = 0; i < p->started; i++) {
		pthread_join(p->threads[i].thread, NULL);
		diag_fini(&p->threads[i].d);
	}
	free(p->threads);
}

static void prepare_thread(struct engine_ctx *ctx, struct offload_thread *h, unsigned i)
{
	*h = (struct offload_thread){ .pool = ctx->state, .buf = *ctx->bufs };
	h->buf.base += i * ctx->bufs->stride;
	h->buf.bytes = ctx->bufs->stride;
	h->engine_io.buf = h->buf.base;
	h->ctx = (struct engine_ctx){
		.engine = ctx->inner,
		.opts = ctx->opts,
		.depth = 1,
		.write_rwf = ctx->write_rwf,
		.placement = ctx->placement,
		.files = ctx->files,
		.nfiles = ctx->nfiles,
		.files_dynamic = ctx->files_dynamic || ctx->files_reopen,
		.bufs = &h->buf,
		.ios = &h->engine_io,
		.d = &h->d,
	};
}

static int start(struct engine_ctx *ctx, struct offload_pool *p)
{
	pthread_attr_t attr;
	int ret = pthread_attr_init(&attr);

	ret = ret ? ret : pthread_attr_setstacksize(&attr, STACK_BYTES);
	while (!ret && p->started < ctx->depth) {
		struct offload_thread *h = &p->threads[p->started];

		prepare_thread(ctx, h, p->started);
		h->worker = (pid_t)syscall(SYS_gettid);
		ret = pthread_create(&h->thread, &attr, thread_main, h);
		p->started += !ret;
	}
	pthread_attr_destroy(&attr);
	if (ret)
		return diag_err(ctx->d, -ret,
				"{io_submit_mode=offload}: cannot start thread %u of %u, one for each I/O in "
				"flight: %s; lower {iodepth} or {numjobs}, or raise the limit (ulimit -u)",
				p->started + 1, ctx->depth, diag_errno(ret));
	return 0;
}

static int wrapper_init(struct engine_ctx *ctx)
{
	struct offload_pool *p = ctx->state;
	int ret = 0;

	p->threads = aligned_alloc(_Alignof(struct offload_thread), ctx->depth * sizeof(*p->threads));
	if (!p->threads)
		return diag_err(ctx->d, -ENOMEM, "{io_submit_mode=offload}: out of memory");
	ret = start(ctx, p);
	for (unsigned i = 0; i < p->started; i++) {
		struct offload_thread *h = &p->threads[i];

		wait_while(&h->state, STARTING);
		if (h->err && !ret)
			ret = diag_message(ctx->d, DIAG_USAGE, h->err,
					   h->d.message ? h->d.message : diag_text(&h->d));
	}
	if (ret)
		stop(ctx);
	else
		snprintf(ctx->info, sizeof(ctx->info), "%u submission thread%s%s%.190s", ctx->depth,
			 ctx->depth == 1 ? "" : "s", p->threads[0].ctx.info[0] ? "; each: " : "",
			 p->threads[0].ctx.info);
	return ret;
}

void offload_cpu_time(const struct engine_ctx *ctx, uint64_t *user_us, uint64_t *sys_us)
{
	const struct offload_pool *p = ctx->state;

	*user_us = *sys_us = 0;
	for (unsigned i = 0; p && i < p->started; i++)
		thread_cpu_add(p->threads[i].tid, user_us, sys_us);
}

struct engine offload_wrapper(const struct engine *inner)
{
	struct engine wrapper = *inner;

	wrapper.caps &= ~(unsigned)ENG_SYNC;
	wrapper.state_size = sizeof(struct offload_pool);
	wrapper.init = wrapper_init;
	wrapper.submit = wrapper_submit;
	wrapper.reap = wrapper_reap;
	wrapper.do_one = NULL;
	wrapper.reopen = NULL;
	wrapper.fini = stop;
	return wrapper;
}
