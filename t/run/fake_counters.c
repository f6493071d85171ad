/* fake_counters.c: a library (LD_PRELOAD) with which a machine has the four counters of cpu_counters.h. They
   run half of the time, and between the first read and all later ones they count these numbers, times 1 for
   instructions and 3 for cycles: 40000 in user mode and 400000 in the kernel. Other kinds of perf events
   fail.
 */
#include <dlfcn.h>
#include <errno.h>
#include <linux/perf_event.h>
#include <stdarg.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#define READS 1000

/* The group whose leader is this file. Each read of the leader takes the next record. */
struct record {
	uint64_t n, enabled, running, count[4];
};
static struct record records[READS];
static _Thread_local unsigned members;

static long counted(const struct perf_event_attr *attr)
{
	long times = attr->config == PERF_COUNT_HW_INSTRUCTIONS ? 1
		     : attr->config == PERF_COUNT_HW_CPU_CYCLES ? 3
								: 0;

	if (attr->type != PERF_TYPE_HARDWARE || attr->exclude_user == attr->exclude_kernel || attr->inherit)
		return 0;
	return times * (attr->exclude_kernel ? 40000 : 400000);
}

static long open_event(const struct perf_event_attr *attr, int leader)
{
	int fd = memfd_create("counter", MFD_CLOEXEC);
	long n = counted(attr);

	if (fd < 0 || !n) {
		errno = n ? errno : ENOENT;
		return -1;
	}
	members = leader < 0 ? 0 : members + 1;
	for (unsigned i = 0; i < READS; i++) {
		records[i].n = members + 1;
		records[i].enabled = 1000 + (i ? 2000 : 0);
		records[i].running = 500 + (i ? 1000 : 0);
		records[i].count[members % 4] = 7 + (i ? (uint64_t)n / 2 : 0);
	}
	if (pwrite(leader < 0 ? fd : leader, records, sizeof(records), 0) != (ssize_t)sizeof(records))
		return -1;
	return fd;
}

long syscall(long number, ...)
{
	static long (*next)(long, ...);
	va_list args;
	long a[6];

	va_start(args, number);
	for (unsigned i = 0; i < 6; i++)
		a[i] = va_arg(args, long);
	va_end(args);
	if (number == SYS_perf_event_open)
		return open_event((const struct perf_event_attr *)a[0], (int)a[3]);
	if (!next)
		*(void **)&next = dlsym(RTLD_NEXT, "syscall");
	return next(number, a[0], a[1], a[2], a[3], a[4], a[5]);
}
