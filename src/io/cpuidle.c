#include "cpuidle.h"

#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "clock.h"
#include "rng.h"
#include "sysfs.h"

/* The random numbers in one piece of work, which takes a few microseconds. */
#define UNIT_DRAWS 4096
/* The fastest of this many runs counts: no interrupt disturbed it. */
#define UNIT_TRIES 64

struct ticks {
	uint64_t idle, user, iowait, all;
};

struct cpuidle {
	struct ticks all;
	unsigned ncpus;
	unsigned number[CPUIDLE_MAX];
	struct ticks cpus[CPUIDLE_MAX];
};

uint64_t cpu_ticks(const char *line, uint64_t v[CPU_TICKS])
{
	uint64_t all = 0;

	memset(v, 0, CPU_TICKS * sizeof(*v));
	sscanf(line,
	       "%*s %" SCNu64 " %" SCNu64 " %" SCNu64 " %" SCNu64 " %" SCNu64 " %" SCNu64 " %" SCNu64
	       " %" SCNu64,
	       &v[0], &v[1], &v[2], &v[3], &v[4], &v[5], &v[6], &v[7]);
	for (unsigned i = 0; i < CPU_TICKS; i++)
		all += v[i];
	return all;
}

/* iowait is idle time, too. */
static struct ticks ticks_of(const char *line)
{
	uint64_t v[CPU_TICKS], all = cpu_ticks(line, v);

	return (struct ticks){ .idle = v[3] + v[4], .user = v[0] + v[1], .iowait = v[4], .all = all };
}

static bool read_stat(struct cpuidle *c)
{
	FILE *f = fopen("/proc/stat", "re");
	char line[512];

	memset(c, 0, sizeof(*c));
	while (f && fgets(line, sizeof(line), f) && !strncmp(line, "cpu", 3)) {
		if (line[3] == ' ') {
			c->all = ticks_of(line);
		} else if (c->ncpus < CPUIDLE_MAX) {
			c->number[c->ncpus] = (unsigned)strtoul(line + 3, NULL, 10);
			c->cpus[c->ncpus++] = ticks_of(line);
		}
	}
	if (f)
		fclose(f);
	return c->ncpus > 0;
}

struct cpuidle *cpuidle_begin(void)
{
	struct cpuidle *c = malloc(sizeof(*c));

	if (c && !read_stat(c)) {
		free(c);
		c = NULL;
	}
	return c;
}

void cpuidle_free(struct cpuidle *c)
{
	free(c);
}

/* Returns the share of one counter in all ticks, in percent; `none` if there was no tick. */
static double tick_percent(const struct ticks *from, const struct ticks *to, uint64_t before, uint64_t after,
			   double none)
{
	uint64_t all = to->all > from->all ? to->all - from->all : 0;
	uint64_t part = after > before ? after - before : 0;

	return !all || part > all ? none : 100.0 * (double)part / (double)all;
}

/* A CPU without a tick counts as idle. */
static double idle_percent(const struct ticks *from, const struct ticks *to)
{
	return tick_percent(from, to, from->idle, to->idle, 100);
}

static void set_use(struct cpuidle_use *use, unsigned number, const struct ticks *from,
		    const struct ticks *to)
{
	use->cpu[use->ncpus].number = number;
	use->cpu[use->ncpus].user = tick_percent(from, to, from->user, to->user, 0);
	use->cpu[use->ncpus].iowait = tick_percent(from, to, from->iowait, to->iowait, 0);
	use->cpu[use->ncpus++].idle = idle_percent(from, to);
}

void cpuidle_end(const struct cpuidle *c, struct cpuidle_use *use)
{
	struct cpuidle *now = malloc(sizeof(*now));

	use->all = 0;
	use->ncpus = 0;
	if (now && read_stat(now))
		use->all = idle_percent(&c->all, &now->all);
	for (unsigned i = 0, k = 0; now && i < c->ncpus; i++) {
		while (k < now->ncpus && now->number[k] < c->number[i])
			k++;
		if (k == now->ncpus || now->number[k] != c->number[i])
			continue; /* the CPU went offline */
		set_use(use, c->number[i], &c->cpus[i], &now->cpus[k]);
	}
	free(now);
}

static double one_unit(struct rng *r)
{
	uint64_t best = UINT64_MAX;

	for (unsigned i = 0; i < UNIT_TRIES; i++) {
		uint64_t start = clock_ns(), sum = 0, took;

		for (unsigned k = 0; k < UNIT_DRAWS; k++)
			sum += rng_u64(r);
		__asm__ volatile("" : : "r"(sum)); /* keeps the compiler from removing the loop */
		took = clock_ns() - start;
		best = took < best ? took : best;
	}
	return (double)best / 1000;
}

void cpuidle_unit(struct cpuidle_unit *u)
{
	cpu_set_t allowed, one;
	double sum = 0, squares = 0;
	unsigned n = 0;
	struct rng r;

	rng_init(&r, 1);
	if (sched_getaffinity(0, sizeof(allowed), &allowed))
		CPU_ZERO(&allowed);
	for (int i = 0; i < CPU_SETSIZE; i++) {
		double us;

		if (!CPU_ISSET(i, &allowed))
			continue;
		CPU_ZERO(&one);
		CPU_SET(i, &one);
		if (sched_setaffinity(0, sizeof(one), &one))
			continue;
		us = one_unit(&r);
		sum += us;
		squares += us * us;
		n++;
	}
	if (n)
		sched_setaffinity(0, sizeof(allowed), &allowed);
	u->mean_us = n ? sum / n : one_unit(&r);
	u->stddev_us = n > 1 ? sqrt(fmax(0, (squares - sum * sum / n) / (n - 1))) : 0;
}

/* ---- cpu throttle ---- */

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
