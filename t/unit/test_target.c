/* Which targets are refused, and which does allow_write permit? */
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
#include <sys/sysmacros.h>
#include <sys/xattr.h>
#include <unistd.h>
#include "mounts.h"
#include "target.h"

static char dir[64];

static char *at(const char *name)
{
	static char path[4][PATH_MAX];
	static unsigned turn;
	char *p = path[turn++ % 4];

	snprintf(p, PATH_MAX, "%s/%s", dir, name);
	return p;
}

static void make_file(const char *path, const char *text)
{
	FILE *fp = fopen(path, "w");

	assert_non_null(fp);
	fputs(text, fp);
	assert_int_equal(fclose(fp), 0);
}

static int setup(void **state)
{
	(void)state;
	snprintf(dir, sizeof(dir), "/tmp/fiord-target.XXXXXX");
	return mkdtemp(dir) ? 0 : -1;
}

static int teardown(void **state)
{
	char cmd[128];

	(void)state;
	snprintf(cmd, sizeof(cmd), "rm -rf %s", dir);
	return system(cmd);
}

/* Device numbers of null, full and mem are 1:3, 1:7 and 1:1, as Linux encodes them. The table has canned
   facts about
   "/x/disk", the error, and whether allow_write=/x/disk permits to write. */
static const struct {
	struct target_facts facts;
	const char *says; /* NULL: no error */
	bool openable;
} verdicts[] = {
	{ { .type = TARGET_FILE }, NULL, true },
	{ { .type = TARGET_FILE, .in_dev = true }, "a file below /dev", true },
	{ { .type = TARGET_MISSING }, NULL, true },
	{ { .type = TARGET_MISSING, .in_dev = true }, "no such device", false },
	{ { .type = TARGET_MISSING, .symlink = true }, "does not exist", false },
	{ { .type = TARGET_MISSING, .error = -EACCES }, "Permission denied", false },
	{ { .type = TARGET_BLOCK }, NULL, true },
	{ { .type = TARGET_BLOCK, .error = -EIO }, "Input/output error", false },
	{ { .type = TARGET_BLOCK, .error = -EPERM, .refusal = "it is mounted on /y" },
	  "/x/disk: refusing to write: it is mounted on /y; it cannot be opened either: Operation not "
	  "permitted",
	  false },
	{ { .type = TARGET_BLOCK, .refusal = "it carries a file system (ext4)" },
	  "/x/disk: refusing to write: it carries a file system (ext4); allow_write=/x/disk permits it for "
	  "this device",
	  true },
	{ { .type = TARGET_BLOCK, .refusal = "it is mounted on /y", .in_use = true },
	  "/x/disk: refusing to write: it is mounted on /y; end that use first, because "
	  "allow_write=/x/disk alone does not permit it",
	  false },
	{ { .type = TARGET_FILE, .refusal = "it backs /dev/loop0, which is mounted on /y", .in_use = true },
	  "end that use first",
	  false },
	{ { .type = TARGET_CHAR, .rdev = 0x103 }, NULL, true },
	{ { .type = TARGET_CHAR, .rdev = 0x107 }, NULL, true },
	{ { .type = TARGET_CHAR, .rdev = 0x101 }, "a character device", true },
	{ { .type = TARGET_DIR }, "it is a directory; directory=/x/disk", false },
	{ { .type = TARGET_OTHER }, "not a file or block device", false },
};

static void test_verdicts(void **state)
{
	const char *path = "/x/disk", *other = "/x/disk2";
	struct target_allow none = { 0 }, this = { &path, 1 }, wrong = { &other, 1 };

	(void)state;
	for (size_t i = 0; i < sizeof(verdicts) / sizeof(verdicts[0]); i++) {
		const struct target_facts *f = &verdicts[i].facts;
		struct diag d = { 0 };
		int ret = target_may_write(f, path, &none, &d);

		assert_int_equal(!ret, !verdicts[i].says);
		if (ret) {
			assert_int_equal(d.kind, DIAG_TARGET);
			assert_non_null(strstr(diag_text(&d), verdicts[i].says));
		}
		diag_fini(&d);
		assert_int_equal(target_may_write(f, path, &wrong, &d), ret);
		diag_fini(&d);
		assert_int_equal(!target_may_write(f, path, &this, &d), verdicts[i].openable);
		diag_fini(&d);
	}
}

