#include "cpu_throttle.h"

#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include "cpuidle.h"
#include "sysfs.h"

/* Adds the figures of a group's cpu.stat, which has one line for each. */
static void add_cgroup(struct cpu_throttle *h, const char *group)
{
	char path[PATH_MAX], line[128];
	uint64_t v;
	FILE *f;

	snprintf(path, sizeof(path), "%s/sys/fs/cgroup%s/cpu.stat", sysfs_root, group);
	f = fopen(path, "re");
	while (f && fgets(line, sizeof(line), f)) {
		if (sscanf(line, "nr_throttled %" SCNu64, &v) == 1)
			h->throttled += v;
		else if (sscanf(line, "throttled_usec %" SCNu64, &v) == 1)
			h->throttled_us += v;
	}
	if (f)
		fclose(f);
}

static void add_groups(struct cpu_throttle *h)
{
	char group[PATH_MAX / 2], *slash;

	if (sysfs_line(group, sizeof(group), "/proc/self/cgroup") || strncmp(group, "0::", 3) != 0)
		return;
	do {
		add_cgroup(h, group + 3);
		slash = strrchr(group + 3, '/');
		if (slash)
			*slash = '\0';
	} while (slash && group[3]);
}

static void add_stolen(struct cpu_throttle *h)
{
	char line[512];
	uint64_t v[CPU_TICKS];

	if (sysfs_line(line, sizeof(line), "/proc/stat"))
		return;
	h->ticks = cpu_ticks(line, v);
	h->stolen = v[7];
}

void cpu_throttle_read(struct cpu_throttle *h)
{
	*h = (struct cpu_throttle){ 0 };
	add_groups(h);
	add_stolen(h);
}

static uint64_t more(uint64_t from, uint64_t to)
{
	return to > from ? to - from : 0;
}

struct cpu_throttle cpu_throttle_since(const struct cpu_throttle *from, const struct cpu_throttle *to)
{
	return (struct cpu_throttle){
		.throttled = more(from->throttled, to->throttled),
		.throttled_us = more(from->throttled_us, to->throttled_us),
		.stolen = more(from->stolen, to->stolen),
		.ticks = more(from->ticks, to->ticks),
	};
}

double cpu_throttle_steal_percent(const struct cpu_throttle *since)
{
	return since->ticks ? 100.0 * (double)since->stolen / (double)since->ticks : 0;
}
