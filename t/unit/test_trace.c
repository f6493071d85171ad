/* Do traces become the events that they hold, in order of time, and are damaged ones refused by file and
   line? The expected events are read off the texts; what fio writes and how it waits was measured with
   fio 3.33. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include <zlib.h>
#include "strbuf.h"
#include "trace.h"

#define COUNT(a) (sizeof(a) / sizeof(*(a)))
#define V3       "fio version 3 iolog\n"
#define V2       "fio version 2 iolog\n"
#define OPEN     "0 f add\n0 f open\n"

static struct diag diag;

/* A file in memory. trace_open opens it by its path in /proc. */
static int make_file(const char *text, size_t len, char path[32])
{
	int fd = memfd_create("trace", 0);

	assert_true(fd >= 0);
	assert_int_equal(write(fd, text, len), (ssize_t)len);
	lseek(fd, 0, SEEK_SET);
	snprintf(path, 32, "/proc/self/fd/%d", fd);
	return fd;
}

static void put_event(const struct trace *t, const struct trace_event *e, struct strbuf *b)
{
	strbuf_printf(b, "%llu %s %s", (unsigned long long)(e->time_ns / 1000), trace_device(t, e->device),
		      trace_op_name((enum trace_op)e->op));
	if (e->op < TRACE_DATA_OPS)
		strbuf_printf(b, " %llu+%llu", (unsigned long long)e->offset, (unsigned long long)e->length);
	strbuf_puts(b, "\n");
}

/* Returns the events, one in a line with its time in us, and the error without its path. */
static const char *read_source(struct trace_source *source)
{
	static struct strbuf b;
	struct trace *t;
	struct trace_event e;
	int ret;

	strbuf_clear(&b);
	diag_fini(&diag);
	ret = trace_open(&t, source, &diag);
	while (!ret && (ret = trace_next(t, &e, &diag)) > 0) {
		put_event(t, &e, &b);
		ret = 0;
	}
	trace_close(t);
	if (ret < 0) {
		const char *message = strstr(diag_text(&diag), "/proc/self/fd/");

		message = message ? message + strlen("/proc/self/fd/") : diag_text(&diag);
		strbuf_puts(&b, message + strspn(message, "0123456789"));
	}
	return strbuf_str(&b);
}

static const char *read_bytes(const void *text, size_t len)
{
	char path[32];
	const char *const paths[] = { path };
	int fd = make_file(text, len, path);
	const char *events = read_source(&(struct trace_source){ .path = paths, .paths = 1 });

	close(fd);
	return events;
}

static const char *read_text(const char *text)
{
	return read_bytes(text, strlen(text));
}

static const struct {
	const char *text, *events;
} good[] = {
	{ V3 "18 f1 add\n22 f2 add\n133 f1 open\n139 f1 read 4096 8192\n140 f2 open\n150 f2 write 0 512\n"
	     "160 f1 trim 8192 4096\n170 f1 sync 0 0\n171 f1 sync\n180 f1 datasync 0 0\n190 f1 close\n",
	  "18 f1 add\n22 f2 add\n133 f1 open\n139 f1 read 4096+8192\n140 f2 open\n150 f2 write 0+512\n"
	  "160 f1 trim 8192+4096\n170 f1 sync\n171 f1 sync\n180 f1 datasync\n190 f1 close\n" },
	{ V3 " 0 f  add \r\n0\tf open\n7 f read 0 1\n", "0 f add\n0 f open\n7 f read 0+1\n" },
	/* The first I/O is not at 0, because the stamps count from the start of the log. */
	{ V3 OPEN "5000 f read 9223372036854775806 1\n",
	  "0 f add\n0 f open\n5000 f read 9223372036854775806+1\n" },
	/* Out of order within the window; equal times keep their order. */
	{ V3 OPEN "30 f read 0 1\n10 f read 1 1\n20 f read 2 1\n20 f read 3 1\n",
	  "0 f add\n0 f open\n10 f read 1+1\n20 f read 2+1\n20 f read 3+1\n30 f read 0+1\n" },
	/* wait: milliseconds since the start of the log, and never back (fio 3.33). */
	{ V2 "f add\nf open\nf read 0 1\nf wait 1000 0\nf read 1 1\nf wait 500 0\nf read 2 1\nf wait 2000 "
	     "0\nf close\n",
	  "0 f add\n0 f open\n0 f read 0+1\n1000000 f read 1+1\n1000000 f read 2+1\n2000000 f close\n" },
	/* fio appends the logs of several jobs; each begins at 0. */
	{ V3 "0 f add\n1 f open\n9 f read 0 1\n" V3 "2 g add\n3 g open\n5 g read 0 1\n",
	  "0 f add\n1 f open\n2 g add\n3 g open\n5 g read 0+1\n9 f read 0+1\n" },
	{ V3, "" },
};

