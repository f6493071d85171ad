#include "thread_cpu.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include "scale.h"
#include "sysfs.h"

void thread_cpu_ticks(pid_t tid, uint64_t *user, uint64_t *sys)
{
	char line[512];
	const char *after;

	*user = *sys = 0;
	if (sysfs_line(line, sizeof(line), "/proc/self/task/%d/stat", tid))
		return;
	after = strrchr(line, ')');
	if (after)
		sscanf(after, ") %*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %" SCNu64 " %" SCNu64, user,
		       sys);
}

static uint64_t read_ns(clockid_t clock)
{
	struct timespec ts;

	return clock_gettime(clock, &ts) ? 0 : (uint64_t)ts.tv_sec * 1000000000u + (uint64_t)ts.tv_nsec;
}

/* The kernel's number of the clock of a thread, CPUCLOCK_PERTHREAD_MASK | CPUCLOCK_SCHED with its id.
   pthread_getcpuclockid() knows only the threads of pthreads. */
uint64_t thread_cpu_ns(pid_t tid)
{
	return read_ns((clockid_t)(~(unsigned)tid << 3 | 6));
}

uint64_t thread_cpu_process_ns(void)
{
	return read_ns(CLOCK_PROCESS_CPUTIME_ID);
}

void thread_cpu_add(pid_t tid, uint64_t *user_us, uint64_t *sys_us)
{
	uint64_t all = thread_cpu_ns(tid) / 1000, user, sys, of_user;

	thread_cpu_ticks(tid, &user, &sys);
	of_user = user + sys ? scale(all, user, user + sys) : 0;
	*user_us += of_user;
	*sys_us += all - of_user;
}
