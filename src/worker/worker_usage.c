/* worker_usage.c: CPU time, page faults and runtime of the measured phase, in the worker's slot. */
#include <fcntl.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>
#include "clock.h"
#include "helper_cpu.h"
#include "offload.h"
#include "region.h"
#include "block_check.h"
#include "worker.h"
#include "phase.h"

/* Sets the resource usage of this worker so far, with its threads. Returns the part of the CPU time that was
   divided among jobs. */
static uint64_t usage_now(const struct worker *w, struct rusage *u)
{
	const struct clone *c = &w->clone;
	struct helper_cpu_use use = { 0 };
	uint64_t user_us = 0, sys_us = 0;

	getrusage(c->thread ? RUSAGE_THREAD : RUSAGE_SELF, u);
	if (!c->thread)
		return 0;
	if (c->opts->queue.offload)
		offload_cpu_time(&w->q.eng, &user_us, &sys_us);
	verify_async_cpu_time(w->verify_async, &user_us, &sys_us);
	if (w->helpers)
		helper_cpu_now(w->helpers, &use);
	/* They may exceed one second: usage_us() handles that. */
	u->ru_utime.tv_usec += (suseconds_t)(user_us + use.user_us);
	u->ru_stime.tv_usec += (suseconds_t)(sys_us + use.sys_us);
	return use.divided_us;
}

/* Smaller jobs do not measure the time without a core: with a thousand workers each read takes 20 us. */
#define WAITED_LEAST_BYTES (16u << 20)

/* Returns how long this thread was ready to run without a core, in ns. 0 if the kernel does not count it. */
static uint64_t waited_now(const struct clone *c)
{
	bool brief = !c->opts->time.time_based && c->job->pass_bytes < WAITED_LEAST_BYTES;
	int fd = brief ? -1 : open("/proc/thread-self/schedstat", O_RDONLY | O_CLOEXEC);
	char text[80], *after;
	ssize_t n = fd >= 0 ? read(fd, text, sizeof(text) - 1) : -1;

	if (fd >= 0)
		close(fd);
	if (n <= 0)
		return 0;
	text[n] = '\0';
	strtoull(text, &after, 10); /* the CPU time comes first */
	return strtoull(after, NULL, 10);
}

void worker_usage_start(struct worker *w, uint64_t start_ns)
{
	struct timespec ts;
	uint64_t now = clock_ns(), ms, since_ms = (now - start_ns) / 1000000;

	clock_gettime((clockid_t)w->clone.opts->report.start_clock, &ts);
	ms = (uint64_t)ts.tv_sec * 1000 + (uint64_t)ts.tv_nsec / 1000000;
	w->clone.slot->run_start_clock_ms = ms > since_ms ? ms - since_ms : 0;
	w->clone.slot->run_start_ns = start_ns;
	w->stats.start_divided_us = usage_now(w, &w->clone.slot->usage);
	w->stats.start_core_wait_ns = waited_now(&w->clone);
	cpu_counters_close(&w->counters);
	if (w->clone.opts->report.latency_split && !cpu_counters_open(&w->counters) &&
	    !cpu_counters_read(&w->counters, &w->start_counts))
		cpu_counters_close(&w->counters);
}

static void count_instructions(const struct worker *w, struct wcount *c)
{
	struct cpu_counts now;

	if (!cpu_counters_read(&w->counters, &now))
		return;
	c->user_instructions = cpu_counters_between(&w->start_counts, &now, COUNT_USER_INSTRUCTIONS);
	c->kernel_instructions = cpu_counters_between(&w->start_counts, &now, COUNT_KERNEL_INSTRUCTIONS);
	c->user_cycles = cpu_counters_between(&w->start_counts, &now, COUNT_USER_CYCLES);
	c->kernel_cycles = cpu_counters_between(&w->start_counts, &now, COUNT_KERNEL_CYCLES);
}

void worker_usage(const struct worker *w, struct wcount *c)
{
	struct rusage u;
	uint64_t waited = waited_now(&w->clone);

	c->divided_us = usage_now(w, &u) - w->stats.start_divided_us;
	usage_since(c, &w->clone.slot->usage, &u);
	count_instructions(w, c);
	c->core_wait_ns = waited > w->stats.start_core_wait_ns ? waited - w->stats.start_core_wait_ns : 0;
}

void worker_usage_end(struct worker *w, uint64_t end_ns)
{
	struct slot *s = w->clone.slot;
	uint64_t ran;

	worker_usage(w, &s->cnt);
	cpu_counters_close(&w->counters);
	s->run_end_ns = end_ns;
	ran = s->run_end_ns > s->run_start_ns ? s->run_end_ns - s->run_start_ns : 0;
	wcount_set_runtimes(&s->cnt, w->clone.job->rw, ran);
}