static void test_good(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT(good); i++)
		assert_string_equal(read_text(good[i].text), good[i].events);
}

static const struct {
	const char *text, *error;
} bad[] = {
	{ "", ": the file is empty" },
	{ "hello\n", ": not a trace of a known format; --format=FORMAT names it" },
	{ "fio version 1 iolog\n",
	  ":1: \"fio version 1 iolog\": fiord reads the versions 2 and 3 of iologs" },
	{ "fio version 33 iolog\n",
	  ":1: \"fio version 33 iolog\": fiord reads the versions 2 and 3 of iologs" },
	{ V3 "0 f read 0 1\n", ":2: f is used before it is added" },
	{ V3 "0 f open\n", ":2: f is used before it is added" },
	{ V3 "0 f add\n0 f read 0 1\n", ":3: f is not open" },
	{ V3 OPEN "1 f close\n2 f read 0 1\n", ":5: f is not open" },
	{ V3 OPEN "1 f read 0 1", ":4: the last line does not end with a newline: the log is truncated" },
	{ V3 OPEN "1 f foo 0 1\n",
	  ":4: unknown action \"foo\"; an iolog has add, open, close, read, write, trim, "
	  "sync, datasync and wait" },
	{ V3 OPEN "1 f read 0\n", ":4: not a line of an iolog: TIME FILE ACTION [OFFSET LENGTH]" },
	{ V3 OPEN "1 f read\n", ":4: not a line of an iolog: TIME FILE ACTION [OFFSET LENGTH]" },
	{ V3 OPEN "1 f read 0 1 2\n", ":4: not a line of an iolog: TIME FILE ACTION [OFFSET LENGTH]" },
	{ V2 "f\n", ":2: not a line of an iolog: FILE ACTION [OFFSET LENGTH]" },
	{ V3 "\n", ":2: the line is empty or too short" },
	{ V3 OPEN "-1 f read 0 1\n", ":4: the time -1 is negative" },
	{ V3 OPEN "1 f read -4096 1\n", ":4: the offset -4096 is negative" },
	{ V3 OPEN "1 f read 0x10 1\n", ":4: the offset \"0x10\" is not a whole number" },
	{ V3 OPEN "1 f read 0 0\n", ":4: the length is 0" },
	{ V3 OPEN "1 f read 9223372036854775807 1\n", ":4: the I/O ends beyond 2^63 bytes" },
	{ V3 OPEN "1 f read 18446744073709551615 2\n", ":4: the I/O ends beyond 2^63 bytes" },
	{ V3 OPEN "1 f read 18446744073709551616 2\n",
	  ":4: the offset 18446744073709551616 is larger than 18446744073709551615" },
	{ V3 OPEN "99999999999999999 f read 0 2\n",
	  ":4: the time 99999999999999999 is larger than 18446744073709" },
};

/* What came before the error are the lines of OPEN, or nothing. */
static void test_bad(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT(bad); i++)
		assert_string_equal(read_text(bad[i].text), bad[i].error);
}

static void test_nul(void **state)
{
	static const char text[] = V3 OPEN "1 f re\0d 0 1\n";

	(void)state;
	assert_string_equal(read_bytes(text, sizeof(text) - 1),
			    ":4: the line has a NUL byte: the file is damaged, or no text");
}

static void test_long_line(void **state)
{
	size_t len = 20000;
	char *text = malloc(len);

	(void)state;
	memset(text, 'x', len);
	memcpy(text, V3, strlen(V3));
	assert_string_equal(read_bytes(text, len), ":2: the line is longer than 16384 bytes");
	free(text);
}

/* Writes a log of `events` reads of one byte each, whose offset is the time. The event `late` has time 0. */
static void put_log(struct strbuf *b, unsigned events, unsigned late)
{
	strbuf_puts(b, V3 OPEN);
	for (unsigned i = 1; i <= events; i++)
		strbuf_printf(b, "%u f read %u 1\n", i == late ? 0 : i, i);
}

static size_t count_lines(const char *text)
{
	size_t lines = 0;

	for (; (text = strchr(text, '\n')); text++)
		lines++;
	return lines;
}

