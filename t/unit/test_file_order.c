/* In which order do the files of a job get their I/Os? */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <string.h>
#include "file_order.h"

#define LEN(a) (sizeof(a) / sizeof((a)[0]))

/* Does all I/Os of files with these numbers of I/Os, and writes the order of files down: one digit per I/O.
 */
static void serve(const struct file_order_cfg *cfg, uint32_t files, uint32_t each, char *out)
{
	uint32_t left[10];
	struct file_order s;
	uint32_t i, tried = 0;

	assert_true(file_order_init(&s, cfg, files, 42));
	for (i = 0; i < files; i++)
		left[i] = each;
	for (i = s.next; tried < files;) {
		if (!left[i]) {
			i = file_order_done(&s, i);
			tried++;
			continue;
		}
		left[i]--;
		*out++ = (char)('0' + i);
		file_order_advance(&s, i);
		i = s.next;
		tried = 0;
	}
	*out = '\0';
	file_order_fini(&s);
}

static const struct {
	struct file_order_cfg cfg;
	uint32_t files, each;
	const char *order;
} orders[] = {
	{ { FILE_ORDER_ROUNDROBIN, 0 }, 3, 2, "012012" },    { { FILE_ORDER_ROUNDROBIN, 1 }, 3, 2, "012012" },
	{ { FILE_ORDER_ROUNDROBIN, 2 }, 3, 3, "001122012" }, { { FILE_ORDER_ROUNDROBIN, 5 }, 2, 3, "000111" },
	{ { FILE_ORDER_SEQUENTIAL, 1 }, 3, 2, "001122" },    { { FILE_ORDER_SEQUENTIAL, 2 }, 2, 3, "000111" },
	{ { FILE_ORDER_RANDOM, 1 }, 1, 3, "000" },
};

static void test_orders(void **state)
{
	char got[64];

	(void)state;
	for (size_t i = 0; i < LEN(orders); i++) {
		serve(&orders[i].cfg, orders[i].files, orders[i].each, got);
		assert_string_equal(got, orders[i].order);
	}
}

/* Each I/O comes once, N in a row, in the same order for the same seed. */
static void test_random(void **state)
{
	char got[2048], again[2048];

	(void)state;
	for (uint32_t n = 1; n < 5; n++) {
		struct file_order_cfg cfg = { FILE_ORDER_RANDOM, n };
		unsigned count[10] = { 0 };

		serve(&cfg, 10, 12, got);
		serve(&cfg, 10, 12, again);
		assert_string_equal(got, again);
		assert_int_equal(strlen(got), 120);
		for (size_t i = 0; got[i]; i++)
			count[got[i] - '0']++;
		for (size_t i = 0; i < 10; i++)
			assert_int_equal(count[i], 12);
		for (size_t i = 0; i < 120; i += n) /* 12 is a multiple of each n */
			for (size_t k = 1; k < n; k++)
				assert_int_equal(got[i], got[i + k]);
	}
}

/* Equal weights: of 6000 draws over 6 files each gets about 1000. */
static void test_even(void **state)
{
	const struct file_order_cfg cfg = { FILE_ORDER_RANDOM, 1 };
	unsigned count[6] = { 0 };
	struct file_order s;

	(void)state;
	assert_true(file_order_init(&s, &cfg, 6, 7));
	for (unsigned i = 0; i < 6000; i++) {
		count[s.next]++;
		file_order_advance(&s, s.next);
	}
	for (unsigned i = 0; i < 6; i++)
		assert_in_range(count[i], 850, 1150);
	file_order_fini(&s);
}

/* Weights 3 to 1 to 6. When a file is done the others keep their ratio. */
static void test_weights(void **state)
{
	static const uint32_t weight[] = { 300, 100, 600, 7000 };
	const struct file_order_cfg cfg = { FILE_ORDER_RANDOM, 1 };
	unsigned count[4];
	struct file_order s;

	(void)state;
	assert_true(file_order_init(&s, &cfg, 4, 7));
	assert_true(file_order_set_weights(&s, weight));
	for (unsigned round = 0; round < 3; round++) {
		if (round == 1)
			file_order_restart(&s);
		if (round < 2)
			file_order_done(&s, 3);
		if (round == 2)
			file_order_done(&s, 0);
		memset(count, 0, sizeof(count));
		for (unsigned i = 0; i < 10000; i++) {
			count[s.next]++;
			file_order_advance(&s, s.next);
		}
		assert_int_equal(count[3], 0);
		if (round < 2)
			assert_in_range(count[0], 2800, 3200);
		else
			assert_int_equal(count[0], 0);
		assert_in_range(count[1], round < 2 ? 850 : 1250, round < 2 ? 1150 : 1600);
	}
	file_order_done(&s, 2);
	assert_int_equal(s.next, 1);
	file_order_done(&s, 1);
	file_order_fini(&s);
}

/* A busy file is skipped, and the file that takes its place has a whole turn. */
static void test_busy(void **state)
{
	const struct file_order_cfg cfg = { FILE_ORDER_ROUNDROBIN, 2 };
	struct file_order s;

	(void)state;
	assert_true(file_order_init(&s, &cfg, 3, 7));
	file_order_advance(&s, 1);
	assert_int_equal(s.next, 1);
	file_order_advance(&s, 1);
	assert_int_equal(s.next, 2);
	file_order_restart(&s);
	assert_int_equal(s.next, 0);
	file_order_fini(&s);
}

/* Both halves of an I/O go to the same file and count as one. */
static void test_halves(void **state)
{
	(void)state;
	for (uint32_t n = 1; n < 4; n++) {
		const struct file_order_cfg cfg = { FILE_ORDER_ROUNDROBIN, n };
		struct file_order s;

		assert_true(file_order_init(&s, &cfg, 3, 7));
		for (uint32_t i = 0; i < 6 * n; i++) {
			uint32_t file = s.next;

			assert_int_equal(file, i / n % 3);
			file_order_advance(&s, file);
			file_order_repeat(&s, file);
			assert_int_equal(s.next, file);
			file_order_advance(&s, file);
		}
		file_order_fini(&s);
	}
}

int unit_file_order(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_orders), cmocka_unit_test(test_random), cmocka_unit_test(test_even),
		cmocka_unit_test(test_busy),   cmocka_unit_test(test_halves), cmocka_unit_test(test_weights),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
