/* helper_cpu.h: the CPU time of helper threads: threads that the kernel (io_uring: sqthread_poll, and I/Os
   that would block) or the C library (POSIX AIO) starts to do the I/Os of a worker. If each worker is a
   process, getrusage() counts them. This module counts them for workers that are threads of one process.

   The threads of io_uring have the id of the thread that they work for in their names. All other helper time
   is that of the process without the threads that have called helper_cpu_thread_begins. It also has the time
   of helper threads that have ended. It is divided among the workers that may have caused it, by the numbers
   of their I/Os since the last division. The shares of all workers add up to what the helper threads used;
   what is used while a worker lays out files or is in its ramp is its share, too. */
#ifndef HELPER_CPU_H
#define HELPER_CPU_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/* The calling thread begins; worker: the id of the worker that it works for, 0 for none. Each thread of the
   process but the helper threads calls these functions first and last. */
void helper_cpu_thread_begins(pid_t worker);
void helper_cpu_thread_ends(void);

struct helper_cpu_cfg {
	bool common;                      /* its helper threads work for other workers, too (POSIX AIO) */
	unsigned group;                   /* workers of one group are reported together */
	uint64_t (*ios)(const void *arg); /* returns how many I/Os the worker has done */
	const void *arg;
};
struct helper_cpu;

/* The calling thread is a worker that has helper threads. Returns its account, or NULL if memory is short. */
struct helper_cpu *helper_cpu_join(const struct helper_cpu_cfg *cfg);
/* h may be NULL. */
void helper_cpu_leave(struct helper_cpu *h);

/* What the helper threads of a worker have used so far. */
struct helper_cpu_use {
	uint64_t user_us, sys_us;
	uint64_t divided_us; /* the part of both that was divided among workers of several groups */
};
void helper_cpu_now(struct helper_cpu *h, struct helper_cpu_use *use);

#endif
