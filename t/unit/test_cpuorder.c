/* cpu_order: orders worked out by hand, and the CPUs that it reads from an artificial sysfs. */
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
#include "machine.h"
#include "sysfs.h"

/* Group 0 has two fast cores of two threads each (0 1, 2 3) and two slow ones (4, 5). Group 1 has a fast core
   of two threads (64 65) and a slow one (66). */
static const struct cpu_place two_groups[] = { { 66, 1, 0 }, { 0, 0, 0 },  { 1, 0, 1 },
					       { 2, 0, 0 },  { 3, 0, 1 },  { 4, 1, 0 },
					       { 5, 1, 0 },  { 64, 0, 0 }, { 65, 0, 1 } };

static const struct {
	const char *letters, *order;
} orders[] = {
	{ "u", "0 1 2 3 4 5 64 65 66" },   { "p", "0 1 2 3 4 5 64 65 66" },
	{ "e", "4 5 0 1 2 3 66 64 65" },   { "P", "0 1 2 3 64 65 4 5 66" },
	{ "E", "4 5 66 0 1 2 3 64 65" },   { "c", "0 2 4 5 1 3 64 66 65" },
	{ "cu", "0 2 4 5 1 3 64 66 65" },  { "ce", "4 5 0 2 1 3 66 64 65" },
	{ "cP", "0 2 1 3 64 65 4 5 66" },  { "cE", "4 5 66 0 2 1 3 64 65" },
	{ "s", "0 64 1 65 2 66 3 4 5" },   { "su", "0 64 1 65 2 66 3 4 5" },
	{ "csp", "0 64 2 66 4 65 5 1 3" }, { "sP", "0 64 1 65 2 3 4 66 5" },
	{ "csE", "4 66 5 0 64 2 65 1 3" },
};

static void test_orders(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(orders) / sizeof(*orders); i++) {
		size_t n = sizeof(two_groups) / sizeof(*two_groups), len = 0;
		struct cpu_place v[sizeof(two_groups) / sizeof(*two_groups)];
		char text[128] = "";

		memcpy(v, two_groups, sizeof(v));
		assert_true(cpuorder_sort(v, n, orders[i].letters));
		for (size_t k = 0; k < n; k++)
			len += (size_t)snprintf(text + len, sizeof(text) - len, "%s%u", k ? " " : "",
						v[k].cpu);
		if (strcmp(text, orders[i].order))
			fail_msg("%s: %s, not %s", orders[i].letters, text, orders[i].order);
	}
	assert_true(cpuorder_sort(NULL, 0, "c"));
}

static char root[] = "/tmp/fiord-cpus.XXXXXX";

static int begin(void **state)
{
	(void)state;
	strcpy(root + strlen(root) - 6, "XXXXXX");
	sysfs_root = mkdtemp(root);
	return !sysfs_root;
}

static int end(void **state)
{
	char command[128];

	(void)state;
	sysfs_root = "";
	snprintf(command, sizeof(command), "rm -rf '%s'", root);
	return system(command);
}

static void put(const char *name, const char *text)
{
	char path[256];
	FILE *f;

	snprintf(path, sizeof(path), "%s/sys/devices/%s", root, name);
	for (char *slash = strchr(path + sizeof(root), '/'); slash; slash = strchr(slash + 1, '/')) {
		*slash = '\0';
		mkdir(path, 0700);
		*slash = '/';
	}
	f = fopen(path, "w");
	assert_non_null(f);
	fprintf(f, "%s\n", text);
	fclose(f);
}

static void check_places(unsigned cpus, const struct cpu_place *want)
{
	struct machine m = { 0 };

	for (unsigned i = 0; i < cpus; i++)
		cpuset_add(&m.cpus, i);
	assert_int_equal(machine_probe_places(&m), 0);
	assert_int_equal(m.nplaces, cpus);
	for (unsigned i = 0; i < cpus; i++) {
		assert_int_equal(m.places[i].cpu, want[i].cpu);
		assert_int_equal(m.places[i].class, want[i].class);
		assert_int_equal(m.places[i].thread, want[i].thread);
	}
	machine_fini(&m);
}

/* Arm: three capacities, one thread per core. */
static void test_capacities(void **state)
{
	static const struct cpu_place want[] = { { 0, 2, 0 }, { 1, 2, 0 }, { 2, 1, 0 }, { 3, 0, 0 } };

	(void)state;
	put("system/cpu/cpu0/cpu_capacity", "446");
	put("system/cpu/cpu1/cpu_capacity", "446");
	put("system/cpu/cpu2/cpu_capacity", "871");
	put("system/cpu/cpu3/cpu_capacity", "1024");
	for (unsigned i = 0; i < 4; i++) {
		char name[64], text[8];

		snprintf(name, sizeof(name), "system/cpu/cpu%u/topology/thread_siblings_list", i);
		snprintf(text, sizeof(text), "%u", i);
		put(name, text);
	}
	check_places(4, want);
}

/* A PC with two kinds of cores, the fast ones with two threads. */
static void test_atoms(void **state)
{
	static const struct cpu_place want[] = { { 0, 0, 0 }, { 1, 0, 1 }, { 2, 0, 0 },
						 { 3, 0, 1 }, { 4, 1, 0 }, { 5, 1, 0 } };

	(void)state;
	put("cpu_atom/cpus", "4-5");
	put("cpu_core/cpus", "0-3");
	put("system/cpu/cpu0/topology/thread_siblings_list", "0-1");
	put("system/cpu/cpu1/topology/thread_siblings_list", "0-1");
	put("system/cpu/cpu2/topology/thread_siblings_list", "2-3");
	put("system/cpu/cpu3/topology/thread_siblings_list", "2-3");
	put("system/cpu/cpu4/topology/thread_siblings_list", "4");
	check_places(6, want);
}

/* Without any information all CPUs are equal. */
static void test_unknown(void **state)
{
	static const struct cpu_place want[] = { { 0, 0, 0 }, { 1, 0, 0 } };

	(void)state;
	check_places(2, want);
}

int unit_cpuorder(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_orders),
		cmocka_unit_test_setup_teardown(test_capacities, begin, end),
		cmocka_unit_test_setup_teardown(test_atoms, begin, end),
		cmocka_unit_test_setup_teardown(test_unknown, begin, end),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
