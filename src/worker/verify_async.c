/* verify_async.c: a ring of blocks between the worker and the threads that check them. The worker alone puts
   blocks in and takes them out. `lock` protects the state of the ring. The blocks need no lock, because each
   belongs to the worker or to one thread. */
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>
#include "clone.h"
#include "helper_cpu.h"
#include "strbuf.h"
#include "thread_cpu.h"
#include "block_check.h"
#include "worker.h"

#define STACK_BYTES (256u << 10)
/* Blocks in the ring for each thread: the one that it checks, and others that wait. */
#define ROOM_PER_THREAD 4

struct entry {
	struct block_check check;
	bool finished;
};

struct checker {
	struct verify_async *owner;
	pthread_t thread;
	pid_t tid; /* 0: the thread has not begun */
};

struct verify_async {
	const struct verify_format *format;
	struct entry *ring;
	unsigned char *bufs;
	uint64_t room;
	uint64_t taken; /* blocks that the worker has taken back */
	struct checker *checker;
	unsigned started;
	pthread_mutex_t lock;
	pthread_cond_t work; /* put > begun, or quit */
	pthread_cond_t news; /* a thread has begun, or the oldest block is finished */
	uint64_t put, begun; /* blocks that were handed over, and those of them that threads have begun */
	bool quit;
};

/* ---- a thread's side ---- */

/* Waits for the next block to check and returns it; NULL: the thread must end. The caller holds the lock. */
static struct entry *next_entry(struct verify_async *a)
{
	while (a->begun == a->put && !a->quit)
		pthread_cond_wait(&a->work, &a->lock);
	return a->quit ? NULL : &a->ring[a->begun++ % a->room];
}

static void *checker_main(void *arg)
{
	struct checker *c = arg;
	struct verify_async *a = c->owner;
	struct entry *e;

	helper_cpu_thread_begins(0);
	pthread_mutex_lock(&a->lock);
	c->tid = (pid_t)syscall(SYS_gettid);
	pthread_cond_signal(&a->news);
	while ((e = next_entry(a))) {
		pthread_mutex_unlock(&a->lock);
		block_check_run(&e->check, a->format);
		pthread_mutex_lock(&a->lock);
		e->finished = true;
		pthread_cond_signal(&a->news);
	}
	pthread_mutex_unlock(&a->lock);
	helper_cpu_thread_ends();
	return NULL;
}

/* ---- the worker's side ---- */

bool verify_async_full(const struct verify_async *a)
{
	return a->put - a->taken == a->room;
}

void verify_async_put(struct verify_async *a, const struct block_check *c)
{
	struct entry *e = &a->ring[a->put % a->room];
	unsigned char *buf = e->check.buf;

	memcpy(buf, c->buf, c->block.bytes);
	e->check = *c;
	e->check.buf = buf;
	e->finished = false;
	pthread_mutex_lock(&a->lock);
	a->put++;
	pthread_cond_signal(&a->work);
	pthread_mutex_unlock(&a->lock);
}

const struct block_check *verify_async_take(struct verify_async *a, bool wait)
{
	struct entry *e = &a->ring[a->taken % a->room];
	bool finished;

	if (a->taken == a->put)
		return NULL;
	pthread_mutex_lock(&a->lock);
	while (wait && !e->finished)
		pthread_cond_wait(&a->news, &a->lock);
	finished = e->finished;
	pthread_mutex_unlock(&a->lock);
	return finished ? &e->check : NULL;
}

void verify_async_release(struct verify_async *a)
{
	a->taken++;
}

void verify_async_cpu_time(const struct verify_async *a, uint64_t *user_us, uint64_t *sys_us)
{
	for (unsigned i = 0; a && i < a->started; i++)
		thread_cpu_add(a->checker[i].tid, user_us, sys_us);
}

/* ---- start and end ---- */

static struct verify_async *new_async(unsigned threads, size_t block_bytes)
{
	struct verify_async *a = calloc(1, sizeof(*a));

	if (!a)
		return NULL;
	pthread_mutex_init(&a->lock, NULL);
	pthread_cond_init(&a->work, NULL);
	pthread_cond_init(&a->news, NULL);
	a->room = (uint64_t)threads * ROOM_PER_THREAD;
	a->ring = calloc(a->room, sizeof(*a->ring));
	a->checker = calloc(threads, sizeof(*a->checker));
	a->bufs = malloc(a->room * block_bytes);
	for (uint64_t i = 0; a->ring && a->bufs && i < a->room; i++)
		a->ring[i].check.buf = a->bufs + i * block_bytes;
	return a;
}

static int set_attributes(pthread_attr_t *attr, const struct cpuset *cpus)
{
	int err = pthread_attr_setstacksize(attr, STACK_BYTES);

	if (!err && cpuset_count(cpus))
		err = pthread_attr_setaffinity_np(attr, sizeof(cpus->bits),
						  (const cpu_set_t *)(const void *)cpus->bits);
	return err;
}

static int start_threads(struct verify_async *a, unsigned threads, const struct cpuset *cpus)
{
	pthread_attr_t attr;
	int err = pthread_attr_init(&attr);

	if (err)
		return err;
	err = set_attributes(&attr, cpus);
	while (!err && a->started < threads) {
		struct checker *c = &a->checker[a->started];

		c->owner = a;
		err = pthread_create(&c->thread, &attr, checker_main, c);
		a->started += !err;
	}
	pthread_attr_destroy(&attr);
	return err;
}

/* Waits until all threads have begun: their tids are set then. */
static void await_threads(struct verify_async *a)
{
	pthread_mutex_lock(&a->lock);
	for (unsigned i = 0; i < a->started; i++)
		while (!a->checker[i].tid)
			pthread_cond_wait(&a->news, &a->lock);
	pthread_mutex_unlock(&a->lock);
}

static void fail_start(struct clone *c, const struct cpuset *cpus, int err)
{
	struct strbuf b = { 0 };

	if (err != EINVAL || !cpuset_count(cpus)) {
		clone_fail(c, err, "{verify_async}: cannot start %u threads: %s", c->opts->verify.async,
			   diag_errno(err));
		return;
	}
	cpuset_print(cpus, &b);
	clone_fail(c, err, "{verify_async_cpus}: cannot run on CPU %s: %s", strbuf_str(&b), diag_errno(err));
	strbuf_fini(&b);
}

bool verify_async_start(struct worker *w, const struct verify_format *f, size_t block_bytes)
{
	const struct verify_opts *o = &w->clone.opts->verify;
	struct verify_async *a = w->verify_async = new_async(o->async, block_bytes);
	int err = ENOMEM;

	if (a && a->ring && a->checker && a->bufs) {
		a->format = f;
		err = start_threads(a, o->async, &o->async_cpus);
		await_threads(a);
	}
	if (err)
		fail_start(&w->clone, &o->async_cpus, err);
	return err == 0;
}

void verify_async_stop(struct verify_async *a)
{
	if (!a)
		return;
	pthread_mutex_lock(&a->lock);
	a->quit = true;
	pthread_cond_broadcast(&a->work);
	pthread_mutex_unlock(&a->lock);
	for (unsigned i = 0; i < a->started; i++)
		pthread_join(a->checker[i].thread, NULL);
	pthread_cond_destroy(&a->news);
	pthread_cond_destroy(&a->work);
	pthread_mutex_destroy(&a->lock);
	free(a->ring);
	free(a->checker);
	free(a->bufs);
	free(a);
}
