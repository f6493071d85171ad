/* Which disks does spancpu look at, in an artificial tree? */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>
#include "wave_usage.h"
#include "sysfs.h"

#define DISKS 3
#define JOBS  4

static char root[64];

static void count(unsigned disk, unsigned reads, unsigned writes)
{
	char path[128];
	FILE *f;

	snprintf(path, sizeof(path), "%s/dev%u/stat", root, disk);
	f = fopen(path, "w");
	assert_non_null(f);
	fprintf(f, "%u 0 0 0 %u 0 0 0 0 0 0\n", reads, writes);
	fclose(f);
}

static int begin(void **state)
{
	char path[128], to[96];

	(void)state;
	strcpy(root, "/tmp/fiord-spancpu.XXXXXX");
	if (!mkdtemp(root))
		return -1;
	snprintf(path, sizeof(path), "mkdir -p %s/sys/dev/block", root);
	if (system(path))
		return -1;
	for (unsigned i = 0; i < DISKS; i++) {
		snprintf(to, sizeof(to), "%s/dev%u", root, i);
		snprintf(path, sizeof(path), "%s/sys/dev/block/7:%u", root, i);
		if (mkdir(to, 0700) || symlink(to, path))
			return -1;
		count(i, 0, 0);
	}
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

/* More workers on the first disk than there are targets; the third disk belongs to another wave. */
static void test_disks(void **state)
{
	struct job job = { .name = "x" };
	struct target_facts facts[DISKS + 1] = { [DISKS] = { .type = TARGET_OTHER } };
	struct plan_target target[DISKS + 1];
	struct plan_file file[DISKS];
	struct plan_job pj[JOBS + 2];
	struct plan p = {
		.jobs = pj, .njobs = JOBS + 2, .targets = target, .ntargets = DISKS + 1, .nwaves = 2
	};
	const uint64_t *ios;
	struct wave_usage *s;

	(void)state;
	job.opts.time.runtime_ns = 1000;
	memset(pj, 0, sizeof(pj));
	memset(file, 0, sizeof(file));
	for (uint32_t i = 0; i <= DISKS; i++)
		target[i] = (struct plan_target){ .facts = &facts[i], .same = i };
	for (uint32_t i = 0; i < DISKS; i++) {
		facts[i].type = TARGET_BLOCK;
		facts[i].rdev = makedev(7, i);
		file[i].target = i;
	}
	for (uint32_t i = 0; i < JOBS + 2; i++) {
		pj[i].job = &job;
		pj[i].index = i;
		pj[i].files = &file[i < JOBS ? 0 : i - JOBS + 1];
		pj[i].nfiles = 1;
	}
	pj[JOBS + 1].wave = 1;
	s = wave_usage_new(&p, true, false);
	assert_non_null(s);
	wave_usage_begin(s, 0, 1);
	count(0, 3, 5);
	count(1, 10, 20);
	count(2, 100, 200);
	wave_usage_end(s);
	ios = wave_usage_disk_ios(s, 0);
	assert_non_null(ios);
	assert_int_equal(ios[0], 13);
	assert_int_equal(ios[1], 25);
	assert_null(wave_usage_disk_ios(s, 1));
	wave_usage_free(s);
}

int unit_wave_usage(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test_setup_teardown(test_disks, begin, end) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
