/* What does media_probe find out about files made for it? */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "media.h"

#define BYTES ((off_t)1 << 20)

static void look(const char *path, struct media *m)
{
	struct target_facts f;

	target_probe(&f, path);
	media_probe(m, &f, NULL, NULL);
	media_probe_holes(m, &f, path);
}

static void test_holes(void **state)
{
	char path[] = "/tmp/fiord-media.XXXXXX", *data = calloc(1, (size_t)BYTES);
	int fd = mkstemp(path);
	struct media m;

	(void)state;
	assert_true(fd >= 0 && data);
	assert_int_equal(ftruncate(fd, BYTES), 0);
	look(path, &m);
	assert_int_equal(m.unwritten, BYTES);
	assert_false(m.unwritten_allocated);
	assert_int_equal(pwrite(fd, data, BYTES / 4, BYTES / 2), BYTES / 4);
	look(path, &m);
	assert_int_equal(m.unwritten, BYTES * 3 / 4);
	/* Written, but not on the device yet. */
	assert_int_equal(pwrite(fd, data, (size_t)BYTES, 0), BYTES);
	look(path, &m);
	assert_int_equal(m.unwritten, 0);
	assert_int_equal(ftruncate(fd, 0), 0);
	if (!fallocate(fd, 0, 0, BYTES)) {
		look(path, &m);
		assert_int_equal(m.unwritten, BYTES);
		assert_true(m.unwritten_allocated);
	}
	close(fd);
	unlink(path);
	free(data);
}

/* Without information it neither reports nor waits. */
static void test_others(void **state)
{
	static const char *const paths[] = { "/dev/null", "/tmp", "/nonexistent/x", "/dev/zero" };

	(void)state;
	for (size_t i = 0; i < sizeof(paths) / sizeof(paths[0]); i++) {
		struct media m = { .unwritten = 7 };

		look(paths[i], &m);
		assert_int_equal(m.unwritten, 0);
	}
}

int unit_media(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(test_holes), cmocka_unit_test(test_others) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
