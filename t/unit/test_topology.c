/* What does topology_read find in artificial trees? */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "sysfs.h"
#include "topology.h"

static char root[64];

static void put(const char *text, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

static void put(const char *text, const char *fmt, ...)
{
	char name[256], path[512], part[512];
	va_list ap;
	FILE *f;

	va_start(ap, fmt);
	vsnprintf(name, sizeof(name), fmt, ap);
	va_end(ap);
	snprintf(path, sizeof(path), "%s/sys/devices/system/%s", root, name);
	for (const char *slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
		snprintf(part, sizeof(part), "%.*s", (int)(slash - path), path);
		mkdir(part, 0700);
	}
	f = fopen(path, "w");
	assert_non_null(f);
	fprintf(f, "%s\n", text);
	fclose(f);
}

static int begin(void **state)
{
	(void)state;
	strcpy(root, "/tmp/fiord-topology.XXXXXX");
	if (!mkdtemp(root))
		return -1;
	sysfs_root = root;
	return 0;
}

static int end(void **state)
{
	char command[128];

	(void)state;
	sysfs_root = "";
	snprintf(command, sizeof(command), "rm -rf %s", root);
	return system(command);
}

static void put_cpu(unsigned n, const char *package, const char *siblings, const char *capacity)
{
	put(package, "cpu/cpu%u/topology/physical_package_id", n);
	put(siblings, "cpu/cpu%u/topology/thread_siblings_list", n);
	put(capacity, "cpu/cpu%u/cpu_capacity", n);
}

/* Two sockets. The first has a core of two threads and two small ones; the second is in both groups. CPU 3 is
 * offline. */
static void test_machine(void **state)
{
	struct span_system s = { 0 };
	struct arena mem = { 0 };
	struct cpuset set = { 0 };
	struct span_cpu cpu;

	(void)state;
	put("0-2,63-64", "cpu/online");
	put("0-3,63-127", "cpu/possible");
	put_cpu(0, "0", "0,3", "1024");
	put_cpu(1, "0", "1", "446");
	put_cpu(2, "0", "2", "446");
	put_cpu(63, "1", "63", "1024");
	put_cpu(64, "1", "64", "800");
	put("0-1", "node/online");
	put("0-3", "node/node0/cpulist");
	put("63-64", "node/node1/cpulist");
	put("performance", "cpu/cpu0/cpufreq/scaling_governor");
	put("N", "../../module/libata/parameters/fua");
	put("3", "cpu/cpu0/cache/index1/level");
	put("8M", "cpu/cpu0/cache/index1/size");
	put("0-3", "cpu/cpu0/cache/index1/shared_cpu_list");
	for (unsigned i = 0; i < 3; i++) {
		put("2", "cpu/cpu%u/cache/index0/level", i);
		put("Unified", "cpu/cpu%u/cache/index0/type", i);
		put("1536K", "cpu/cpu%u/cache/index0/size", i);
		put("64", "cpu/cpu%u/cache/index0/coherency_line_size", i);
		put("12", "cpu/cpu%u/cache/index0/ways_of_associativity", i);
		put(i ? "1-2" : "0,3", "cpu/cpu%u/cache/index0/shared_cpu_list", i);
	}
	assert_int_equal(topology_read(&s, &mem), 0);
	assert_int_equal(s.cpus, 5);
	assert_int_equal(s.ngroups, 2);
	assert_int_equal(s.groups[0].mask, 0x8000000000000007);
	assert_int_equal(s.groups[0].maximum, 5);
	assert_int_equal(s.groups[0].active, 4);
	assert_int_equal(s.groups[1].maximum, 64);
	assert_int_equal(s.nnodes, 2);
	assert_int_equal(s.nodes[0].cpus.n, 1);
	assert_int_equal(s.nodes[0].cpus.v[0].mask, 7);
	assert_int_equal(s.nodes[1].cpus.n, 2);
	assert_int_equal(s.nsockets, 2);
	assert_int_equal(s.sockets[1].cpus.v[1].group, 1);
	assert_int_equal(s.ncores, 5);
	assert_true(s.heterogeneous);
	assert_int_equal(s.cores[0].efficiency, 2);
	assert_int_equal(s.cores[1].efficiency, 0);
	assert_int_equal(s.cores[4].efficiency, 1);
	cpuset_add(&set, 1);
	cpuset_add(&set, 2);
	assert_false(topology_mixed(&s, &set));
	cpuset_add(&set, 64);
	assert_true(topology_mixed(&s, &set));
	assert_false(topology_mixed(&s, &(struct cpuset){ 0 }));
	assert_int_equal(s.ncaches, 3);
	assert_int_equal(s.caches[2].level, 3);
	assert_int_equal(s.caches[2].cpus.v[0].mask, 7);
	assert_int_equal(s.caches[0].bytes, 1536 << 10);
	assert_int_equal(s.caches[0].ways, 12);
	assert_int_equal(s.caches[0].cpus.v[0].mask, 1);
	assert_int_equal(s.caches[1].cpus.v[0].mask, 6);
	assert_string_equal(s.caches[1].type, "Unified");
	assert_string_equal(s.power_scheme, "performance");
	assert_string_equal(s.libata_fua, "N");
	cpu = topology_cpu(&s, 64);
	assert_int_equal(cpu.group, 1);
	assert_int_equal(cpu.id, 0);
	assert_int_equal(cpu.node, 1);
	assert_int_equal(cpu.socket, 1);
	assert_int_equal(cpu.core, 4);
	arena_fini(&mem);
}

/* Threads of one core count as one core. */
static void test_threads(void **state)
{
	struct span_system s = { 0 };
	struct arena mem = { 0 };

	(void)state;
	put("0-3", "cpu/online");
	for (unsigned i = 0; i < 4; i++)
		put(i % 2 ? "1,3" : "0,2", "cpu/cpu%u/topology/thread_siblings_list", i);
	assert_int_equal(topology_read(&s, &mem), 0);
	assert_int_equal(s.ncores, 2);
	assert_int_equal(s.cores[1].mask, 10);
	assert_false(s.heterogeneous);
	assert_int_equal(topology_cpu(&s, 3).core, 1);
	arena_fini(&mem);
}

/* A PC with two kinds of cores, whose kernel has no capacities. */
static void test_atoms(void **state)
{
	struct span_system s = { 0 };
	struct arena mem = { 0 };

	(void)state;
	put("0-3", "cpu/online");
	put("2-3", "../cpu_atom/cpus");
	assert_int_equal(topology_read(&s, &mem), 0);
	assert_true(s.heterogeneous);
	for (unsigned i = 0; i < 4; i++)
		assert_int_equal(topology_cpu(&s, i).efficiency, i < 2);
	arena_fini(&mem);
}

/* A chroot without /sys: the C library counts the processors, and each is a core. */
static void test_nothing(void **state)
{
	struct span_system s = { 0 };
	struct arena mem = { 0 };
	unsigned cpus = (unsigned)sysconf(_SC_NPROCESSORS_ONLN);

	(void)state;
	assert_int_equal(topology_read(&s, &mem), 0);
	assert_int_equal(s.cpus, cpus);
	assert_int_equal(s.ngroups, (cpus + 63) / 64);
	assert_int_equal(s.nnodes, 1);
	assert_int_equal(s.nsockets, 1);
	assert_int_equal(s.ncores, cpus);
	assert_int_equal(s.ncaches, 0);
	assert_null(s.power_scheme);
	assert_null(s.libata_fua);
	arena_fini(&mem);
}

int unit_topology(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test_setup_teardown(test_machine, begin, end),
					    cmocka_unit_test_setup_teardown(test_threads, begin, end),
					    cmocka_unit_test_setup_teardown(test_atoms, begin, end),
					    cmocka_unit_test_setup_teardown(test_nothing, begin, end) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
