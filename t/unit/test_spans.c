/* Are percentiles, sums and copies of time spans right? */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>
#include "spans.h"

/* The values 1 to n, each once. */
static struct span_lat one_to(uint64_t *ns, uint64_t *count, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		ns[i] = i + 1;
		count[i] = 1;
	}
	return (struct span_lat){ .n = n, .min = 1, .max = n, .bins = { ns, count, n } };
}

/* The smallest value that is not below p * n of the samples. */
static void test_percentile(void **state)
{
	static const struct {
		size_t n;
		uint32_t share;
		uint64_t value;
	} cases[] = {
		{ 10, 0, 1 },
		{ 10, 1, 1 },
		{ 10, 100000000, 1 },
		{ 10, 100000001, 2 },
		{ 10, 500000000, 5 },
		{ 10, 500000001, 6 },
		{ 10, 900000000, 9 },
		{ 10, 990000000, 10 },
		{ 10, SPAN_ALL, 10 },
		{ 1, 500000000, 1 },
		{ 2, 500000000, 1 },
		{ 3, 500000000, 2 },
		{ 1000, 999000000, 999 },
		{ 1000, 999900000, 1000 },
		{ 999, 999000000, 999 },
		{ 1001, 999000000, 1000 },
	};
	uint64_t *ns = calloc(1001, sizeof(*ns)), *count = calloc(1001, sizeof(*count));

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct span_lat l = one_to(ns, count, cases[i].n);

		assert_int_equal(span_percentile(&l, cases[i].share), cases[i].value);
	}
	free(ns);
	free(count);
}

/* Percentiles are exact for any counts, and within the measured values. */
static void test_percentile_exact(void **state)
{
	uint64_t ns[] = { 10, 20, 30 }, count[] = { 999999998999999999ull, 1, 1000000000 };
	struct span_lat l = { .n = 1000000000000000000ull, .min = 12, .max = 25, .bins = { ns, count, 3 } };
	struct span_lat none = { .min = 3, .max = 4 };

	(void)state;
	assert_int_equal(span_percentile(&l, 999999998), 12);
	assert_int_equal(span_percentile(&l, 999999999), 20);
	count[0]++;
	count[1]--;
	assert_int_equal(span_percentile(&l, 999999999), 12);
	assert_int_equal(span_percentile(&l, SPAN_ALL - 0), 25);
	assert_int_equal(span_percentile(&none, 500000000), 0);
	l.bins.n = 0;
	assert_int_equal(span_percentile(&l, 500000000), 25);
}

/* Minimum and maximum are exact although a bucket has only its middle. */
static void test_percentile_ends(void **state)
{
	uint64_t ns[] = { 100, 200, 300 }, count[] = { 5, 990, 5 };
	struct span_lat l = { .n = 1000, .min = 97, .max = 309, .bins = { ns, count, 3 } };

	(void)state;
	assert_int_equal(span_percentile(&l, 1000000), 97);
	assert_int_equal(span_percentile(&l, 1000001), 100);
	assert_int_equal(span_percentile(&l, 999000000), 300);
	assert_int_equal(span_percentile(&l, 999000001), 309);
	assert_int_equal(span_percentile(&l, 999999000), 309);
	assert_int_equal(span_percentile(&l, 999999999), 309);
}

static void test_needs(void **state)
{
	(void)state;
	assert_int_equal(span_samples_needed(0), 1);
	assert_int_equal(span_samples_needed(SPAN_ALL), 1);
	assert_int_equal(span_samples_needed(500000000), 2);
	assert_int_equal(span_samples_needed(950000000), 20);
	assert_int_equal(span_samples_needed(999000000), 1000);
	assert_int_equal(span_samples_needed(999999999), 1000000000);
}

static void add_span(struct result *r, double seconds, uint64_t reads)
{
	char path[] = "file";
	struct span_row row[2] = { { .path = path, .size = 1 }, { .path = path, .size = 2 } };
	struct span_thread thread[2] = { { .id = 0, .rows = row, .nrows = 2, .submits = 10 },
					 { .id = 1, .rows = row, .nrows = 1 } };
	struct result_span s = { .number = 1, .seconds = seconds, .threads = thread, .nthreads = 2 };

	for (unsigned i = 0; i < 2; i++) {
		row[i].flow[SPAN_READ] = (struct span_flow){ .ios = reads, .bytes = reads << 20 };
		row[i].flow[SPAN_WRITE] = (struct span_flow){ .ios = 1, .bytes = 1 << 20 };
		row[i].flow[SPAN_TOTAL].ios = 12345; /* is set, not increased */
	}
	result_add_span(r, &s);
	memset(path, 'x', sizeof(path) - 1);
	memset(row, 0, sizeof(row));
	memset(thread, 0, sizeof(thread));
}

static void test_sums(void **state)
{
	const struct result_spans head = { .command = "x" };
	struct result r;

	(void)state;
	result_init(&r, "p", "1", "2");
	result_set_spans(&r, &head);
	for (unsigned i = 0; i < 9; i++)
		add_span(&r, 2, 9);
	add_span(&r, 0, 9);
	result_finish(&r);
	result_finish(&r);
	assert_false(r.failed);
	assert_int_equal(r.spans->nspans, 10);
	assert_string_equal(r.spans->spans[0]->threads[1].rows[0].path, "file");
	assert_int_equal(r.spans->spans[0]->threads[0].rows[1].flow[SPAN_TOTAL].ios, 10);
	assert_int_equal(r.spans->spans[0]->flow[SPAN_TOTAL].bytes, 30 << 20);
	assert_true(r.spans->spans[0]->flow[SPAN_TOTAL].mib_s == 15);
	assert_true(r.spans->spans[0]->flow[SPAN_READ].iops_s == 13.5);
	assert_true(r.spans->spans[0]->threads[0].submits_s == 5);
	assert_true(r.spans->spans[9]->flow[SPAN_READ].iops_s == 0);
	assert_int_equal(r.spans->flow[SPAN_READ].ios, 270);
	assert_true(r.spans->seconds == 18);
	assert_true(r.spans->flow[SPAN_READ].iops_s == 15);
	result_free(&r);
}

/* Adding a span to a result without a head is an error. */
static void test_no_head(void **state)
{
	struct result r;

	(void)state;
	result_init(&r, "p", "1", "2");
	add_span(&r, 1, 1);
	assert_true(r.failed);
	result_finish(&r);
	result_free(&r);
}

int unit_spans(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(test_percentile),
					    cmocka_unit_test(test_percentile_exact),
					    cmocka_unit_test(test_percentile_ends),
					    cmocka_unit_test(test_needs),
					    cmocka_unit_test(test_sums),
					    cmocka_unit_test(test_no_head) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
