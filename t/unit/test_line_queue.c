/* Lines for a reader who comes late, goes away, reads slowly, or never comes: does each get whole lines, and
   are the others counted? */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <fcntl.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "line_queue.h"

static char path[] = "/tmp/fiord-lines.XXXXXX";
static struct line_queue l;
static char text[4 << 20];

static int set_up(void **state)
{
	(void)state;
	strcpy(path + strlen(path) - 6, "XXXXXX");
	close(mkstemp(path));
	return 0;
}

static int tear_down(void **state)
{
	(void)state;
	line_queue_fini(&l);
	unlink(path);
	return 0;
}

static void make_fifo(void)
{
	unlink(path);
	assert_int_equal(mkfifo(path, 0600), 0);
}

static void put(const char *line)
{
	line_queue_put(&l, line, strlen(line));
}

/* Returns what a reader finds now. */
static const char *read_from(int fd)
{
	ssize_t n = read(fd, text, sizeof(text) - 1);

	text[n > 0 ? n : 0] = '\0';
	return text;
}

static void test_file(void **state)
{
	int fd = open(path, O_RDWR);

	(void)state;
	assert_int_equal(write(fd, "old\n", 4), 4);
	line_queue_init(&l, path, false);
	lseek(fd, 0, SEEK_SET);
	assert_string_equal(read_from(fd), "old\n"); /* emptied only when the lines begin */
	line_queue_begin(&l, "first\n", 6);
	put("a\n");
	lseek(fd, 0, SEEK_SET);
	assert_string_equal(read_from(fd), "first\na\n");
	line_queue_finish(&l, "end\n", 4);
	line_queue_fini(&l);
	line_queue_init(&l, path, true);
	line_queue_begin(&l, "second\n", 7);
	lseek(fd, 0, SEEK_SET);
	assert_string_equal(read_from(fd), "first\na\nend\nsecond\n");
	assert_int_equal(l.lost_lines, 0);
	close(fd);
}

static void test_late_reader(void **state)
{
	int fd;

	(void)state;
	make_fifo();
	line_queue_init(&l, path, false);
	line_queue_begin(&l, "first\n", 6);
	put("a\n");
	put("b\n");
	assert_int_equal(l.lost_lines, 2);
	fd = open(path, O_RDONLY | O_NONBLOCK);
	put("c\n");
	assert_string_equal(read_from(fd), "first\nc\n");
	close(fd);
	put("d\n");
	assert_int_equal(l.lost_lines, 3);
	fd = open(path, O_RDONLY | O_NONBLOCK);
	put("e\n");
	assert_string_equal(read_from(fd), "first\ne\n");
	assert_int_equal(l.error, 0);
	close(fd);
}

/* A line of 100,000 bytes with this letter. */
static void put_long(char letter)
{
	char line[100000];

	memset(line, letter, sizeof(line) - 1);
	line[sizeof(line) - 1] = '\n';
	line_queue_put(&l, line, sizeof(line));
}

static void test_slow_reader(void **state)
{
	size_t len = 0, lines = 0;
	ssize_t n;
	int fd;

	(void)state;
	make_fifo();
	fd = open(path, O_RDONLY | O_NONBLOCK);
	line_queue_init(&l, path, false);
	line_queue_begin(&l, "first\n", 6);
	for (int i = 0; i < 60; i++)
		put_long((char)('a' + i % 26));
	assert_true(l.lost_lines > 0 && l.lost_lines < 60);
	do {
		while ((n = read(fd, text + len, sizeof(text) - len)) > 0)
			len += (size_t)n;
		line_queue_flush(&l);
	} while (line_queue_waits(&l));
	while ((n = read(fd, text + len, sizeof(text) - len)) > 0)
		len += (size_t)n;
	for (char *at = text, *end; at < text + len; at = end + 1, lines++) {
		end = memchr(at, '\n', (size_t)(text + len - at));
		assert_non_null(end);
		assert_true(at == text || end - at == 99999); /* whole lines */
		assert_true(at == text || (at[0] == end[-1] && at[0] == at[50000]));
	}
	assert_int_equal(lines, 1 + 60 - l.lost_lines);
	close(fd);
}

/* The reader stops reading: at the end lines are lost, and it finds that in the last line when it goes on. */
static void test_last_line(void **state)
{
	size_t len = 0, lines = 0;
	ssize_t n;
	int fd;

	(void)state;
	make_fifo();
	fd = open(path, O_RDONLY | O_NONBLOCK);
	line_queue_init(&l, path, false);
	line_queue_begin(&l, "first\n", 6);
	for (int i = 0; i < 10; i++)
		put_long('x');
	assert_int_equal(l.lost_lines, 0);
	assert_true(line_queue_waits(&l));
	line_queue_drain(&l);
	assert_true(l.lost_lines > 0);
	line_queue_finish(&l, "end\n", 4);
	assert_false(line_queue_waits(&l));
	while ((n = read(fd, text + len, sizeof(text) - len)) > 0)
		len += (size_t)n;
	for (size_t i = 0; i < len; i++)
		lines += text[i] == '\n';
	assert_int_equal(lines, 1 + 10 - l.lost_lines + 1);
	assert_memory_equal(text + len - 6, "x\nend\n", 6);
	close(fd);
}

/* The reader goes away with a part of a line; the next one begins with a whole line. */
/* A pipe that is standard output becomes as large as any other. */
static void test_standard_output(void **state)
{
	int saved = dup(STDOUT_FILENO), p[2], other[2];

	(void)state;
	fflush(stdout);
	assert_false(pipe(p) || pipe(other));
	fcntl(other[1], F_SETPIPE_SZ, 1 << 20); /* perhaps the system permits less */
	dup2(p[1], STDOUT_FILENO);
	line_queue_init(&l, "-", false);
	line_queue_begin(&l, "first\n", 6);
	dup2(saved, STDOUT_FILENO);
	assert_string_equal(read_from(p[0]), "first\n");
	assert_int_equal(fcntl(p[0], F_GETPIPE_SZ), fcntl(other[1], F_GETPIPE_SZ));
	for (int i = 0; i < 2; i++) {
		close(p[i]);
		close(other[i]);
	}
	close(saved);
}

static void test_reader_goes(void **state)
{
	int fd;

	(void)state;
	make_fifo();
	fd = open(path, O_RDONLY | O_NONBLOCK);
	line_queue_init(&l, path, false);
	line_queue_begin(&l, "first\n", 6);
	for (int i = 0; i < 15; i++)
		put_long('x');
	assert_true(line_queue_waits(&l));
	close(fd);
	line_queue_flush(&l);
	assert_false(line_queue_waits(&l));
	assert_true(l.lost_lines > 0);
	fd = open(path, O_RDONLY | O_NONBLOCK);
	put("y\n");
	assert_string_equal(read_from(fd), "first\ny\n");
	put_long('x');
	line_queue_finish(&l, "end\n", 4); /* it returns although nothing reads from the FIFO */
	close(fd);
}

static void test_full(void **state)
{
	(void)state;
	if (access("/dev/full", W_OK))
		skip();
	line_queue_init(&l, "/dev/full", false);
	line_queue_begin(&l, "first\n", 6);
	put("a\n");
	assert_int_equal(l.error, ENOSPC);
	assert_int_equal(l.lost_lines, 2);
}

int unit_line_queue(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_file, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_late_reader, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_slow_reader, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_last_line, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_standard_output, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_reader_goes, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_full, set_up, tear_down),
	};

	signal(SIGPIPE, SIG_IGN);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
