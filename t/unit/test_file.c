/* Are files opened, created, allocated and removed as planned, and never those of other programs? */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "file.h"

static char dir[64];

static char *at(const char *name)
{
	static char path[4][PATH_MAX];
	static unsigned turn;
	char *p = path[turn++ % 4];

	snprintf(p, PATH_MAX, "%s/%s", dir, name);
	return p;
}

static int setup(void **state)
{
	(void)state;
	snprintf(dir, sizeof(dir), "/tmp/fiord-file.XXXXXX");
	return mkdtemp(dir) ? 0 : -1;
}

static int teardown(void **state)
{
	char cmd[128];

	(void)state;
	snprintf(cmd, sizeof(cmd), "rm -rf %s", dir);
	return system(cmd);
}

static off_t size_of(const char *path)
{
	struct stat st;

	return stat(path, &st) ? -1 : st.st_size;
}

static const struct file_cfg plain;

static int open_at(struct file *f, const struct file_cfg *cfg, bool write, bool create, struct diag *d)
{
	return file_open(f, cfg, write, create, NULL, NULL, d);
}

static void test_create(void **state)
{
	struct file f = { .path = at("a/b/c"), .size = 8192 };
	struct target_facts facts;
	struct diag d = { 0 };
	bool marks;
	int fd = open(at("probe"), O_RDWR | O_CREAT, 0600);

	(void)state;
	marks = !target_mark(fd);
	close(fd);
	assert_int_equal(open_at(&f, &plain, true, false, &d), -ENOENT);
	assert_int_equal(f.fd, -1);
	assert_int_equal(size_of(at("a")), -1);
	diag_fini(&d);
	assert_int_equal(open_at(&f, &plain, true, true, &d), 0);
	assert_true(f.write && f.created && f.type == TARGET_FILE);
	assert_int_equal(target_has_mark(f.fd), marks);
	assert_true(fcntl(f.fd, F_GETFD) & FD_CLOEXEC);
	assert_int_equal(pwrite(f.fd, "hello", 5, 0), 5);
	assert_int_equal(file_close(&f, &plain), 0);
	assert_int_equal(f.fd, -1);
	assert_int_equal(file_close(&f, &plain), 0);

	/* A second open finds the existing file, with and without `create`. */
	target_probe(&facts, f.path);
	assert_int_equal(file_open(&f, &plain, true, true, &facts, NULL, &d), 0);
	assert_int_equal(size_of(f.path), 5);
	assert_false(f.created);
	file_close(&f, &plain);
	assert_int_equal(file_open(&f, &plain, false, false, &facts, NULL, &d), 0);
	assert_int_equal(fcntl(f.fd, F_GETFL) & O_ACCMODE, O_RDONLY);
	file_close(&f, &plain);
}

/* The plan found no file; another worker has created it since. */
static void test_made_meanwhile(void **state)
{
	struct file a = { .path = at("f") }, b = { .path = a.path };
	struct target_facts facts;
	struct diag d = { 0 };

	(void)state;
	target_probe(&facts, a.path);
	assert_int_equal(file_open(&a, &plain, true, true, &facts, NULL, &d), 0);
	assert_int_equal(file_open(&b, &plain, true, true, &facts, NULL, &d), 0);
	file_close(&a, &plain);
	file_close(&b, &plain);
}

/* The plan found no file; another program has created a file or a link since, and neither is written. */
static void test_appeared(void **state)
{
	static const char *const names[] = { "appeared", "appeared-link" };
	struct target_facts facts[2];
	struct diag d = { 0 };

	(void)state;
	for (size_t i = 0; i < 2; i++)
		target_probe(&facts[i], at(names[i]));
	close(open(at(names[0]), O_RDWR | O_CREAT, 0600));
	assert_int_equal(symlink(names[0], at(names[1])), 0);
	for (size_t i = 0; i < 2; i++) {
		struct file f = { .path = at(names[i]) };

		assert_int_equal(file_open(&f, &plain, true, true, &facts[i], NULL, &d), -EEXIST);
		assert_int_equal(d.kind, DIAG_TARGET);
		assert_int_equal(f.fd, -1);
		diag_fini(&d);
	}
}

