/* Is laid out data the same for each way of writing it, and are errors clean? */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "layout.h"

#define MIB ((size_t)1 << 20)

static const struct buffer_cfg unique = { .scramble = true };

/* Opens a file without a name. */
static int temp(int flags)
{
	int fd = open("/tmp", O_TMPFILE | O_RDWR | flags, 0600);

	if (fd < 0 && errno != EINVAL)
		assert_true(fd >= 0);
	return fd;
}

static void write_range(int fd, uint64_t from, uint64_t to, uint64_t seed, const struct buffer_cfg *c)
{
	const struct layout_job j = {
		.fd = fd, .path = "f", .from = from, .to = to, .seed = seed, .buffer = c
	};
	struct diag d = { 0 };

	assert_int_equal(layout_write_files(&j, 1, 1, &d), 0);
	assert_null(d.text);
}

/* Returns the first `bytes` of the file; the caller frees them. */
static unsigned char *content(int fd, size_t bytes)
{
	unsigned char *buf = aligned_alloc(4096, (bytes + 8191) & ~(size_t)4095);

	assert_non_null(buf);
	assert_int_equal(fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) & ~O_DIRECT), 0);
	assert_int_equal(pread(fd, buf, bytes + 1, 0), bytes);
	return buf;
}

static bool same_content(int a, int b, size_t bytes)
{
	unsigned char *x = content(a, bytes), *y = content(b, bytes);
	bool same = !memcmp(x, y, bytes);

	free(x);
	free(y);
	return same;
}

/* The data at an offset depends on the seed and the offset, not on how the file was written. */
static void test_content_by_offset(void **state)
{
	static const uint64_t cuts[] = { 1, 511, 4096, 4097, MIB - 1, MIB, MIB + 512, 2 * MIB + 99 };
	const size_t bytes = 3 * MIB + 1234;
	int whole = temp(0), other = temp(0);

	(void)state;
	write_range(whole, 0, bytes, 42, &unique);
	for (size_t i = 0; i < sizeof(cuts) / sizeof(cuts[0]); i++) {
		int parts = temp(0);

		write_range(parts, cuts[i], bytes, 42, &unique);
		write_range(parts, 0, cuts[i], 42, &unique);
		assert_true(same_content(whole, parts, bytes));
		close(parts);
	}
	write_range(other, 0, bytes, 43, &unique);
	assert_false(same_content(whole, other, bytes));
	close(whole);
	close(other);
}

/* Nor does it depend on O_DIRECT, or on the size of the writes. */
static void test_past_cache(void **state)
{
	static const struct buffer_cfg once = { .scramble = false }, zero = { .zero = true };
	static const struct buffer_cfg *const kinds[] = { &unique, &once, &zero };
	static const uint64_t from[] = { 0, 4096, 100, MIB + 77 };
	const size_t bytes = 11 * MIB + 1234;

	(void)state;
	for (size_t i = 0; i < 3 * sizeof(from) / sizeof(from[0]); i++) {
		struct layout_job j = {
			.path = "f", .from = from[i / 3], .to = bytes, .seed = 42, .buffer = kinds[i % 3]
		};
		struct diag d = { 0 };
		int plain = j.fd = temp(0), past;

		assert_int_equal(layout_write_files(&j, 1, 1, &d), 0);
		past = j.fd = temp(0);
		j.bypass_cache = true;
		j.pieces = 4;
		assert_int_equal(layout_write_files(&j, 1, 1, &d), 0);
		assert_true(same_content(plain, past, bytes));
		close(plain);
		close(past);
	}
}

static void test_direct(void **state)
{
	static const struct {
		uint64_t from, to;
	} ranges[] = {
		{ 0, 2 * MIB }, { 0, MIB + 4096 },  { 0, MIB + 1 },
		{ 0, 5 },       { 3, 2 * MIB + 7 }, { 4095, 8193 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(ranges) / sizeof(ranges[0]); i++) {
		int direct = temp(O_DIRECT), buffered = temp(0);

		if (direct < 0) {
			close(buffered);
			skip();
		}
		write_range(direct, ranges[i].from, ranges[i].to, 5, &unique);
		assert_true(fcntl(direct, F_GETFL) & O_DIRECT);
		write_range(buffered, ranges[i].from, ranges[i].to, 5, &unique);
		assert_true(same_content(direct, buffered, ranges[i].to));
		close(direct);
		close(buffered);
	}
}

static void test_kinds_of_content(void **state)
{
	static const struct buffer_cfg zero = { .zero = true }, same = { 0 }, refill = { .refill = true };
	static const struct {
		const struct buffer_cfg *c;
		bool zero, repeats;
	} rows[] = { { &zero, true, true },
		     { &same, false, true },
		     { &refill, false, false },
		     { &unique, false, false } };
	const size_t bytes = 2 * MIB;

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		int fd = temp(0);
		unsigned char *buf;
		size_t nulls = 0;

		write_range(fd, 0, bytes, 1, rows[i].c);
		buf = content(fd, bytes);
		for (size_t k = 0; k < bytes; k++)
			nulls += !buf[k];
		if (rows[i].zero)
			assert_int_equal(nulls, bytes);
		else
			assert_in_range(nulls, bytes / 512, bytes / 128); /* one byte in 256 */
		assert_int_equal(!memcmp(buf, buf + MIB, MIB), rows[i].repeats);
		free(buf);
		close(fd);
	}
}

