/* late_clock.c: sets the wall clock of a program back by an hour, as on a host whose clock is wrong. */
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

int clock_gettime(clockid_t clock, struct timespec *ts)
{
	int ret = (int)syscall(SYS_clock_gettime, clock, ts);

	if (!ret && clock == CLOCK_REALTIME)
		ts->tv_sec -= 3600;
	return ret;
}
