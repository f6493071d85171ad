#include "cpu_counters.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <sys/syscall.h>
#include <unistd.h>

/* All counters are one group, so they run at the same times. */
static int open_counter(enum cpu_counter which, int group)
{
	bool cycles = which == COUNT_USER_CYCLES || which == COUNT_KERNEL_CYCLES;
	bool user = which == COUNT_USER_INSTRUCTIONS || which == COUNT_USER_CYCLES;
	struct perf_event_attr attr = { .type = PERF_TYPE_HARDWARE,
					.size = sizeof(attr),
					.config = cycles ? PERF_COUNT_HW_CPU_CYCLES
							 : PERF_COUNT_HW_INSTRUCTIONS,
					.read_format = PERF_FORMAT_GROUP | PERF_FORMAT_TOTAL_TIME_ENABLED |
						       PERF_FORMAT_TOTAL_TIME_RUNNING,
					.exclude_kernel = user,
					.exclude_user = !user,
					.exclude_hv = 1 };

	return (int)syscall(SYS_perf_event_open, &attr, 0, -1, group, PERF_FLAG_FD_CLOEXEC);
}

int cpu_counters_open(struct cpu_counters *c)
{
	for (unsigned i = 0; i < CPU_COUNTERS; i++) {
		int err;

		c->fds[i] = open_counter(i, i ? c->fds[0] : -1);
		err = c->fds[i] < 0 ? -errno : 0;
		while (err && i-- > 0)
			close(c->fds[i]);
		if (err)
			return err;
	}
	c->open = true;
	return 0;
}

bool cpu_counters_read(const struct cpu_counters *c, struct cpu_counts *now)
{
	return c->open && read(c->fds[0], now, sizeof(*now)) == (ssize_t)sizeof(*now);
}

uint64_t cpu_counters_between(const struct cpu_counts *from, const struct cpu_counts *to,
			      enum cpu_counter which)
{
	double n = to->counts[which] > from->counts[which] ? (double)(to->counts[which] - from->counts[which])
							   : 0;
	double enabled = (double)(to->enabled_ns - from->enabled_ns);
	double running = (double)(to->running_ns - from->running_ns);

	return running > 0 && n * enabled / running < 0x1p63 ? (uint64_t)(n * enabled / running) : 0;
}

void cpu_counters_close(struct cpu_counters *c)
{
	for (unsigned i = 0; i < CPU_COUNTERS && c->open; i++)
		close(c->fds[i]);
	c->open = false;
}