static void test_changed(void **state)
{
	struct file f = { .path = at("f") };
	struct target_facts facts;
	struct diag d = { 0 };
	int keep;

	(void)state;
	keep = open(f.path, O_RDWR | O_CREAT, 0600);
	target_probe(&facts, f.path);
	assert_int_equal(unlink(f.path), 0);
	close(open(f.path, O_RDWR | O_CREAT, 0600));
	assert_int_equal(file_open(&f, &plain, true, true, &facts, NULL, &d), -EPERM);
	assert_int_equal(d.kind, DIAG_TARGET);
	assert_int_equal(f.fd, -1);
	diag_fini(&d);
	close(keep);
}

static const struct {
	const char *name; /* relative unless absolute */
	bool write;
	int ret;
	enum diag_kind kind;
	const char *says;
} refusals[] = {
	{ "", true, -EISDIR, DIAG_TARGET, "directory" },
	{ "", false, -EISDIR, DIAG_TARGET, "directory" },
	{ "fifo", true, -EPERM, DIAG_TARGET, "not a file or block device" },
	{ "fifo", false, -EPERM, DIAG_TARGET, "not a file or block device" },
	{ "dangling", true, -EPERM, DIAG_TARGET, "does not exist" },
	{ "/dev/fiord-no-such-device", true, -EPERM, DIAG_TARGET, "no such device" },
	{ "/dev/fiord-no-such-dir/x", true, -EPERM, DIAG_TARGET, "no such device" },
	{ "/dev/random", true, -EPERM, DIAG_TARGET, "character device" },
	{ "none", false, -ENOENT, DIAG_RUN, "No such file" },
	{ "plain/x", true, -ENOTDIR, DIAG_RUN, "Not a directory" },
};

static void test_refusals(void **state)
{
	struct diag d = { 0 };

	(void)state;
	assert_int_equal(mkfifo(at("fifo"), 0600), 0);
	assert_int_equal(symlink("nothing", at("dangling")), 0);
	close(open(at("plain"), O_RDWR | O_CREAT, 0600));
	for (size_t i = 0; i < sizeof(refusals) / sizeof(refusals[0]); i++) {
		const char *name = refusals[i].name;
		struct file f = { .path = name[0] == '/' ? name : at(name) };

		assert_int_equal(open_at(&f, &plain, refusals[i].write, refusals[i].write, &d),
				 refusals[i].ret);
		assert_int_equal(d.kind, refusals[i].kind);
		assert_non_null(strstr(diag_text(&d), refusals[i].says));
		assert_non_null(strstr(diag_text(&d), f.path));
		assert_int_equal(f.fd, -1);
		diag_fini(&d);
	}
	assert_int_equal(size_of(at("nothing")), -1);
	assert_int_equal(size_of("/dev/fiord-no-such-device"), -1);
	assert_int_equal(size_of("/dev/fiord-no-such-dir"), -1);
}

/* procfs supports no direct I/O. */
static void test_no_direct(void **state)
{
	const struct file_cfg direct = { .direct = true };
	struct file f = { .path = "/proc/self/status" };
	struct diag d = { 0 };

	(void)state;
	assert_int_equal(open_at(&f, &direct, false, false, &d), -EINVAL);
	assert_non_null(strstr(diag_text(&d), "use direct=0"));
	diag_fini(&d);
}

static void test_flags(void **state)
{
	static const struct {
		struct file_cfg cfg;
		int flags;
	} rows[] = {
		{ { .sync = FILE_SYNC_SYNC }, O_SYNC },
		{ { .sync = FILE_SYNC_DSYNC }, O_DSYNC },
		{ { .direct = true }, O_DIRECT },
		{ { .direct = true, .sync = FILE_SYNC_SYNC }, O_DIRECT | O_SYNC },
		{ { 0 }, 0 },
	};
	struct diag d = { 0 };

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		for (int existing = 0; existing < 2; existing++) {
			struct file f = { .path = at("flags") };

			if (!existing)
				unlink(f.path);
			if (open_at(&f, &rows[i].cfg, true, true, &d)) {
				assert_int_equal(d.err, -EINVAL); /* a file system without direct I/O */
				assert_int_equal(size_of(f.path), -1);
				diag_fini(&d);
				break;
			}
			assert_int_equal(fcntl(f.fd, F_GETFL) & (O_DIRECT | O_SYNC | O_DSYNC | O_ACCMODE),
					 rows[i].flags | O_RDWR);
			file_close(&f, &rows[i].cfg);
		}
	}
}