static void test_probe_file(void **state)
{
	struct target_facts f;
	struct stat st;

	(void)state;
	make_file(at("file"), "12345");
	assert_int_equal(stat(at("file"), &st), 0);
	assert_int_equal(target_probe(&f, at("file")), 0);
	assert_int_equal(f.type, TARGET_FILE);
	assert_int_equal(f.size, 5);
	assert_true(f.dev == st.st_dev && f.ino == st.st_ino);
	assert_false(f.symlink || f.in_dev || f.marked || f.error);
	assert_true(f.fs_free > 0);

	assert_int_equal(symlink("file", at("link")), 0);
	assert_int_equal(target_probe(&f, at("link")), 0);
	assert_true(f.symlink && f.type == TARGET_FILE && f.ino == st.st_ino);
}

static void test_probe_others(void **state)
{
	struct target_facts f;

	(void)state;
	assert_int_equal(mkfifo(at("fifo"), 0600), 0);
	assert_int_equal(symlink("loop", at("loop")), 0);
	make_file(at("plain"), "");
	target_probe(&f, at("fifo"));
	assert_int_equal(f.type, TARGET_OTHER);
	target_probe(&f, dir);
	assert_int_equal(f.type, TARGET_DIR);
	target_probe(&f, "/dev/null");
	assert_int_equal(f.type, TARGET_CHAR);
	target_probe(&f, at("loop"));
	assert_int_equal(f.error, -ELOOP);
	target_probe(&f, at("plain/below"));
	assert_int_equal(f.error, -ENOTDIR);
	target_probe(&f, "");
	assert_int_equal(f.error, -ENOENT);
}

static const struct {
	const char *path; /* relative to the temporary directory unless absolute */
	bool parent_missing, in_dev, may_write;
} missing[] = {
	{ "new", false, false, true },
	{ "no/such/new", true, false, true },
	{ "dangling", false, false, false },
	{ "to_dev", false, true, false },
	{ "to_to_dev", false, true, false },
	{ "/dev/fiord-no-such-device", false, true, false },
	{ "/dev/fiord-no-such-dir/x", true, true, false },
	{ "/dev/../dev/./fiord-no-such-device", false, true, false },
	{ "/dev/shm/fiord-no-such-file", false, false, true },
};

static void test_probe_missing(void **state)
{
	struct target_facts f;
	struct stat st;

	(void)state;
	assert_int_equal(symlink("nothing", at("dangling")), 0);
	assert_int_equal(symlink("/dev/fiord-no-such-device", at("to_dev")), 0);
	assert_int_equal(symlink("to_dev", at("to_to_dev")), 0);
	for (size_t i = 0; i < sizeof(missing) / sizeof(missing[0]); i++) {
		const char *path = missing[i].path[0] == '/' ? missing[i].path : at(missing[i].path);
		struct diag d = { 0 };

		if (!strncmp(path, "/dev/shm", 8) && stat("/dev/shm", &st))
			continue;
		assert_int_equal(target_probe(&f, path), 0);
		assert_int_equal(f.type, TARGET_MISSING);
		assert_int_equal(f.error, 0);
		assert_int_equal(f.parent_missing, missing[i].parent_missing);
		assert_int_equal(f.in_dev, missing[i].in_dev);
		assert_int_equal(!target_may_write(&f, path, NULL, &d), missing[i].may_write);
		assert_int_equal(stat(path, &st), -1);
		diag_fini(&d);
	}
}

/* A target in use needs allow_mounted_write beside that entry of allow_write which names it. */
static void test_allowed_in_use(void **state)
{
	const char *paths[] = { "/x/disk", "/x/other" };
	const struct target_facts used = { .type = TARGET_BLOCK, .refusal = "it is mounted", .in_use = true };
	const bool beside[][2] = { { false, false }, { false, true }, { true, false } };
	struct diag d = { 0 };

	(void)state;
	for (unsigned i = 0; i < 3; i++) {
		const struct target_allow allow = { paths, 2, beside[i] };

		assert_int_equal(target_may_write(&used, "/x/disk", &allow, &d), i == 2 ? 0 : -EPERM);
		assert_true(i == 2 || strstr(diag_text(&d), "put allow_mounted_write=1 beside allow_write="));
		diag_fini(&d);
	}
}