/* The last event that may still come to the front is the one behind TRACE_WINDOW_EVENTS others. */
static void test_window(void **state)
{
	struct strbuf b = { 0 };
	const char *events;

	(void)state;
	put_log(&b, 70000, TRACE_WINDOW_EVENTS - 2);
	events = read_text(strbuf_str(&b));
	assert_int_equal(count_lines(events), 70002);
	assert_non_null(strstr(events, "0 f open\n0 f read 65534+1\n1 f read 1+1\n"));
	strbuf_clear(&b);
	put_log(&b, 70000, TRACE_WINDOW_EVENTS + 1);
	events = read_text(strbuf_str(&b));
	assert_non_null(strstr(
		events, ":65540: the event is 1e-06 s earlier than one that stands more than 65536 "
			"events before it; fiord sorts within so many, so sort the trace by time first"));
	strbuf_fini(&b);
}

/* Compresses by gzip, in two members. */
static size_t compress_text(const char *text, size_t len, unsigned char *to, size_t room)
{
	size_t half = len / 2, at = 0;

	for (unsigned i = 0; i < 2; i++) {
		z_stream z = { .next_in = (unsigned char *)(uintptr_t)text + (i ? half : 0),
			       .avail_in = (uInt)(i ? len - half : half),
			       .next_out = to + at,
			       .avail_out = (uInt)(room - at) };

		assert_int_equal(deflateInit2(&z, 6, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY), Z_OK);
		assert_int_equal(deflate(&z, Z_FINISH), Z_STREAM_END);
		at = room - z.avail_out;
		deflateEnd(&z);
	}
	return at;
}

static void test_gzip(void **state)
{
	struct strbuf text = { 0 };
	size_t room = 1 << 20, len;
	unsigned char *z = malloc(room);
	char *plain;

	(void)state;
	put_log(&text, 20000, 0);
	len = compress_text(text.text, text.len, z, room);
	plain = strdup(read_text(text.text));
	assert_int_equal(count_lines(plain), 20002);
	assert_string_equal(read_bytes(z, len), plain);
	assert_string_equal(read_bytes(z, len - 1),
			    ": the compressed data ends early: the file is truncated");
	z[len / 2] ^= 0x55;
	assert_string_equal(read_bytes(z, len), ": the compressed data (gzip) is damaged");
	free(plain);
	free(z);
	strbuf_fini(&text);
}

/* Several files are merged by time, and each has its own lines. */
static void test_files(void **state)
{
	char path[2][32];
	const char *const paths[] = { path[0], path[1] };
	static const char *const text[] = { V3 OPEN "3 f read 0 1\n9 f read 1 1\n",
					    V3 OPEN "4 f read 2 1\n8 f x\n" };
	int fd[2];
	struct trace_source source = { .path = paths, .paths = 2, .to_ns = 9000 };

	(void)state;
	for (unsigned i = 0; i < 2; i++)
		fd[i] = make_file(text[i], strlen(text[i]), path[i]);
	assert_non_null(strstr(read_source(&source), ":5: unknown action"));
	assert_non_null(strstr(diag_text(&diag), path[1]));
	assert_int_equal(ftruncate(fd[1], (off_t)strlen(text[1]) - 6), 0);
	source.from_ns = 4000;
	assert_string_equal(read_source(&source), "0 f add\n0 f open\n0 f add\n0 f open\n4 f read 2+1\n");
	close(fd[0]);
	close(fd[1]);
}

/* Device names are found again after the table has grown. */
static void test_devices(void **state)
{
	struct strbuf b = { 0 };
	struct trace *t;
	struct trace_event e;
	char path[32];
	const char *const paths[] = { path };
	unsigned n = 0;
	int fd;

	(void)state;
	strbuf_puts(&b, V3);
	for (unsigned i = 0; i < 20000; i++)
		strbuf_printf(&b, "%u f%u add\n", i, i % 5000);
	fd = make_file(b.text, b.len, path);
	assert_int_equal(trace_open(&t, &(struct trace_source){ .path = paths, .paths = 1 }, &diag), 0);
	for (; trace_next(t, &e, &diag) == 1; n++) {
		assert_int_equal(e.device, n % 5000);
		assert_int_equal(atoi(trace_device(t, e.device) + 1), n % 5000);
	}
	assert_int_equal(n, 20000);
	assert_int_equal(trace_devices(t), 5000);
	trace_close(t);
	close(fd);
	strbuf_fini(&b);
}

int unit_trace(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_good),  cmocka_unit_test(test_bad),
		cmocka_unit_test(test_nul),   cmocka_unit_test(test_window),
		cmocka_unit_test(test_gzip),  cmocka_unit_test(test_long_line),
		cmocka_unit_test(test_files), cmocka_unit_test(test_devices),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
