#include "peak_run.h"

#include <dirent.h>
#include <errno.h>
#include <glob.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "machine.h"
#include "sysfs.h"

/* Shortens the path of a directory in sysfs to that of its parent. Returns false at the top. */
static bool go_up(char *path)
{
	char *slash = strrchr(path, '/');

	if (!slash || !strcmp(slash, "/devices") || slash == path)
		return false;
	*slash = '\0';
	return true;
}

/* Finds the directory of the disk without symbolic links; "" if there is none. It lies below sysfs_root. */
static void find_directory(char path[PATH_MAX], const char *disk)
{
	char link[PATH_MAX];

	path[0] = '\0';
	if (!disk || !*disk || strlen(disk) > NAME_MAX)
		return;
	snprintf(link, sizeof(link), "%s/sys/block/%.255s", sysfs_root, disk);
	for (char *c = link + strlen(link) - strlen(disk); *c; c++)
		if (*c == '/')
			*c = '!';
	if (!realpath(link, path))
		path[0] = '\0';
}

/* ---- CPUs ---- */

struct near {
	struct cpuset node, interrupts;
	unsigned turn[CPUSET_MAX]; /* of the CPU among those of its queue */
};

static void add_interrupt(struct near *n, unsigned irq)
{
	struct cpuset cpus = { 0 };

	if (!sysfs_cpuset(&cpus, "/proc/irq/%u/effective_affinity_list", irq) ||
	    !sysfs_cpuset(&cpus, "/proc/irq/%u/smp_affinity_list", irq))
		cpuset_or(&n->interrupts, &cpus);
}

/* Takes the interrupts of the nearest parent that has some. */
static void find_interrupts(struct near *n, const char *disk_path)
{
	char path[PATH_MAX], irqs[PATH_MAX + 16];
	struct dirent *entry;
	DIR *dir = NULL;

	snprintf(path, sizeof(path), "%s", disk_path);
	do {
		snprintf(irqs, sizeof(irqs), "%s/msi_irqs", path);
		dir = opendir(irqs);
	} while (!dir && go_up(path));
	while (dir && (entry = readdir(dir)))
		if (entry->d_name[0] != '.')
			add_interrupt(n, (unsigned)strtoul(entry->d_name, NULL, 10));
	if (dir)
		closedir(dir);
}

/* Returns 0 for CPUs of the node that get interrupts, 1 for others of the node, 2 and 3 for those elsewhere.
 */
static unsigned distance(const struct near *n, unsigned cpu)
{
	return 2u * !cpuset_has(&n->node, cpu) + !cpuset_has(&n->interrupts, cpu);
}

/* Numbers the CPUs of each queue that workers may use, the nearest first. */
static void find_turns(struct near *n, const char *disk, const struct cpuset *allowed)
{
	for (unsigned queue = 0; queue < CPUSET_MAX; queue++) {
		struct cpuset cpus = { 0 };
		unsigned turn = 0;

		if (sysfs_cpuset(&cpus, "/sys/block/%s/mq/%u/cpu_list", disk, queue))
			return;
		cpuset_and(&cpus, allowed);
		for (unsigned pass = 0; pass < 4; pass++)
			for (unsigned cpu = 0; cpu < CPUSET_MAX; cpu++)
				if (cpuset_has(&cpus, cpu) && distance(n, cpu) == pass)
					n->turn[cpu] = turn++;
	}
}

struct place {
	unsigned cpu;
	unsigned key[4]; /* smaller is nearer */
};

static int nearer(const void *a, const void *b)
{
	const struct place *p = a, *q = b;

	for (size_t i = 0; i < sizeof(p->key) / sizeof(*p->key); i++)
		if (p->key[i] != q->key[i])
			return p->key[i] < q->key[i] ? -1 : 1;
	return p->cpu < q->cpu ? -1 : p->cpu > q->cpu;
}

static unsigned thread_of(const struct machine *m, unsigned cpu)
{
	for (unsigned i = 0; i < m->nplaces; i++)
		if (m->places[i].cpu == cpu)
			return m->places[i].thread;
	return 0;
}

static int order_cpus(struct peak_target *t, const struct machine *m, const struct near *n, struct arena *mem)
{
	size_t count = cpuset_count(&m->allowed);
	struct place *v = calloc(count + 1, sizeof(*v));

	t->cpus = arena_array(mem, count + 1, sizeof(*t->cpus));
	if (!v || !t->cpus) {
		free(v);
		return -ENOMEM;
	}
	for (unsigned cpu = 0; cpu < CPUSET_MAX; cpu++)
		if (cpuset_has(&m->allowed, cpu))
			v[t->ncpus++] = (struct place){ cpu,
							{ !cpuset_has(&n->node, cpu), thread_of(m, cpu),
							  n->turn[cpu], !cpuset_has(&n->interrupts, cpu) } };
	qsort(v, t->ncpus, sizeof(*v), nearer);
	for (size_t i = 0; i < t->ncpus; i++)
		t->cpus[i] = v[i].cpu;
	free(v);
	return 0;
}