/* Targets are compared by identity, not by name. */
static void test_allowed(void **state)
{
	const char *paths[3];
	struct target_allow allow = { paths, 0 };
	struct target_facts f;

	(void)state;
	make_file(at("a"), "a");
	make_file(at("b"), "b");
	assert_int_equal(link(at("a"), at("hard")), 0);
	assert_int_equal(symlink("a", at("soft")), 0);
	target_probe(&f, at("a"));
	assert_false(target_allowed(&f, at("a"), &allow));
	assert_false(target_allowed(&f, at("a"), NULL));
	allow.count = 1;
	paths[0] = at("b");
	assert_false(target_allowed(&f, "another name", &allow));
	paths[0] = at("hard");
	assert_true(target_allowed(&f, "another name", &allow));
	paths[0] = at("soft");
	assert_true(target_allowed(&f, "another name", &allow));
	allow.count = 3;
	paths[0] = at("nothing");
	paths[1] = at("b");
	paths[2] = dir;
	assert_false(target_allowed(&f, "another name", &allow));
	target_probe(&f, dir);
	assert_false(target_allowed(&f, dir, &allow));
}

static void test_check_fd(void **state)
{
	struct target_facts was_missing, was_file;
	struct diag d = { 0 };
	const char *name = at("f");
	const struct target_allow allow = { &name, 1 };
	int fd, null = open("/dev/null", O_RDWR);

	(void)state;
	target_probe(&was_missing, at("f"));
	make_file(at("f"), "1");
	target_probe(&was_file, at("f"));
	fd = open(at("f"), O_RDWR);
	assert_int_equal(target_check_fd(fd, "f", &was_file, true, NULL, &d), 0);
	assert_int_equal(target_check_fd(fd, "f", &was_missing, false, NULL, &d), 0);
	assert_int_equal(target_check_fd(fd, "f", &was_missing, true, &allow, &d), 0);
	assert_int_equal(target_check_fd(fd, "f", &was_missing, true, NULL, &d), -EEXIST);
	assert_int_equal(d.kind, DIAG_TARGET);
	diag_fini(&d);
	if (!target_mark(fd))
		assert_int_equal(target_check_fd(fd, "f", &was_missing, true, NULL, &d), 0);
	assert_int_equal(target_check_fd(fd, "f", NULL, true, NULL, &d), 0);
	assert_int_equal(target_check_fd(null, "f", &was_missing, true, NULL, &d), -EPERM);
	diag_fini(&d);
	assert_int_equal(target_check_fd(null, "f", &was_file, false, NULL, &d), -EPERM);
	diag_fini(&d);

	/* The name gets another file; the first stays open so that its inode number is not reused. */
	assert_int_equal(unlink(at("f")), 0);
	make_file(at("f"), "2");
	target_probe(&was_missing, at("f"));
	assert_int_equal(target_check_fd(fd, "f", &was_missing, false, NULL, &d), -EPERM);
	assert_int_equal(d.kind, DIAG_TARGET);
	diag_fini(&d);
	close(fd);
	close(null);
}

/* complete: completes the mark, which must then be valid; otherwise it has ended. */
static void check_mark(int fd, bool complete)
{
	struct target_facts f;

	if (complete)
		assert_int_equal(target_mark_complete(fd), 0);
	assert_int_equal(target_has_mark(fd), complete);
	assert_int_equal(target_has_any_mark(fd), complete);
	target_probe(&f, at("mark"));
	assert_int_equal(f.marked, complete);
	assert_int_equal(f.mark_ended, !complete);
}

static void test_mark(void **state)
{
	const struct timespec times[2] = { { .tv_nsec = UTIME_OMIT }, { 1000000000, 5 } };
	int fd = open(at("mark"), O_RDWR | O_CREAT, 0600), ret;

	(void)state;
	assert_false(target_has_any_mark(fd));
	ret = target_mark(fd);
	if (ret == -EOPNOTSUPP) {
		close(fd);
		skip();
	}
	assert_int_equal(ret, 0);
	assert_true(target_has_mark(fd));
	/* Until the file is complete, its worker recognises it, but nobody else. */
	assert_int_equal(ftruncate(fd, 100), 0);
	assert_false(target_has_mark(fd));
	assert_true(target_has_any_mark(fd));
	check_mark(fd, true);
	/* Another length or another time ends the mark. */
	assert_int_equal(ftruncate(fd, 99), 0);
	check_mark(fd, false);
	check_mark(fd, true);
	assert_int_equal(futimens(fd, times), 0);
	check_mark(fd, false);
	/* Earlier versions wrote no time. */
	assert_int_equal(fsetxattr(fd, TARGET_MARK, "1 seed=7 size=99 done", 21, 0), 0);
	assert_true(target_has_mark(fd));
	assert_int_equal(fsetxattr(fd, TARGET_MARK, "1 seed=7 size=99", 16, 0), 0);
	assert_false(target_has_mark(fd));
	close(fd);
}

