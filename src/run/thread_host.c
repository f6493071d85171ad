#include "thread_host.h"

#include <errno.h>
#include <malloc.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>
#include "lost_workers.h"
#include "worker_main.h"

#define THREAD_STACK ((size_t)256 * 1024)

/* ThreadSanitizer takes most of a stack for itself, and makes one larger that is not given to it. */
#ifdef __SANITIZE_THREAD__
#define ONE_PIECE false
#else
#define ONE_PIECE true
#endif

#ifndef MADV_GUARD_INSTALL
#define MADV_GUARD_INSTALL 102
#endif

struct host_arg {
	const struct run *r;
	uint32_t job;
	bool started;
	pthread_t thread;
};

static void *host_thread(void *arg)
{
	struct host_arg *a = arg;

	worker_main(&a->r->region, a->r->plan, a->job, true);
	return NULL;
}

static bool is_thread(const struct run *r, uint32_t i)
{
	return r->plan->jobs[i].job->opts.group.thread;
}

/* All stacks in one piece: a mapping for each of thousands takes as long as all else that is done for them.
   NULL: each gets its own. */
static unsigned char *get_stacks(const struct run *r)
{
	unsigned char *base;
	size_t n = 0;

	for (uint32_t i = 0; i < r->plan->njobs; i++)
		n += is_thread(r, i);
	if (!ONE_PIECE || !n)
		return NULL;
	base = mmap(NULL, n * THREAD_STACK, PROT_READ | PROT_WRITE,
		    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
	if (base == MAP_FAILED)
		return NULL;
	madvise(base, n * THREAD_STACK, MADV_NOHUGEPAGE); /* a thread takes some pages */
	return base;
}

/* What overflows a stack ends in the page below it. False: that cannot be had. */
static bool use_stack(pthread_attr_t *attr, unsigned char *low, size_t guard)
{
	if (madvise(low, guard, MADV_GUARD_INSTALL) && mprotect(low, guard, PROT_NONE))
		return false;
	return !pthread_attr_setstack(attr, low + guard, THREAD_STACK - guard);
}

/* stack NULL: one of its own. */
static int create(struct host_arg *a, unsigned char *stack, size_t guard)
{
	pthread_attr_t attr;
	int ret = pthread_attr_init(&attr);

	if (ret)
		return ret;
	if (stack)
		ret = use_stack(&attr, stack, guard) ? 0 : EINVAL;
	else
		pthread_attr_setstacksize(&attr, THREAD_STACK);
	if (!ret)
		ret = pthread_create(&a->thread, &attr, host_thread, a);
	pthread_attr_destroy(&attr);
	return ret;
}

/* The thread sanitizer enlarges stacks, but not those that it is given: it has them too small. */
static int start(struct host_arg *a, unsigned char *stack, size_t guard)
{
	int ret = stack ? create(a, stack, guard) : EINVAL;

	return ret == EINVAL ? create(a, NULL, guard) : ret;
}

/* Threads allocate while they are set up, and it all goes with the process: arenas of their own take more
   memory, and giving back some takes time. */
static void tune_malloc(void)
{
	mallopt(M_ARENA_MAX, 1);
	mallopt(M_TOP_PAD, 1 << 20);
	mallopt(M_TRIM_THRESHOLD, 1 << 30);
}

void thread_host_main(const struct run *r)
{
	uint32_t n = r->plan->njobs;
	struct host_arg *args = calloc(n, sizeof(*args));
	unsigned char *stacks = get_stacks(r), *stack = stacks;
	size_t guard = (size_t)sysconf(_SC_PAGESIZE);

	if (!args)
		_exit(1);
	tune_malloc();
	for (uint32_t i = 0; i < n; i++) {
		int ret;

		if (!is_thread(r, i))
			continue;
		args[i] = (struct host_arg){ .r = r, .job = i };
		ret = start(&args[i], stack, guard);
		args[i].started = ret == 0;
		if (ret)
			lost_worker_unstarted(r, i, "start a thread", ret);
		stack = stacks ? stack + THREAD_STACK : NULL;
	}
	for (uint32_t i = 0; i < n; i++) {
		if (args[i].started)
			pthread_join(args[i].thread, NULL);
	}
	free(args);
}