static void find_node(struct peak_target *t, const char *disk_path)
{
	char path[PATH_MAX], line[32];
	size_t root = strlen(sysfs_root);

	snprintf(path, sizeof(path), "%s", disk_path);
	t->node = -1;
	do {
		if (sysfs_line(line, sizeof(line), "%s/numa_node", path + root))
			continue;
		t->node = atoi(line);
		return;
	} while (go_up(path));
}

/* ---- the link ---- */

/* Reads a number of two files that a pattern finds, such as that of a phy. */
static bool first_line(char *line, size_t size, const char *path, const char *pattern)
{
	char text[PATH_MAX + 64];
	glob_t found = { 0 };
	bool ok;

	snprintf(text, sizeof(text), "%s/%s", path, pattern);
	ok = !glob(text, 0, NULL, &found) && found.gl_pathc &&
	     !sysfs_line(line, size, "%s", found.gl_pathv[0] + strlen(sysfs_root));
	globfree(&found);
	return ok;
}

/* Up to 5 GT/s a byte takes 10 bits, at 8 to 32 GT/s 16 bytes take 130; at 64 GT/s 236 bytes of 256 are
   data. */
static uint64_t pci_bytes(double gt, unsigned lanes)
{
	double share = gt < 8 ? 0.8 : gt < 64 ? 128.0 / 130 : 236.0 / 256;

	return (uint64_t)(gt * 1e9 * share / 8 * lanes);
}

static bool pci_link(struct peak_target *t, const char *path, struct arena *mem)
{
	char speed[64];
	uint64_t lanes;
	double gt;

	if (sysfs_line(speed, sizeof(speed), "%s/current_link_speed", path + strlen(sysfs_root)) ||
	    sysfs_u64(&lanes, "%s/current_link_width", path + strlen(sysfs_root)))
		return false;
	gt = strtod(speed, NULL);
	if (!(gt > 0 && gt < 1000) || !lanes || lanes > 64)
		return false;
	t->link_bytes = pci_bytes(gt, (unsigned)lanes);
	t->link = arena_printf(mem, "PCIe %.1f GT/s x%u", gt, (unsigned)lanes);
	return true;
}

static bool serial_link(struct peak_target *t, const char *path, struct arena *mem)
{
	char speed[64];
	bool sata = first_line(speed, sizeof(speed), path, "link*/ata_link/*/sata_spd");
	double gbit;

	if (!sata && !first_line(speed, sizeof(speed), path, "phy-*/sas_phy/*/negotiated_linkrate"))
		return false;
	gbit = strtod(speed, NULL);
	if (!(gbit > 0 && gbit < 1000))
		return false;
	/* A byte takes 10 bits; from 22.5 Gbit/s on, 128 bits take 150. */
	t->link_bytes = (uint64_t)(gbit * 1e9 / 8 * (gbit < 20 ? 0.8 : 128.0 / 150));
	t->link = arena_printf(mem, "%s %.1f Gbit/s", sata ? "SATA" : "SAS", gbit);
	return true;
}

/* The nearest link counts, because those above it may be shared. */
static void find_link(struct peak_target *t, const char *disk_path, struct arena *mem)
{
	char path[PATH_MAX];

	snprintf(path, sizeof(path), "%s", disk_path);
	do {
		if (pci_link(t, path, mem) || serial_link(t, path, mem))
			return;
	} while (go_up(path));
}

int peak_device_probe(struct peak_target *t, const struct machine *m, struct arena *mem)
{
	struct near *n = calloc(1, sizeof(*n));
	char path[PATH_MAX];
	uint64_t polls = 0;
	int err;

	if (!n)
		return -ENOMEM;
	find_directory(path, t->disk);
	t->node = -1;
	if (*path)
		find_node(t, path);
	if (t->node >= 0 && (unsigned)t->node < m->nnodes)
		n->node = m->node_cpus[t->node];
	if (*path) {
		find_interrupts(n, path);
		find_turns(n, t->disk, &m->allowed);
		find_link(t, path, mem);
		t->polls = !sysfs_u64(&polls, "/sys/block/%s/queue/io_poll", t->disk) && polls == 1;
	}
	err = order_cpus(t, m, n, mem);
	free(n);
	return err;
}