static const struct {
	const char *name, *nearest; /* NULL: no similar name */
} typos[] = {
	{ "lop0", "loop0" },    { "loop0", "loop0" },  { "loop03", "loop0" },
	{ "sd", "sdb" },        { "sdbb1", "sdb" },    { "nvme0n2", "nvme0n1" },
	{ "nvme0", "nvme0n1" }, { "something", NULL }, { "fil", NULL }, /* a file is not suggested */
	{ "fd7", "sdb" },                                               /* nor a link to a directory */
};

static void test_nearest(void **state)
{
	char found[PATH_MAX];

	(void)state;
	assert_int_equal(symlink("x", at("loop0")), 0);
	assert_int_equal(symlink("x", at("loop1")), 0);
	assert_int_equal(symlink("x", at("sdb")), 0);
	assert_int_equal(symlink("x", at("nvme0n1")), 0);
	assert_int_equal(symlink("/", at("fd")), 0);
	make_file(at("file"), "");
	for (size_t i = 0; i < sizeof(typos) / sizeof(typos[0]); i++) {
		bool near = target_name_nearest(at(typos[i].name), found, sizeof(found));

		assert_int_equal(near, typos[i].nearest != NULL);
		if (near)
			assert_string_equal(found, at(typos[i].nearest));
	}
	assert_false(target_name_nearest(at("no/such/dir"), found, sizeof(found)));
}

static const struct {
	const char *text, *plain;
} escapes[] = {
	{ "/mnt", "/mnt" }, { "/a\\040b", "/a b" }, { "\\134\\011", "\\\t" }, { "\\04", "\\04" }, { "", "" },
};

static void test_unescape(void **state)
{
	char text[32];

	(void)state;
	for (size_t i = 0; i < sizeof(escapes) / sizeof(escapes[0]); i++) {
		snprintf(text, sizeof(text), "%s", escapes[i].text);
		mounts_unescape(text);
		assert_string_equal(text, escapes[i].plain);
	}
}

/* Missing names below the test's directory: do they name the same file? */
static void test_missing_names(void **state)
{
	static const struct {
		const char *a, *b;
		bool same;
	} names[] = {
		{ "f", "./f", true },          { "f", "sub/../f", true },
		{ "f", "sub/f", false },       { "f", "g", false },
		{ "f", ".//./f", true },       { "no/f", "no//./f", true },
		{ "no/f", "sub/no/f", false }, { "no/f", "no/g", false },
		{ "no/f", "no/f/g", false },   { "no/f", "sub/../no/f", true },
		{ "f", "link/f", false },      { "sub/f", "link/f", true },
		{ "no/ff", "no/f", false },
	};

	(void)state;
	(void)mkdir(at("sub"), 0755);
	(void)symlink("sub", at("link"));
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		struct target_facts f, g;
		const char *a = at(names[i].a), *b = at(names[i].b);
		int c;

		target_probe(&f, a);
		target_probe(&g, b);
		assert_int_equal(f.type, TARGET_MISSING);
		assert_int_equal(g.type, TARGET_MISSING);
		c = target_missing_cmp(&f, a, &g, b);
		if (!c != names[i].same || !target_missing_cmp(&g, b, &f, a) != names[i].same)
			fail_msg("%s and %s: %d", names[i].a, names[i].b, c);
		assert_int_equal(c<0, target_missing_cmp(&g, b, &f, a)> 0);
	}
}

/* The facts about a directory are the same from a lookup and from the cache. */
static void test_probe_next(void **state)
{
	static const char *const names[] = { "p1", "p2", "sub/p1", "sub/p2", "no/p1", "no/p2", "sub", "p3" };
	struct target_scan scan = { .known = false };

	(void)state;
	(void)mkdir(at("sub"), 0755);
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		struct target_facts alone, next;

		target_probe(&alone, at(names[i]));
		target_probe_next(&next, at(names[i]), false, &scan);
		assert_int_equal(alone.type, next.type);
		assert_int_equal(alone.error, next.error);
		assert_int_equal(alone.parent_missing, next.parent_missing);
		assert_int_equal(alone.dev, next.dev);
		assert_int_equal(alone.dir_dev, next.dir_dev);
		assert_int_equal(alone.dir_ino, next.dir_ino);
		assert_int_equal(alone.missing_at, next.missing_at);
		assert_int_equal(alone.logical_block, next.logical_block);
		assert_string_equal(alone.fstype, next.fstype);
	}
	target_scan_fini(&scan);
}

