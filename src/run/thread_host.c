#include "processes.h"

#include <errno.h>
#include <malloc.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>
#include "helper_cpu.h"
#include "run.h"
#include "worker_main.h"

#define THREAD_STACK ((size_t)256 * 1024)

/* ThreadSanitizer takes most of a stack for itself. It enlarges the stacks that it allocates itself, but
   not those of pthread_attr_setstack(). */
#ifdef __SANITIZE_THREAD__
#define SHARED_STACKS false
#else
#define SHARED_STACKS true
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

	helper_cpu_thread_begins((pid_t)syscall(SYS_gettid));
	worker_main(&a->r->region, a->r->plan, a->job, true);
	helper_cpu_thread_ends();
	return NULL;
}

/* Maps all stacks at once, because thousands of mappings would take as long as the rest of the start. Returns
   NULL if each thread gets a stack from pthreads. */
static unsigned char *map_stacks(const struct run *r)
{
	unsigned char *base;
	size_t n = 0;

	for (uint32_t i = 0; i < r->plan->njobs; i++)
		n += run_is_thread(r, i);
	if (!SHARED_STACKS || !n)
		return NULL;
	base = mmap(NULL, n * THREAD_STACK, PROT_READ | PROT_WRITE,
		    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
	if (base == MAP_FAILED)
		return NULL;
	madvise(base, n * THREAD_STACK, MADV_NOHUGEPAGE); /* a thread uses a few pages */
	return base;
}

/* Makes the lowest page a guard, so that a stack overflow faults. Returns false if the kernel refuses. */
static bool use_stack(pthread_attr_t *attr, unsigned char *low, size_t guard)
{
	if (madvise(low, guard, MADV_GUARD_INSTALL) && mprotect(low, guard, PROT_NONE))
		return false;
	return !pthread_attr_setstack(attr, low + guard, THREAD_STACK - guard);
}

/* stack NULL: pthreads allocates one. Returns 0 or an errno. */
static int create_thread(struct host_arg *a, unsigned char *stack, size_t guard)
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

/* Falls back to a stack from pthreads. */
static int start_thread(struct host_arg *a, unsigned char *stack, size_t guard)
{
	int ret = stack ? create_thread(a, stack, guard) : EINVAL;

	return ret == EINVAL ? create_thread(a, NULL, guard) : ret;
}

/* Threads allocate during their set-up only, and the memory ends with the process. One arena for all takes
   less memory, and never trimming it saves time. */
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
	unsigned char *stacks = map_stacks(r), *stack = stacks;
	size_t guard = (size_t)sysconf(_SC_PAGESIZE);

	if (!args)
		_exit(1);
	tune_malloc();
	helper_cpu_thread_begins(0);
	for (uint32_t i = 0; i < n; i++) {
		int ret;

		if (!run_is_thread(r, i))
			continue;
		args[i] = (struct host_arg){ .r = r, .job = i };
		ret = start_thread(&args[i], stack, guard);
		args[i].started = ret == 0;
		if (ret)
			lost_workers_not_started(r, i, "start a thread", ret);
		stack = stacks ? stack + THREAD_STACK : NULL;
	}
	for (uint32_t i = 0; i < n; i++) {
		if (args[i].started)
			pthread_join(args[i].thread, NULL);
	}
	free(args);
}
