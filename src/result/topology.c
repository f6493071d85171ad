#include "topology.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "cpuset.h"
#include "cpuspeed.h"
#include "sysfs.h"

#define CPUS  "/sys/devices/system/cpu/"
#define NODES "/sys/devices/system/node/"

#define GROUP_CPUS 64
#define CACHES_MAX 16

struct topology_reader {
	struct span_system *s;
	struct arena *mem;
	struct cpuset online;
	bool failed;
};

static void *make(struct topology_reader *r, size_t n, size_t bytes)
{
	void *v = arena_array(r->mem, n ? n : 1, bytes);

	r->failed = r->failed || !v;
	return v;
}

/* Returns the processors of a set that are online, by group. */
static struct span_masks masks_of(struct topology_reader *r, struct cpuset set)
{
	struct span_mask *v = make(r, CPUSET_MAX / GROUP_CPUS, sizeof(*v));
	struct span_masks m = { .v = v };

	cpuset_and(&set, &r->online);
	for (unsigned i = 0; v && i < CPUSET_MAX / GROUP_CPUS; i++)
		if (set.bits[i])
			v[m.n++] = (struct span_mask){ i, set.bits[i] };
	return m;
}

static void read_groups(struct topology_reader *r)
{
	struct cpuset present = { 0 };
	struct span_masks m = masks_of(r, r->online);
	struct span_group *v = make(r, m.n, sizeof(*v));

	if (sysfs_cpuset(&present, CPUS "possible"))
		present = r->online;
	for (size_t i = 0; v && i < m.n; i++)
		v[i] = (struct span_group){ .group = m.v[i].group,
					    .maximum = (unsigned)__builtin_popcountll(
						    present.bits[m.v[i].group]),
					    .active = (unsigned)__builtin_popcountll(m.v[i].mask),
					    .mask = m.v[i].mask };
	r->s->groups = v;
	r->s->ngroups = (unsigned)m.n;
}

static void read_nodes(struct topology_reader *r)
{
	struct cpuset set = { 0 };
	struct span_node *v;
	unsigned n = 0;
	int node;

	if (sysfs_cpuset(&set, NODES "online"))
		cpuset_add(&set, 0);
	v = make(r, cpuset_count(&set), sizeof(*v));
	for (unsigned i = 0; v && (node = cpuset_nth(&set, i)) >= 0; i++) {
		struct cpuset cpus = r->online;

		(void)sysfs_cpuset(&cpus, NODES "node%d/cpulist", node);
		v[n++] = (struct span_node){ (unsigned)node, masks_of(r, cpus) };
	}
	r->s->nodes = v;
	r->s->nnodes = n;
}

/* Processors that have the same number in `file`, such as the package they are in. */
struct sharing {
	uint64_t number;
	struct cpuset cpus;
};

static struct sharing *find_sharing(struct sharing *v, size_t *n, uint64_t number)
{
	for (size_t i = 0; i < *n; i++)
		if (v[i].number == number)
			return &v[i];
	v[*n].number = number;
	return &v[(*n)++];
}

static void read_sockets(struct topology_reader *r)
{
	struct sharing *share = calloc(cpuset_count(&r->online) + 1, sizeof(*share));
	struct span_node *v;
	uint64_t package;
	size_t n = 0;
	int cpu;

	for (unsigned i = 0; share && (cpu = cpuset_nth(&r->online, i)) >= 0; i++) {
		if (sysfs_u64(&package, CPUS "cpu%d/topology/physical_package_id", cpu))
			package = 0;
		cpuset_add(&find_sharing(share, &n, package)->cpus, (unsigned)cpu);
	}
	v = make(r, n, sizeof(*v));
	for (size_t i = 0; v && i < n; i++)
		v[i] = (struct span_node){ (unsigned)share[i].number, masks_of(r, share[i].cpus) };
	r->failed = r->failed || !share;
	r->s->sockets = v;
	r->s->nsockets = (unsigned)n;
	free(share);
}

/* Cores are numbered in the order of their first processors. */
static void read_cores(struct topology_reader *r)
{
	struct span_core *v = make(r, cpuset_count(&r->online), sizeof(*v));
	struct cpuset left = r->online;
	unsigned class[CPUSET_MAX], n = 0;
	int cpu;

	r->s->heterogeneous = cpuspeed_classes(&r->online, class) > 1;
	while (v && (cpu = cpuset_nth(&left, 0)) >= 0) {
		unsigned group = (unsigned)cpu / GROUP_CPUS;
		struct cpuset threads = { 0 };

		(void)sysfs_cpuset(&threads, CPUS "cpu%d/topology/thread_siblings_list", cpu);
		cpuset_add(&threads, (unsigned)cpu);
		cpuset_and(&threads, &r->online);
		cpuset_without(&left, &threads);
		v[n] = (struct span_core){
			.group = group, .number = n, .efficiency = class[cpu], .mask = threads.bits[group]
		};
		n++;
	}
	r->s->cores = v;
	r->s->ncores = n;
}