static void test_progress_and_stop(void **state)
{
	_Atomic uint64_t progress = 10;
	_Atomic uint32_t stop = 0;
	struct layout_job j = { .fd = temp(0),
				.path = "f",
				.from = 100,
				.to = 2 * MIB,
				.buffer = &unique,
				.progress = &progress,
				.stop = &stop };
	struct diag d = { 0 };

	(void)state;
	assert_int_equal(layout_write_files(&j, 1, 1, &d), 0);
	assert_int_equal(progress, 10 + 2 * MIB - 100);
	stop = 1;
	assert_int_equal(layout_write_files(&j, 1, 1, &d), -EINTR);
	assert_int_equal(progress, 10 + 2 * MIB - 100);
	diag_fini(&d);
	close(j.fd);
}

static void test_errors(void **state)
{
	struct layout_job j = { .path = "/dev/full", .to = 3 * MIB, .buffer = &unique };
	struct diag d = { 0 };

	(void)state;
	j.fd = open("/dev/full", O_RDWR);
	assert_int_equal(layout_write_files(&j, 1, 1, &d), -ENOSPC);
	assert_int_equal(d.kind, DIAG_RUN);
	assert_non_null(strstr(diag_text(&d), "/dev/full: no space left after 0 of 3 MiB"));
	diag_fini(&d);
	close(j.fd);
	j.fd = -1;
	assert_int_equal(layout_write_files(&j, 1, 1, &d), -EBADF);
	diag_fini(&d);
}

enum { FILES = 7 };

static void test_many(void **state)
{
	_Atomic uint64_t progress;
	struct diag d = { 0 };

	(void)state;
	for (unsigned threads = 0; threads < 4; threads++) {
		struct layout_job jobs[FILES];

		progress = 0;
		for (unsigned i = 0; i < FILES; i++)
			jobs[i] = (struct layout_job){ .fd = temp(0),
						       .path = "f",
						       .to = MIB + i,
						       .seed = i,
						       .buffer = &unique,
						       .progress = &progress };
		assert_int_equal(layout_write_files(jobs, FILES, threads, &d), 0);
		assert_int_equal(progress, FILES * MIB + FILES * (FILES - 1) / 2);
		for (unsigned i = 0; i < FILES; i++) {
			int alone = temp(0);

			write_range(alone, 0, MIB + i, i, &unique);
			assert_true(same_content(jobs[i].fd, alone, MIB + i));
			close(alone);
			close(jobs[i].fd);
		}
	}
	assert_int_equal(layout_write_files(NULL, 0, 4, &d), 0);
}

static void test_many_first_error(void **state)
{
	struct diag d = { 0 };
	struct stat st;

	(void)state;
	for (unsigned threads = 1; threads < 4; threads++) {
		struct layout_job jobs[FILES];

		for (unsigned i = 0; i < FILES; i++)
			jobs[i] = (struct layout_job){
				.fd = temp(0), .path = "f", .to = MIB, .buffer = &unique
			};
		close(jobs[1].fd);
		jobs[1].fd = open("/dev/full", O_RDWR);
		jobs[1].path = "full";
		assert_int_equal(layout_write_files(jobs, FILES, threads, &d), -ENOSPC);
		assert_non_null(strstr(diag_text(&d), "full: no space left"));
		if (threads == 1) { /* a single thread works in order */
			assert_int_equal(fstat(jobs[2].fd, &st), 0);
			assert_int_equal(st.st_size, 0);
		}
		diag_fini(&d);
		for (unsigned i = 0; i < FILES; i++)
			close(jobs[i].fd);
	}
}

int unit_layout(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_content_by_offset),
		cmocka_unit_test(test_direct),
		cmocka_unit_test(test_past_cache),
		cmocka_unit_test(test_kinds_of_content),
		cmocka_unit_test(test_progress_and_stop),
		cmocka_unit_test(test_errors),
		cmocka_unit_test(test_many),
		cmocka_unit_test(test_many_first_error),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
