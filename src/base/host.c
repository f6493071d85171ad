#include "host.h"

#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "cpu_features.h"
#include "cpuset.h"
#include "sysfs.h"
#include "vec.h"

#define CPUS "/sys/devices/system/cpu/"

struct core {
	uint64_t package, core;
};

struct cores {
	struct core *v;
	size_t n, cap;
};

static int by_place(const void *a, const void *b)
{
	const struct core *x = a, *y = b;

	if (x->package != y->package)
		return x->package < y->package ? -1 : 1;
	return x->core < y->core ? -1 : x->core > y->core;
}

/* Adds the numbers of sockets and cores. Threads of one core share package and core number. */
static void add_cores(struct props *p, const struct cpuset *online)
{
	struct cores l = { 0 };
	uint64_t sockets = 0, cores = 0;
	struct core c;
	int cpu;

	for (unsigned i = 0; (cpu = cpuset_nth(online, i)) >= 0; i++) {
		if (sysfs_u64(&c.package, CPUS "cpu%d/topology/physical_package_id", cpu) ||
		    sysfs_u64(&c.core, CPUS "cpu%d/topology/core_id", cpu) || !VEC_PUSH(&l, c)) {
			free(l.v);
			return;
		}
	}
	if (l.n)
		qsort(l.v, l.n, sizeof(*l.v), by_place);
	for (size_t i = 0; i < l.n; i++) {
		sockets += !i || l.v[i].package != l.v[i - 1].package;
		cores += !i || by_place(&l.v[i], &l.v[i - 1]);
	}
	free(l.v);
	props_u64(p, "sockets", sockets);
	props_u64(p, "cores", cores);
}

/* Adds the value that all CPUs share, or "mixed". */
static void add_common(struct props *p, const struct cpuset *online, const char *name, const char *file)
{
	char first[64] = "", text[64];
	int cpu;

	for (unsigned i = 0; (cpu = cpuset_nth(online, i)) >= 0; i++) {
		if (sysfs_line(text, sizeof(text), CPUS "cpu%d/cpufreq/%s", cpu, file))
			continue;
		if (!*first)
			snprintf(first, sizeof(first), "%s", text);
		else if (strcmp(first, text) != 0)
			snprintf(first, sizeof(first), "mixed");
	}
	props_text(p, name, first);
}

static void add_cpus(struct props *p)
{
	struct cpuset online, nodes;
	uint64_t v;

	if (!sysfs_cpuset(&online, CPUS "online")) {
		add_cores(p, &online);
		add_common(p, &online, "governor", "scaling_governor");
		add_common(p, &online, "frequency_driver", "scaling_driver");
		add_common(p, &online, "energy_preference", "energy_performance_preference");
	}
	if (!sysfs_u64(&v, CPUS "smt/active"))
		props_bool(p, "smt", v != 0);
	if (!sysfs_u64(&v, CPUS "intel_pstate/no_turbo"))
		props_bool(p, "turbo", v == 0);
	else if (!sysfs_u64(&v, CPUS "cpufreq/boost"))
		props_bool(p, "turbo", v != 0);
	if (!sysfs_cpuset(&nodes, "/sys/devices/system/node/online"))
		props_u64(p, "numa_nodes", cpuset_count(&nodes));
}

/* Adds the instructions that this CPU lacks, and that fiord would use. fiord runs other code instead. */
static void add_lacking_instructions(struct props *p)
{
	char text[64];

	snprintf(text, sizeof(text), "%s%s%s", cpu_has_avx2() ? "" : " AVX2", cpu_has_bmi2() ? "" : " BMI2",
		 cpu_has_sse42() ? "" : " SSE4.2");
	if (CPU_FEATURES_VARY && *text)
		props_text(p, "cpu_lacks", text + 1);
}

static bool has_word(const char *text, const char *word)
{
	size_t len = strlen(word);

	for (const char *at = text; (at = strstr(at, word)); at += len) {
		if ((at == text || at[-1] == ' ' || at[-1] == '\t') && strchr(" \t\n", at[len]))
			return true;
	}
	return false;
}

/* Returns true if the CPU has the flag that hypervisors set. */
static bool below_hypervisor(void)
{
	char path[PATH_MAX], *line = NULL;
	bool found = false;
	size_t size = 0;
	FILE *f;

	snprintf(path, sizeof(path), "%s/proc/cpuinfo", sysfs_root);
	f = fopen(path, "re");
	while (f && !found && getline(&line, &size, f) > 0)
		found = !strncmp(line, "flags", 5) && has_word(line, "hypervisor");
	free(line);
	if (f)
		fclose(f);
	return found;
}

static void add_sysfs_line(struct props *p, const char *name, const char *path)
{
	char text[256];

	if (!sysfs_line(text, sizeof(text), "%s", path))
		props_text(p, name, text);
}

static void add_kind(struct props *p)
{
	char text[4096];

	add_sysfs_line(p, "vendor", "/sys/class/dmi/id/sys_vendor");
	add_sysfs_line(p, "product", "/sys/class/dmi/id/product_name");
	add_sysfs_line(p, "hypervisor", "/sys/hypervisor/type");
	if (below_hypervisor())
		props_bool(p, "virtual", true);
	add_sysfs_line(p, "container", "/run/systemd/container");
	add_sysfs_line(p, "kernel_clock", "/sys/devices/system/clocksource/clocksource0/current_clocksource");
	if (!sysfs_line(text, sizeof(text), "/proc/cmdline") && has_word(text, "mitigations=off"))
		props_bool(p, "mitigations_off", true);
}

/* Converts the text of cpu.max to a number of CPUs: "200000 100000" is 2. Returns 0 for "max 100000", which
   is no limit. */
static double cpus_of(const char *text)
{
	uint64_t quota, period;

	if (sscanf(text, "%" SCNu64 " %" SCNu64, &quota, &period) != 2 || !period)
		return 0;
	return (double)quota / (double)period;
}

/* Adds the lowest limits of the control group and of the groups above it (cgroup v2). */
static void add_limits(struct props *p)
{
	uint64_t memory = UINT64_MAX, v;
	char group[PATH_MAX / 2], text[64], tightest[64] = "", *slash;
	double cpus = 0, now;

	if (sysfs_line(group, sizeof(group), "/proc/self/cgroup") || strncmp(group, "0::", 3) != 0)
		return;
	do {
		if (!sysfs_u64(&v, "/sys/fs/cgroup%s/memory.max", group + 3) && v < memory)
			memory = v;
		now = sysfs_line(text, sizeof(text), "/sys/fs/cgroup%s/cpu.max", group + 3) ? 0
											    : cpus_of(text);
		if (now > 0 && (cpus == 0 || now < cpus)) {
			cpus = now;
			memcpy(tightest, text, sizeof(tightest));
		}
		slash = strrchr(group + 3, '/');
		if (slash)
			*slash = '\0';
	} while (slash);
	props_text(p, "cgroup_cpu_max", tightest);
	if (memory != UINT64_MAX)
		props_u64(p, "cgroup_memory_max_bytes", memory);
}

void host_add(struct props *p)
{
	add_cpus(p);
	add_lacking_instructions(p);
	add_kind(p);
	add_limits(p);
}
