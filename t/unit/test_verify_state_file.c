/* Are files of verify states created whole or not at all, and are other files refused? */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>
#include "diag.h"
#include "verify_state_file.h"

static char dir[64];

static const char *at(const char *name)
{
	static char path[PATH_MAX];

	snprintf(path, sizeof(path), "%s/%s", dir, name);
	return path;
}

static int setup(void **state)
{
	(void)state;
	snprintf(dir, sizeof(dir), "/tmp/fiord-state.XXXXXX");
	signal(SIGXFSZ, SIG_IGN);
	return mkdtemp(dir) ? 0 : -1;
}

static int teardown(void **state)
{
	char cmd[128];

	(void)state;
	snprintf(cmd, sizeof(cmd), "rm -rf %s", dir);
	return system(cmd);
}

static const struct verify_state_setting setting = { "verify", "crc32c" };

static int create(struct verify_state_file *f, bool synced, struct diag *d)
{
	struct verify_state_shape shape = { .depth = 4,
					    .files = 1,
					    .map_bytes = 8192,
					    .synced = synced,
					    .settings = 1,
					    .setting_bytes =
						    (uint32_t)verify_state_settings(&setting, 1, NULL) };

	return verify_state_file_create(f, at("state"), &shape, &setting, d);
}

/* Returns the lowest free descriptor. */
static int free_fd(void)
{
	int fd = open("/dev/null", O_RDONLY);

	close(fd);
	return fd;
}

static void limit_files(rlim_t bytes)
{
	struct rlimit limit;

	assert_int_equal(getrlimit(RLIMIT_FSIZE, &limit), 0);
	limit.rlim_cur = bytes;
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
}

static void test_paths(void **state)
{
	char path[64], name[NAME_MAX + 1];

	(void)state;
	assert_int_equal(verify_state_path(path, sizeof(path), NULL, "a/b", 3, NULL), 0);
	assert_string_equal(path, "local-a_b-3-verify.state");
	assert_int_equal(verify_state_path(path, sizeof(path), "/d", "x", 0, NULL), 0);
	assert_string_equal(path, "/d/local-x-0-verify.state");
	assert_int_equal(verify_state_path(path, sizeof(path), NULL, "x", 1, "host.2"), 0);
	assert_string_equal(path, "local-x-1-verify.state.host.2");
	assert_int_equal(verify_state_path(path, 20, NULL, "x", 0, NULL), -ENAMETOOLONG);
	memset(name, 'n', NAME_MAX);
	name[NAME_MAX] = '\0';
	assert_int_equal(verify_state_path(path, sizeof(path), NULL, name, 0, NULL), -ENAMETOOLONG);
}

static void test_create(void **state)
{
	(void)state;
	for (int synced = 0; synced < 2; synced++) {
		struct verify_state_file f;
		struct verify_state_image image;
		struct diag d = { 0 };
		int fd = free_fd();

		assert_int_equal(create(&f, synced, &d), 0);
		verify_state_issue(&f.writer, 0, 0, 0);
		verify_state_issued(&f.writer);
		if (synced)
			assert_int_equal(verify_state_file_sync(&f), 0);
		assert_int_equal(verify_state_image_read(&image, at("state"), &d), 0);
		assert_int_equal(image.state.issued, 1);
		verify_state_image_free(&image);
		verify_state_file_close(&f);
		assert_int_equal(free_fd(), fd);
		assert_int_equal(access(at("state.new"), F_OK), -1);
	}
}

/* Without room the earlier file stays, and nothing else. */
static void test_no_room(void **state)
{
	struct stat before, after;

	(void)state;
	assert_int_equal(stat(at("state"), &before), 0);
	for (int synced = 0; synced < 2; synced++) {
		struct verify_state_file f;
		struct diag d = { 0 };
		int fd = free_fd();

		limit_files(4096);
		assert_int_equal(create(&f, synced, &d), -EFBIG);
		limit_files(RLIM_INFINITY);
		assert_non_null(strstr(diag_text(&d), "the verify state cannot be created"));
		diag_fini(&d);
		verify_state_file_close(&f);
		assert_int_equal(free_fd(), fd);
		assert_int_equal(access(at("state.new"), F_OK), -1);
		assert_int_equal(stat(at("state"), &after), 0);
		assert_int_equal(after.st_ino, before.st_ino);
	}
}

static void test_other_files(void **state)
{
	static const struct {
		const char *name, *words;
	} files[] = { { "none", "ENOENT" },
		      { "fifo", "no regular file" },
		      { "empty", "no verify state" },
		      { "sparse", "no verify state" } };
	int fd = free_fd();

	(void)state;
	assert_int_equal(mkfifo(at("fifo"), 0600), 0);
	close(open(at("empty"), O_CREAT | O_WRONLY, 0600));
	close(open(at("sparse"), O_CREAT | O_WRONLY, 0600));
	if (truncate(at("sparse"), (off_t)4 << 40)) /* more than the memory of most machines */
		assert_int_equal(truncate(at("sparse"), 1 << 20), 0);
	for (size_t i = 0; i < sizeof(files) / sizeof(*files); i++) {
		struct verify_state_image image;
		struct diag d = { 0 };

		assert_true(verify_state_image_read(&image, at(files[i].name), &d) < 0);
		if (!strstr(diag_text(&d), files[i].words))
			fail_msg("%s: %s", files[i].name, diag_text(&d));
		verify_state_image_free(&image);
		diag_fini(&d);
	}
	assert_int_equal(free_fd(), fd);
}

int unit_verify_state_file(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_paths),
		cmocka_unit_test(test_create),
		cmocka_unit_test(test_no_room),
		cmocka_unit_test(test_other_files),
	};

	return cmocka_run_group_tests(tests, setup, teardown);
}
