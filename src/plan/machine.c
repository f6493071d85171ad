#include "machine.h"

#include <dirent.h>
#include <errno.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "cpuspeed.h"
#include "mounts.h"
#include "sysfs.h"

static int get_affinity(struct cpuset *s)
{
	cpu_set_t *set = (cpu_set_t *)(void *)s->bits;

	return sched_getaffinity(0, sizeof(s->bits), set) ? -errno : 0;
}

static int set_affinity(const struct cpuset *s)
{
	return sched_setaffinity(0, sizeof(s->bits), (const cpu_set_t *)(const void *)s->bits) ? -errno : 0;
}

/* A worker may choose more CPUs than this process was given by taskset. Only the kernel knows them, so this
   function asks for all CPUs, reads which ones the kernel grants, and restores the old set. */
static void probe_allowed(struct machine *m)
{
	struct cpuset was = { 0 };

	if (get_affinity(&was))
		return;
	m->allowed = was;
	if (set_affinity(&m->cpus))
		return;
	if (get_affinity(&m->allowed))
		m->allowed = was;
	(void)set_affinity(&was);
}

static int probe_nodes(struct machine *m)
{
	if (sysfs_cpuset(&m->nodes, "/sys/devices/system/node/has_memory") &&
	    sysfs_cpuset(&m->nodes, "/sys/devices/system/node/online"))
		cpuset_add(&m->nodes, 0); /* a kernel without NUMA */
	for (unsigned i = 0; i < CPUSET_MAX; i++)
		if (cpuset_has(&m->nodes, i))
			m->nnodes = i + 1;
	m->node_cpus = calloc(m->nnodes, sizeof(*m->node_cpus));
	if (!m->node_cpus)
		return -ENOMEM;
	for (unsigned i = 0; i < m->nnodes; i++) {
		if (!cpuset_has(&m->nodes, i))
			continue;
		if (sysfs_cpuset(&m->node_cpus[i], "/sys/devices/system/node/node%u/cpulist", i) == -ENOENT &&
		    i == 0)
			m->node_cpus[i] = m->cpus;
	}
	return 0;
}

static uint64_t meminfo(const char *key)
{
	FILE *f = fopen("/proc/meminfo", "re");
	size_t len = strlen(key);
	char line[128];
	uint64_t kib = 0;

	while (f && fgets(line, sizeof(line), f))
		if (!strncmp(line, key, len))
			kib = strtoull(line + len, NULL, 10);
	if (f)
		fclose(f);
	return kib * 1024;
}

static void probe_hugepages(struct machine *m)
{
	DIR *dir = opendir("/sys/kernel/mm/hugepages");
	const struct dirent *e;
	unsigned n = 0;

	m->hugepage[n] = meminfo("Hugepagesize:");
	n += m->hugepage[n] > 0;
	while (dir && (e = readdir(dir)) && n < sizeof(m->hugepage) / sizeof(*m->hugepage)) {
		unsigned long long kib;

		if (sscanf(e->d_name, "hugepages-%llukB", &kib) == 1 && kib * 1024 != m->hugepage[0])
			m->hugepage[n++] = kib * 1024;
	}
	if (dir)
		closedir(dir);
}

static bool is_cgroup2(const struct mount_entry *e, void *arg)
{
	char **found = arg;

	if (strcmp(e->fstype, "cgroup2"))
		return false;
	*found = strdup(e->point);
	return *found;
}

static void probe_cgroup2(struct machine *m)
{
	char list[512], *save = NULL;

	if (!mounts_any(is_cgroup2, &m->cgroup2) ||
	    sysfs_line(list, sizeof(list), "%s/cgroup.controllers", m->cgroup2))
		return;
	for (char *word = strtok_r(list, " ", &save); word; word = strtok_r(NULL, " ", &save))
		m->cgroup2_io = m->cgroup2_io || !strcmp(word, "io");
}

int machine_probe(struct machine *m)
{
	probe_cgroup2(m);
	probe_hugepages(m);
	m->available_bytes = meminfo("MemAvailable:");
	if (sysfs_cpuset(&m->cpus, "/sys/devices/system/cpu/online"))
		get_affinity(&m->cpus);
	probe_allowed(m);
	return probe_nodes(m);
}

/* Returns the number of CPUs of the same core before this one. */
static unsigned thread_index(int cpu)
{
	struct cpuset siblings = { 0 };
	unsigned n = 0;

	if (sysfs_cpuset(&siblings, "/sys/devices/system/cpu/cpu%d/topology/thread_siblings_list", cpu))
		return 0;
	while (cpuset_nth(&siblings, n) >= 0 && cpuset_nth(&siblings, n) < cpu)
		n++;
	return n;
}

int machine_probe_places(struct machine *m)
{
	unsigned n = cpuset_count(&m->cpus), class[CPUSET_MAX], classes = cpuspeed_classes(&m->cpus, class);

	m->places = calloc(n + 1, sizeof(*m->places));
	if (!m->places)
		return -ENOMEM;
	for (unsigned i = 0; i < n; i++) {
		int cpu = cpuset_nth(&m->cpus, i);

		m->places[i] =
			(struct cpu_place){ (unsigned)cpu, classes - 1 - class[cpu], thread_index(cpu) };
	}
	m->nplaces = n;
	return 0;
}

void machine_fini(struct machine *m)
{
	free(m->places);
	free(m->node_cpus);
	free(m->cgroup2);
	*m = (struct machine){ 0 };
}