static const struct {
	enum file_falloc how;
	off_t from, size; /* before, and after allocating 8192 bytes */
} fallocs[] = {
	{ FALLOC_NONE, 100, 100 },       { FALLOC_POSIX, 100, 8192 },  { FALLOC_TRUNCATE, 100, 8192 },
	{ FALLOC_TRUNCATE, 9000, 9000 }, { FALLOC_POSIX, 9000, 9000 },
};

static void test_preallocate(void **state)
{
	struct file f = { .path = at("f") };
	struct diag d = { 0 };

	(void)state;
	assert_int_equal(open_at(&f, &plain, true, true, &d), 0);
	for (size_t i = 0; i < sizeof(fallocs) / sizeof(fallocs[0]); i++) {
		const struct file_cfg cfg = { .fallocate = fallocs[i].how };

		assert_int_equal(ftruncate(f.fd, fallocs[i].from), 0);
		assert_int_equal(file_preallocate(&f, &cfg, 8192, &d), 0);
		assert_int_equal(size_of(f.path), fallocs[i].size);
	}
	file_close(&f, &plain);
}

static void test_preallocate_too_much(void **state)
{
	const struct file_cfg cfg = { .fallocate = FALLOC_TRUNCATE };
	struct file f = { .path = at("f") };
	struct diag d = { 0 };

	(void)state;
	assert_int_equal(open_at(&f, &plain, true, true, &d), 0);
	assert_true(file_preallocate(&f, &cfg, UINT64_MAX >> 1, &d) < 0 || size_of(f.path) == INT64_MAX);
	diag_fini(&d);
	file_close(&f, &plain);
}

static void test_null_device(void **state)
{
	const struct file_cfg cfg = { .fsync_on_close = true, .fallocate = FALLOC_NATIVE };
	struct file f = { .path = "/dev/null" };
	struct diag d = { 0 };

	(void)state;
	assert_int_equal(open_at(&f, &cfg, true, true, &d), 0);
	assert_int_equal(f.type, TARGET_CHAR);
	assert_int_equal(file_preallocate(&f, &cfg, 4096, &d), 0);
	assert_int_equal(file_invalidate(&f), 0);
	assert_int_equal(file_close(&f, &cfg), 0);
}

static void test_invalidate_and_sync(void **state)
{
	const struct file_cfg cfg = { .fsync_on_close = true };
	struct file f = { .path = at("f"), .len = 4096 };
	struct diag d = { 0 };

	(void)state;
	assert_int_equal(open_at(&f, &cfg, true, true, &d), 0);
	assert_int_equal(file_invalidate(&f), 0);
	assert_int_equal(file_close(&f, &cfg), 0);
	assert_int_equal(file_invalidate(&f), -EBADF);
}

static void test_parents(void **state)
{
	struct diag d = { 0 };

	(void)state;
	assert_int_equal(file_create_parents("name", &d), 0);
	assert_int_equal(file_create_parents("/name", &d), 0);
	assert_int_equal(file_create_parents(at("x//y/z/file"), &d), 0);
	assert_true(size_of(at("x/y/z")) >= 0);
	assert_int_equal(size_of(at("x/y/z/file")), -1);
	assert_int_equal(file_create_parents(at("x/y/z/file"), &d), 0);
	assert_int_equal(symlink("nothing", at("dangling")), 0);
	assert_int_equal(file_create_parents(at("dangling/file"), &d), -EEXIST);
	assert_int_equal(size_of(at("nothing")), -1);
	diag_fini(&d);
}

int unit_file(void)
{
#define TEST(f) cmocka_unit_test_setup_teardown(f, setup, teardown)
	const struct CMUnitTest tests[] = {
		TEST(test_create),
		TEST(test_made_meanwhile),
		TEST(test_appeared),
		TEST(test_changed),
		TEST(test_refusals),
		TEST(test_no_direct),
		TEST(test_flags),
		TEST(test_preallocate),
		TEST(test_preallocate_too_much),
		TEST(test_null_device),
		TEST(test_invalidate_and_sync),
		TEST(test_parents),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