static void assert_same_facts(const struct target_facts *a, const struct target_facts *b)
{
	assert_int_equal(a->type, b->type);
	assert_int_equal(a->error, b->error);
	assert_int_equal(a->read_error, b->read_error);
	assert_int_equal(a->write_error, b->write_error);
	assert_int_equal(a->symlink, b->symlink);
	assert_int_equal(a->in_dev, b->in_dev);
	assert_int_equal(a->size, b->size);
	assert_int_equal(a->blocks, b->blocks);
	assert_int_equal(a->modified_s, b->modified_s);
	assert_int_equal(a->modified_ns, b->modified_ns);
	assert_int_equal(a->logical_block, b->logical_block);
	assert_int_equal(a->own_block, b->own_block);
	assert_int_equal(a->atomic_max, b->atomic_max);
	assert_int_equal(a->dev, b->dev);
	assert_int_equal(a->ino, b->ino);
	assert_int_equal(a->rdev, b->rdev);
	assert_int_equal(a->marked, b->marked);
	assert_int_equal(a->mark_ended, b->mark_ended);
	assert_int_equal(a->fs_size, b->fs_size);
	assert_string_equal(a->fstype, b->fstype);
	assert_string_equal(a->refusal, b->refusal);
}

/* A file among others on its mount has the same facts as when it is looked up alone: with other rights,
   another size, the mark, another name of the same file, in another directory, and after a link, a pipe or a
   device. A user that is not root sees which files it may not read. */
static void test_neighbours(void **state)
{
	static const char *const names[] = { "first",     "more/big",  "more/fifo", "more/hidden",
					     "more/last", "more/link", "more/mark", "more/null",
					     "other",     "same" };
	const uid_t users[] = { geteuid(), geteuid() ? geteuid() : 65534 };
	int fd;

	(void)state;
	assert_int_equal(chmod(dir, 0755), 0);
	assert_int_equal(mkdir(at("more"), 0755), 0);
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		fd = open(at(names[i]), O_WRONLY | O_CREAT, strstr(names[i], "hidden") ? 0600 : 0644);
		assert_int_equal(ftruncate(fd, strstr(names[i], "big") ? 1 << 20 : 512 * (off_t)i), 0);
		if (strstr(names[i], "mark"))
			(void)(target_mark(fd) || target_mark_complete(fd));
		close(fd);
	}
	(void)!(unlink(at("same")) || link(at("first"), at("same")));
	(void)!(unlink(at("more/link")) || symlink("/dev/null", at("more/link")));
	(void)!(unlink(at("more/fifo")) || mkfifo(at("more/fifo"), 0600));
	(void)!(unlink(at("more/null")) || mknod(at("more/null"), S_IFCHR | 0666, makedev(1, 3)));
	for (size_t u = 0; u < 2; u++) {
		struct target_scan scan = { .known = false };
		bool hidden = false;

		assert_int_equal(seteuid(users[u]), 0);
		for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
			struct target_facts alone, next;

			target_probe(&alone, at(names[i]));
			target_probe_next(&next, at(names[i]), false, &scan);
			assert_same_facts(&alone, &next);
			hidden |= next.read_error == -EACCES;
		}
		assert_true(scan.known);
		assert_int_equal(hidden, u == 1 && !users[0]);
		target_scan_fini(&scan);
		assert_int_equal(seteuid(users[0]), 0);
	}
}

int unit_target(void)
{
#define TEST(f) cmocka_unit_test_setup_teardown(f, setup, teardown)
	const struct CMUnitTest tests[] = {
		TEST(test_verdicts),      TEST(test_probe_file),    TEST(test_probe_others),
		TEST(test_probe_missing), TEST(test_allowed),       TEST(test_allowed_in_use),
		TEST(test_check_fd),      TEST(test_mark),          TEST(test_nearest),
		TEST(test_unescape),      TEST(test_missing_names), TEST(test_probe_next),
		TEST(test_neighbours),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
