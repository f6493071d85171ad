#include "cpuheld.h"

#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include "sysfs.h"

/* One group's cpu.stat has a line for each figure. */
static void add_group(struct cpuheld *h, const char *group)
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

static void add_groups(struct cpuheld *h)
{
	char group[PATH_MAX / 2], *slash;

	if (sysfs_line(group, sizeof(group), "/proc/self/cgroup") || strncmp(group, "0::", 3) != 0)
		return;
	do {
		add_group(h, group + 3);
		slash = strrchr(group + 3, '/');
		if (slash)
			*slash = '\0';
	} while (slash && group[3]);
}

/* "cpu  user nice system idle iowait irq softirq steal ...": guests are in user and nice. */
static void add_stolen(struct cpuheld *h)
{
	char line[512];
	uint64_t v[8] = { 0 };

	if (sysfs_line(line, sizeof(line), "/proc/stat"))
		return;
	sscanf(line,
	       "cpu %" SCNu64 " %" SCNu64 " %" SCNu64 " %" SCNu64 " %" SCNu64 " %" SCNu64 " %" SCNu64
	       " %" SCNu64,
	       &v[0], &v[1], &v[2], &v[3], &v[4], &v[5], &v[6], &v[7]);
	for (unsigned i = 0; i < 8; i++)
		h->ticks += v[i];
	h->stolen = v[7];
}

void cpuheld_look(struct cpuheld *h)
{
	*h = (struct cpuheld){ 0 };
	add_groups(h);
	add_stolen(h);
}

static uint64_t more(uint64_t from, uint64_t to)
{
	return to > from ? to - from : 0;
}

struct cpuheld cpuheld_since(const struct cpuheld *from, const struct cpuheld *to)
{
	return (struct cpuheld){
		.throttled = more(from->throttled, to->throttled),
		.throttled_us = more(from->throttled_us, to->throttled_us),
		.stolen = more(from->stolen, to->stolen),
		.ticks = more(from->ticks, to->ticks),
	};
}

double cpuheld_stolen(const struct cpuheld *since)
{
	return since->ticks ? 100.0 * (double)since->stolen / (double)since->ticks : 0;
}
