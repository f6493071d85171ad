/* cpu_throttle: does it read throttling and steal time from an artificial system? */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include "cpuidle.h"
#include "sysfs.h"

static char root[] = "/tmp/fiord-cpu_throttle.XXXXXX";

static void put(const char *path, const char *text)
{
	char full[512];
	FILE *f;

	snprintf(full, sizeof(full), "%s%s", root, path);
	for (char *c = full + sizeof(root); *c; c++) {
		if (*c == '/') {
			*c = '\0';
			mkdir(full, 0755);
			*c = '/';
		}
	}
	f = fopen(full, "w");
	assert_non_null(f);
	fputs(text, f);
	fclose(f);
}

static int begin(void **state)
{
	(void)state;
	sysfs_root = mkdtemp(root);
	return sysfs_root == NULL;
}

static int end(void **state)
{
	char command[64];

	(void)state;
	snprintf(command, sizeof(command), "rm -rf %s", root);
	return system(command);
}

static void test_nothing(void **state)
{
	struct cpu_throttle h = { 1, 1, 1, 1 };

	(void)state;
	cpu_throttle_read(&h);
	assert_true(!h.throttled && !h.throttled_us && !h.stolen && !h.ticks);
	assert_true(cpu_throttle_steal_percent(&h) == 0);
}

/* The group and its parent are counted; the root has no quota. A group's name may contain dots. */
static void test_counts(void **state)
{
	struct cpu_throttle a, b, since;

	(void)state;
	put("/proc/self/cgroup", "0::/a.slice/b\n");
	put("/sys/fs/cgroup/a.slice/cpu.stat",
	    "usage_usec 9\nnr_periods 7\nnr_throttled 3\nthrottled_usec 1000\n");
	put("/sys/fs/cgroup/a.slice/b/cpu.stat", "nr_throttled 2\nthrottled_usec 500\nnr_bursts 4\n");
	put("/proc/stat", "cpu  100 0 100 700 50 0 10 40 80 0\ncpu0 1 1 1 1 1 1 1 1 1 1\n");
	cpu_throttle_read(&a);
	assert_int_equal(a.throttled, 5);
	assert_int_equal(a.throttled_us, 1500);
	assert_int_equal(a.stolen, 40);
	assert_int_equal(a.ticks, 1000);
	put("/sys/fs/cgroup/a.slice/b/cpu.stat", "nr_throttled 4\nthrottled_usec 2500\n");
	put("/proc/stat", "cpu  100 0 100 1600 50 0 10 140 80 0\n");
	cpu_throttle_read(&b);
	since = cpu_throttle_since(&a, &b);
	assert_int_equal(since.throttled, 2);
	assert_int_equal(since.throttled_us, 2000);
	assert_true(cpu_throttle_steal_percent(&since) == 10);
}

int unit_cpu_throttle(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(test_nothing), cmocka_unit_test(test_counts) };

	return cmocka_run_group_tests(tests, begin, end);
}
