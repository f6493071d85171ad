/* Events over FIFOs: is each FIFO removed by the run that created it, do all holders see an event, and is any
 * other file refused? */
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
#include <unistd.h>
#include "event.h"

static char dir[] = "/tmp/fiord-event.XXXXXX";

static int in_a_folder(void **state)
{
	(void)state;
	return !mkdtemp(dir) || setenv("XDG_RUNTIME_DIR", dir, 1);
}

static int leave(void **state)
{
	(void)state;
	return rmdir(dir);
}

static const char *path(const char *name)
{
	static char text[256];

	snprintf(text, sizeof(text), "%s/%s", dir, name);
	return text;
}

static bool there(const char *name)
{
	struct stat st;

	return !lstat(path(name), &st);
}

static void test_set(void **state)
{
	struct event a, b, late;
	struct diag d = { 0 };

	(void)state;
	assert_int_equal(event_open(&a, "go", &d), 0);
	assert_int_equal(event_open(&b, "go", &d), 0);
	assert_string_equal(a.path, path("fiord-go"));
	assert_true(a.created && !b.created);
	assert_false(event_is_set(&a) || event_is_set(&b));
	for (unsigned i = 0; i < 100000; i++)
		event_set(&b);
	assert_true(event_is_set(&a) && event_is_set(&b));
	assert_int_equal(event_open(&late, "go", &d), 0);
	assert_true(event_is_set(&late));
	event_close(&late);
	event_close(&b);
	assert_true(there("fiord-go"));
	event_close(&a);
	assert_false(there("fiord-go"));
}

static void test_signal(void **state)
{
	struct event e;
	struct diag d = { 0 };

	(void)state;
	assert_int_equal(event_signal("go", &d), -ENOENT);
	assert_non_null(strstr(diag_text(&d), "no program waits"));
	diag_fini(&d);
	assert_int_equal(mkfifo(path("pipe"), 0600), 0);
	assert_int_equal(event_signal(path("pipe"), &d), -ENXIO);
	assert_non_null(strstr(diag_text(&d), "no program waits"));
	diag_fini(&d);
	assert_int_equal(event_open(&e, path("pipe"), &d), 0);
	assert_false(e.created);
	assert_int_equal(event_signal(path("pipe"), &d), 0);
	assert_true(event_is_set(&e));
	event_close(&e);
	assert_true(there("pipe"));
	unlink(path("pipe"));
}

/* A file, a directory and a link to a FIFO are refused. */
static void test_others(void **state)
{
	static const char *const names[] = { "fiord-file", "fiord-folder", "fiord-link" };
	struct diag d = { 0 };
	struct event e;
	FILE *f = fopen(path(names[0]), "w");

	(void)state;
	assert_non_null(f);
	fclose(f);
	assert_int_equal(mkdir(path(names[1]), 0700), 0);
	assert_int_equal(mkfifo(path("target"), 0600), 0);
	assert_int_equal(symlink("target", path(names[2])), 0);
	for (unsigned i = 0; i < 3; i++) {
		assert_int_equal(event_open(&e, names[i] + 6, &d), -EEXIST);
		assert_non_null(strstr(diag_text(&d), "is not a FIFO"));
		event_close(&e);
		diag_fini(&d);
		assert_true(there(names[i]));
		remove(path(names[i]));
	}
	unlink(path("target"));
}

/* A FIFO that replaced the run's own is not removed. */
static void test_replaced(void **state)
{
	struct diag d = { 0 };
	struct event e;

	(void)state;
	assert_int_equal(event_open(&e, "go", &d), 0);
	assert_int_equal(unlink(path("fiord-go")), 0);
	assert_int_equal(mkfifo(path("fiord-go"), 0600), 0);
	event_close(&e);
	assert_true(there("fiord-go"));
	unlink(path("fiord-go"));
}

int unit_event(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_set),
		cmocka_unit_test(test_signal),
		cmocka_unit_test(test_others),
		cmocka_unit_test(test_replaced),
	};

	return cmocka_run_group_tests(tests, in_a_folder, leave);
}
