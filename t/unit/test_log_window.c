/* Do the windows of averaged logs have the right values and ends? */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <string.h>
#include "log_parts.h"

#define COUNT(list) (sizeof(list) / sizeof((list)[0]))
#define MS          1000000u

/* Windows of 100 ms with one write of 1 MiB each, in 7 ns and 10 ns. */
static const struct ival_dir one = {
	.ios = 2,
	.bytes = 2 << 20,
	.lat = { [LAT_CLAT] = { 2, 17, 7, 10, NULL } },
};
static const struct {
	uint64_t first, span, part_ns;
	enum log_kind kind;
	enum log_window window;
	bool line;
	uint64_t end_ns, value, max;
} lines[] = {
	{ 3, 1, 0, LOG_BW, LOG_WINDOW_AVG, true, 400 * MS, 20480, 20480 },
	{ 3, 1, 0, LOG_IOPS, LOG_WINDOW_MAX, true, 400 * MS, 20, 20 },
	{ 3, 2, 0, LOG_BW, LOG_WINDOW_AVG, true, 500 * MS, 10240, 10240 },
	{ 3, 0, 50 * MS, LOG_BW, LOG_WINDOW_AVG, true, 350 * MS, 40960, 40960 },
	{ 3, 0, 10 * MS, LOG_IOPS, LOG_WINDOW_AVG, true, 310 * MS, 200, 200 },
	{ 3, 0, 10 * MS, LOG_CLAT, LOG_WINDOW_AVG, true, 310 * MS, 9, 10 },
	{ 0, 0, 1, LOG_CLAT, LOG_WINDOW_AVG, true, 1, 9, 10 },
	{ 0, 0, 1 * MS, LOG_IOPS, LOG_WINDOW_AVG, true, 1 * MS, 2000, 2000 },
	{ 0, 1, 0, LOG_CLAT, LOG_WINDOW_AVG, true, 100 * MS, 9, 10 },
	{ 0, 1, 0, LOG_CLAT, LOG_WINDOW_MAX, true, 100 * MS, 10, 10 },
	{ 0, 1, 0, LOG_CLAT, LOG_WINDOW_BOTH, true, 100 * MS, 9, 10 },
	{ 0, 1, 0, LOG_SLAT, LOG_WINDOW_AVG, false, 100 * MS, 0, 0 },
	{ 0, 1, 0, LOG_HIST, LOG_WINDOW_AVG, false, 100 * MS, 0, 0 },
};

static void test_lines(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT(lines); i++) {
		const struct ival rec = { .first = lines[i].first,
					  .intervals = lines[i].span,
					  .part_ns = lines[i].part_ns,
					  .dir[DIR_WRITE] = one };
		struct log_line line;

		assert_int_equal(log_window_end_ns(&rec, 100 * MS), lines[i].end_ns);
		assert_false(
			log_window_line(&rec, 100 * MS, lines[i].kind, DIR_READ, lines[i].window, &line));
		assert_int_equal(
			log_window_line(&rec, 100 * MS, lines[i].kind, DIR_WRITE, lines[i].window, &line),
			lines[i].line);
		if (!lines[i].line)
			continue;
		assert_int_equal(line.value, lines[i].value);
		assert_int_equal(line.max, lines[i].max);
		assert_int_equal(line.dir, DIR_WRITE);
		assert_int_equal(line.bytes + line.offset + line.issue_ns + line.prio, 0);
	}
}

/* A short rest of the run is added to the window before it; a longer one has lines of its own. */
static void test_end(void **state)
{
	static const struct {
		uint64_t part_ns;
		bool is_short;
		uint64_t end_ns, iops, clat, max;
	} ends[] = {
		{ 0, false, 500 * MS, 0, 0, 0 },
		{ 10 * MS, false, 410 * MS, 0, 0, 0 },
		{ 9 * MS, true, 409 * MS, 28, 12, 20 }, /* 3 in 109 ms; 17 and 20 are 37 ns */
		{ 1, true, 400 * MS + 1, 30, 12, 20 },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(ends); i++) {
		struct ival window = { .first = 3, .intervals = 1, .dir[DIR_WRITE] = one };
		struct ival end = { .first = 4, .intervals = !ends[i].part_ns, .part_ns = ends[i].part_ns };
		struct log_line line;

		end.dir[DIR_WRITE] = (struct ival_dir){ .ios = 1,
							.bytes = 4096,
							.lat = { [LAT_CLAT] = { 1, 20, 20, 20, NULL } } };
		end.dir[DIR_READ] =
			(struct ival_dir){ .ios = 1, .lat = { [LAT_CLAT] = { 1, 5, 5, 5, NULL } } };
		assert_int_equal(log_window_end_ns(&end, 100 * MS), ends[i].end_ns);
		assert_int_equal(log_window_is_short(&end, 100 * MS), ends[i].is_short);
		if (!ends[i].is_short)
			continue;
		log_window_add(&window, &end, 100 * MS);
		assert_int_equal(log_window_end_ns(&window, 100 * MS), ends[i].end_ns);
		assert_true(log_window_line(&window, 100 * MS, LOG_IOPS, DIR_WRITE, LOG_WINDOW_AVG, &line));
		assert_int_equal(line.value, ends[i].iops);
		assert_true(log_window_line(&window, 100 * MS, LOG_CLAT, DIR_WRITE, LOG_WINDOW_BOTH, &line));
		assert_int_equal(line.value, ends[i].clat);
		assert_int_equal(line.max, ends[i].max);
		assert_true(log_window_line(&window, 100 * MS, LOG_CLAT, DIR_READ, LOG_WINDOW_AVG, &line));
		assert_int_equal(line.value, 5);
		assert_int_equal(window.dir[DIR_WRITE].lat[LAT_CLAT].min, 7);
	}
}

static void test_hist(void **state)
{
	static unsigned char bytes[IVAL_BYTES(1, 1)];
	const struct ival head = { .intervals = 1 };
	const struct ival_lat lat = { 9, 90, 1, 50, NULL };
	uint64_t count[HIST_FIO_BUCKETS];
	struct ival_out o;
	struct ival rec;

	(void)state;
	ival_begin(&o, bytes, sizeof(bytes), &head);
	ival_put_dir(&o, DIR_READ, &one);
	ival_put_lat(&o, LAT_CLAT, &lat);
	ival_put_bin(&o, 0, 1);
	ival_put_bin(&o, 1855, 2);
	ival_put_bin(&o, 1856, 3);
	ival_put_bin(&o, HIST_BUCKETS - 1, 4);
	assert_true(ival_read(&rec, bytes, ival_end(&o, bytes)));
	assert_false(log_window_hist(&rec, DIR_WRITE, count));
	assert_true(log_window_hist(&rec, DIR_READ, count));
	assert_int_equal(count[0], 1);
	assert_int_equal(count[1], 0);
	assert_int_equal(count[1854], 0);
	assert_int_equal(count[1855], 9);
}

int unit_log_window(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_lines),
		cmocka_unit_test(test_end),
		cmocka_unit_test(test_hist),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