static bool read_cache(struct topology_reader *r, struct span_cache *c, int cpu, unsigned index)
{
	uint64_t level, ways, line;
	char path[128], text[64];
	struct cpuset set = { 0 };

	snprintf(path, sizeof(path), CPUS "cpu%d/cache/index%u", cpu, index);
	if (sysfs_u64(&level, "%s/level", path) || sysfs_line(text, sizeof(text), "%s/size", path))
		return false;
	*c = (struct span_cache){ .level = (unsigned)level, .bytes = strtoull(text, NULL, 10) };
	c->bytes <<= strchr(text, 'M') ? 20 : strchr(text, 'K') ? 10 : 0;
	if (!sysfs_u64(&ways, "%s/ways_of_associativity", path))
		c->ways = (unsigned)ways;
	if (!sysfs_u64(&line, "%s/coherency_line_size", path))
		c->line_bytes = line;
	if (!sysfs_line(text, sizeof(text), "%s/type", path))
		c->type = arena_strdup(r->mem, text);
	if (sysfs_cpuset(&set, "%s/shared_cpu_list", path))
		cpuset_add(&set, (unsigned)cpu);
	/* A cache is listed once, at its first processor. */
	cpuset_and(&set, &r->online);
	if (cpuset_nth(&set, 0) != cpu)
		return false;
	c->cpus = masks_of(r, set);
	return true;
}

static int by_level(const void *a, const void *b)
{
	const struct span_cache *x = a, *y = b;
	int type = strcmp(x->type ? x->type : "", y->type ? y->type : "");

	if (x->level != y->level || type)
		return x->level != y->level ? (x->level < y->level ? -1 : 1) : type;
	if (!x->cpus.n || !y->cpus.n || x->cpus.v->group != y->cpus.v->group)
		return x->cpus.n && y->cpus.n && x->cpus.v->group > y->cpus.v->group ? 1 : -1;
	return __builtin_ctzll(x->cpus.v->mask) - __builtin_ctzll(y->cpus.v->mask);
}

static void read_caches(struct topology_reader *r)
{
	struct span_cache *v = make(r, (size_t)cpuset_count(&r->online) * CACHES_MAX, sizeof(*v));
	int cpu;

	for (unsigned i = 0; v && (cpu = cpuset_nth(&r->online, i)) >= 0; i++)
		for (unsigned k = 0; k < CACHES_MAX; k++)
			r->s->ncaches += read_cache(r, &v[r->s->ncaches], cpu, k);
	if (r->s->ncaches)
		qsort(v, r->s->ncaches, sizeof(*v), by_level);
	r->s->caches = v;
}

static void read_power(struct topology_reader *r)
{
	char text[64];

	if (!sysfs_line(text, sizeof(text), CPUS "cpu%d/cpufreq/scaling_governor", cpuset_nth(&r->online, 0)))
		r->s->power_scheme = arena_strdup(r->mem, text);
}

static void read_libata(struct topology_reader *r)
{
	char text[16];

	if (!sysfs_line(text, sizeof(text), "/sys/module/libata/parameters/fua"))
		r->s->libata_fua = arena_strdup(r->mem, text);
}

/* Without /sys the C library knows the number of processors, and nothing else about them. */
static void read_online(struct cpuset *online)
{
	long n = sysconf(_SC_NPROCESSORS_ONLN);

	if (!sysfs_cpuset(online, CPUS "online") && cpuset_count(online))
		return;
	*online = (struct cpuset){ 0 };
	for (unsigned i = 0; !i || (i < CPUSET_MAX && (long)i < n); i++)
		cpuset_add(online, i);
}

int topology_read(struct span_system *s, struct arena *mem)
{
	struct topology_reader r = { .s = s, .mem = mem };

	read_online(&r.online);
	s->cpus = cpuset_count(&r.online);
	s->page_bytes = (uint64_t)sysconf(_SC_PAGESIZE);
	read_groups(&r);
	read_nodes(&r);
	read_sockets(&r);
	read_cores(&r);
	read_caches(&r);
	read_power(&r);
	read_libata(&r);
	return r.failed ? -ENOMEM : 0;
}

static bool in_masks(const struct span_masks *m, unsigned group, unsigned bit)
{
	for (size_t i = 0; i < m->n; i++)
		if (m->v[i].group == group && m->v[i].mask >> bit & 1)
			return true;
	return false;
}

static unsigned node_of(const struct span_node *v, unsigned n, unsigned group, unsigned bit)
{
	for (unsigned i = 0; i < n; i++)
		if (in_masks(&v[i].cpus, group, bit))
			return v[i].number;
	return 0;
}

struct span_cpu topology_cpu(const struct span_system *s, unsigned n)
{
	unsigned group = n / GROUP_CPUS, bit = n % GROUP_CPUS;
	struct span_cpu c = { .group = group, .id = bit };

	c.node = node_of(s->nodes, s->nnodes, group, bit);
	c.socket = node_of(s->sockets, s->nsockets, group, bit);
	for (unsigned i = 0; i < s->ncores; i++) {
		if (s->cores[i].group != group || !(s->cores[i].mask >> bit & 1))
			continue;
		c.core = s->cores[i].number;
		c.efficiency = s->cores[i].efficiency;
	}
	return c;
}

bool topology_mixed(const struct span_system *s, const struct cpuset *cpus)
{
	int first = cpuset_nth(cpus, 0);

	for (unsigned cpu = 0; first >= 0 && s->heterogeneous && cpu < CPUSET_MAX; cpu++)
		if (cpuset_has(cpus, cpu) &&
		    topology_cpu(s, cpu).efficiency != topology_cpu(s, (unsigned)first).efficiency)
			return true;
	return false;
}
