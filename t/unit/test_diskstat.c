/* Are the counters of a disk found, and is the text for them complete? */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>
#include "blockdev.h"
#include "diskstat.h"
#include "sysfs.h"

static void test_no_disks(void **state)
{
	const dev_t devs[] = { makedev(0, 0), makedev(0, 9999), makedev(4095, 4095) };
	struct disk_use *use;
	struct diskstat *s = diskstat_begin(devs, 3);
	unsigned n = 9;

	(void)state;
	assert_non_null(s);
	assert_int_equal(diskstat_end(s, &use, &n), 0);
	assert_int_equal(n, 0);
	assert_null(use);
	diskstat_free(s);
	assert_int_equal(diskstat_end(NULL, &use, &n), 0);
	diskstat_free(NULL);
}

/* On any disk the device is named once, and idle and busy time do not exceed all time. */
static void test_any_disk(void **state)
{
	struct disk_use *use;
	struct diskstat *s;
	struct stat st;
	struct blockdev b;
	unsigned n;
	dev_t devs[2];

	(void)state;
	if (stat("/", &st) || blockdev_get(&b, st.st_dev))
		skip();
	devs[0] = devs[1] = st.st_dev;
	s = diskstat_begin(devs, 2);
	assert_non_null(s);
	for (int turn = 0; turn < 2; turn++) {
		assert_int_equal(diskstat_end(s, &use, &n), 0);
		assert_true(n >= 1);
		assert_int_equal(blockdev_get(&b, blockdev_whole(st.st_dev)), 0);
		assert_string_equal(use[0].name, b.name);
		assert_false(use[0].member);
		for (unsigned i = 0; i < n; i++) {
			assert_true(use[i].self.util >= 0 && use[i].self.util <= 100);
			for (unsigned k = 0; k < i; k++)
				assert_string_not_equal(use[i].name, use[k].name);
		}
		free(use);
	}
	diskstat_free(s);
}

static const struct {
	const char *text, *line; /* NULL: 8 bytes are too small (-EOVERFLOW) */
	int ret;
	uint64_t number;
} files[] = {
	{ "12\n", "12", 0, 12 },
	{ "12", "12", 0, 12 },
	{ "0 \nx", "0 ", 0, 0 },
	{ "", "", -EINVAL, 0 },
	{ "x\n", "x", -EINVAL, 0 },
	{ "-1\n", "-1", -EINVAL, 0 },
	{ "1 2\n", "1 2", -EINVAL, 0 },
	{ "12345678", NULL, 0, 12345678 },
	{ "99999999999999999999999\n", NULL, -EINVAL, 0 },
};

static void test_sysfs(void **state)
{
	char path[] = "/tmp/fiord-sysfs.XXXXXX", line[8];
	int fd = mkstemp(path);
	uint64_t v;

	(void)state;
	assert_true(fd >= 0);
	for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++) {
		size_t len = strlen(files[i].text);

		assert_int_equal(ftruncate(fd, 0), 0);
		assert_int_equal(pwrite(fd, files[i].text, len, 0), len);
		v = 77;
		strcpy(line, "kept");
		assert_int_equal(sysfs_line(line, sizeof(line), "/tmp/%s", path + 5),
				 files[i].line ? 0 : -EOVERFLOW);
		assert_string_equal(line, files[i].line ? files[i].line : "kept");
		assert_int_equal(sysfs_u64(&v, "%s", path), files[i].ret);
		assert_int_equal(v, files[i].ret ? 77 : files[i].number);
	}
	close(fd);
	unlink(path);
	assert_int_equal(sysfs_u64(&v, "%s", path), -ENOENT);
}

int unit_diskstat(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_no_disks),
		cmocka_unit_test(test_any_disk),
		cmocka_unit_test(test_sysfs),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
