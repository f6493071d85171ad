#include "thread_cpu.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include "scale.h"
#include "sysfs.h"

/* Reads the thread's ticks in user mode and in the kernel. */
static void ticks_of(pid_t tid, uint64_t *user, uint64_t *sys)
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

static uint64_t cpu_us(pthread_t thread)
{
	struct timespec ts;
	clockid_t clock;

	if (pthread_getcpuclockid(thread, &clock) || clock_gettime(clock, &ts))
		return 0;
	return (uint64_t)ts.tv_sec * 1000000 + (uint64_t)ts.tv_nsec / 1000;
}

void thread_cpu_add(pthread_t thread, pid_t tid, uint64_t *user_us, uint64_t *sys_us)
{
	uint64_t all = cpu_us(thread), user, sys, of_user;

	ticks_of(tid, &user, &sys);
	of_user = user + sys ? scale(all, user, user + sys) : 0;
	*user_us += of_user;
	*sys_us += all - of_user;
}
