/* What does host_add read from an artificial sysfs? */
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
#include "host.h"
#include "sysfs.h"

static char root[] = "/tmp/fiord-host.XXXXXX";

static void put(const char *name, const char *text)
{
	char path[512], part[512];
	FILE *f;

	snprintf(path, sizeof(path), "%s/%s", root, name);
	for (const char *slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
		snprintf(part, sizeof(part), "%.*s", (int)(slash - path), path);
		mkdir(part, 0700);
	}
	f = fopen(path, "w");
	assert_non_null(f);
	fprintf(f, "%s\n", text);
	fclose(f);
}

static void put_cpu(unsigned n, unsigned package, unsigned core, const char *governor)
{
	char name[128], text[16];

	snprintf(name, sizeof(name), "sys/devices/system/cpu/cpu%u/topology/physical_package_id", n);
	snprintf(text, sizeof(text), "%u", package);
	put(name, text);
	snprintf(name, sizeof(name), "sys/devices/system/cpu/cpu%u/topology/core_id", n);
	snprintf(text, sizeof(text), "%u", core);
	put(name, text);
	snprintf(name, sizeof(name), "sys/devices/system/cpu/cpu%u/cpufreq/scaling_governor", n);
	put(name, governor);
}

static int make_tree(void **state)
{
	(void)state;
	if (!mkdtemp(root))
		return -1;
	/* Two sockets of two cores. One socket has two threads per core, and CPU 7 is offline. */
	put("sys/devices/system/cpu/online", "0-6");
	for (unsigned i = 0; i < 4; i++)
		put_cpu(i, 0, i % 2, "performance");
	for (unsigned i = 4; i < 7; i++)
		put_cpu(i, 1, i % 2, "performance");
	put("sys/devices/system/cpu/smt/active", "1");
	put("sys/devices/system/cpu/intel_pstate/no_turbo", "1");
	put("sys/devices/system/node/online", "0-1");
	put("sys/class/dmi/id/sys_vendor", "ACME");
	put("sys/class/dmi/id/product_name", "Box");
	put("proc/cpuinfo", "model name\t: x\nflags\t\t: fpu hypervisor sse");
	put("proc/cmdline", "quiet mitigations=off ro");
	put("proc/self/cgroup", "0::/a/b");
	put("sys/fs/cgroup/a/cpu.max", "150000 100000");
	put("sys/fs/cgroup/a/memory.max", "1073741824");
	put("sys/fs/cgroup/a/b/cpu.max", "400000 100000");
	put("sys/fs/cgroup/a/b/memory.max", "max");
	sysfs_root = root;
	return 0;
}

static int drop_tree(void **state)
{
	char command[64];

	(void)state;
	sysfs_root = "";
	snprintf(command, sizeof(command), "rm -rf %s", root);
	return system(command);
}

static void test_all(void **state)
{
	struct props p = { 0 };

	(void)state;
	host_add(&p);
	assert_false(p.failed);
	assert_int_equal(props_num(&p, "sockets", 0), 2);
	assert_int_equal(props_num(&p, "cores", 0), 4);
	assert_int_equal(props_num(&p, "numa_nodes", 0), 2);
	assert_int_equal(props_num(&p, "smt", 9), 1);
	assert_int_equal(props_num(&p, "turbo", 9), 0);
	assert_string_equal(props_str(&p, "governor"), "performance");
	assert_string_equal(props_str(&p, "vendor"), "ACME");
	assert_string_equal(props_str(&p, "product"), "Box");
	assert_int_equal(props_num(&p, "virtual", 0), 1);
	assert_int_equal(props_num(&p, "mitigations_off", 0), 1);
	/* The smallest limit of the group and its parents counts. */
	assert_string_equal(props_str(&p, "cgroup_cpu_max"), "150000 100000");
	assert_int_equal(props_num(&p, "cgroup_memory_max_bytes", 0), 1 << 30);
	props_fini(&p);
}

static void test_mixed(void **state)
{
	struct props p = { 0 };

	(void)state;
	put_cpu(5, 1, 1, "powersave");
	put("proc/cpuinfo", "flags\t\t: fpu nohypervisor hypervisors");
	put("proc/cmdline", "mitigations=offish");
	host_add(&p);
	assert_string_equal(props_str(&p, "governor"), "mixed");
	assert_null(props_find(&p, "virtual"));
	assert_null(props_find(&p, "mitigations_off"));
	props_fini(&p);
}

static void test_nothing(void **state)
{
	struct props p = { 0 };

	(void)state;
	sysfs_root = "/nonexistent";
	host_add(&p);
	/* cpu_lacks needs no files. */
	assert_int_equal(p.n, props_find(&p, "cpu_lacks") ? 1 : 0);
	sysfs_root = root;
	props_fini(&p);
}

int unit_host(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(test_all), cmocka_unit_test(test_mixed),
					    cmocka_unit_test(test_nothing) };

	return cmocka_run_group_tests(tests, make_tree, drop_tree);
}
