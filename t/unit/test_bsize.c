/* Are block sizes drawn in the requested shares, and within their range? */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include "bsize.h"

#define K 1024u

static const struct {
	struct bsize_cfg cfg;
	unsigned dirs;
	uint32_t min, max;
	bool fixed;
} extents[] = {
	/* clang-format off */
	{ { .lo = { 4 * K }, .hi = { 4 * K } }, RW_READ, 4 * K, 4 * K, true },
	{ { .lo = { 4 * K, 8 * K }, .hi = { 4 * K, 8 * K } }, RW_READ, 4 * K, 4 * K, true },
	{ { .lo = { 4 * K, 8 * K }, .hi = { 4 * K, 8 * K } }, RW_WRITE, 8 * K, 8 * K, true },
	{ { .lo = { 4 * K, 8 * K }, .hi = { 4 * K, 8 * K } }, RW_READ | RW_WRITE, 4 * K, 8 * K, false },
	{ { .lo = { 4 * K, 2 * K }, .hi = { 16 * K, 2 * K } }, RW_READ | RW_WRITE, 2 * K, 16 * K, false },
	{ { .lo = { 9, 9, 9 }, .hi = { 9, 9, 9 }, .split_n = { 3 },
	    .split = { { { 64 * K, 0 }, { 4 * K, 60 }, { 8 * K, 40 } } } }, RW_READ, 4 * K, 8 * K, false },
	{ { .split_n = { 1 }, .split = { { { 4 * K, 100 } } } }, RW_READ, 4 * K, 4 * K, true },
	{ { .lo = { 4 * K }, .hi = { 4 * K } }, 0, 0, 0, true },
	/* clang-format on */
};

static void test_extents(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(extents) / sizeof(extents[0]); i++) {
		assert_int_equal(bsize_min(&extents[i].cfg, extents[i].dirs), extents[i].min);
		assert_int_equal(bsize_max(&extents[i].cfg, extents[i].dirs), extents[i].max);
		assert_int_equal(bsize_fixed(&extents[i].cfg, extents[i].dirs), extents[i].fixed);
	}
}

/* Draws 10000 sizes. count[i] is the number of draws of size[i]; together they must be all draws. */
static unsigned draw(const struct bsize_cfg *c, const uint32_t *size, unsigned *count, unsigned n)
{
	struct rng r;
	unsigned known = 0;

	rng_init(&r, 5);
	for (unsigned i = 0; i < 10000; i++) {
		uint32_t len = bsize_draw(c, DIR_READ, &r);

		for (unsigned k = 0; k < n; k++)
			if (len == size[k])
				count[k]++, known++;
	}
	return known;
}

/* As in fio, a range yields multiples of the smallest size, and the largest size itself. */
static void test_range(void **state)
{
	static const struct bsize_cfg even = { .lo = { 4 * K }, .hi = { 16 * K } };
	static const struct bsize_cfg odd = { .lo = { 3 * K }, .hi = { 8 * K } };
	static const uint32_t even_sizes[] = { 4 * K, 8 * K, 12 * K, 16 * K },
			      odd_sizes[] = { 3 * K, 6 * K, 8 * K };
	unsigned count[4] = { 0 }, counts[3] = { 0 };

	(void)state;
	assert_int_equal(draw(&even, even_sizes, count, 4), 10000);
	for (unsigned i = 0; i < 4; i++)
		assert_in_range(count[i], 2300, 2700);
	assert_int_equal(draw(&odd, odd_sizes, counts, 3), 10000);
	for (unsigned i = 0; i < 3; i++)
		assert_in_range(counts[i], 3100, 3560);
}

static void test_split(void **state)
{
	static const struct bsize_cfg c = {
		.split_n = { 4 },
		.split = { { { 512, 10.5 }, { 1000, 0 }, { 4 * K, 59.25 }, { 64 * K, 30.25 } } }
	};
	static const uint32_t sizes[] = { 512, 4 * K, 64 * K };
	unsigned count[3] = { 0 };

	(void)state;
	assert_int_equal(draw(&c, sizes, count, 3), 10000);
	assert_in_range(count[0], 950, 1150);
	assert_in_range(count[1], 5725, 6125);
	assert_in_range(count[2], 2825, 3225);
}

static void test_unaligned(void **state)
{
	static const struct bsize_cfg c = { .lo = { 1000 }, .hi = { 1003 }, .unaligned = true };
	static const uint32_t sizes[] = { 1000, 1001, 1002, 1003 };
	unsigned count[4] = { 0 };

	(void)state;
	assert_int_equal(draw(&c, sizes, count, 4), 10000);
	for (unsigned i = 0; i < 4; i++)
		assert_in_range(count[i], 2300, 2700);
}

static const struct {
	struct bsize_cfg cfg;
	unsigned dirs, max, n;
	struct bsize_share list[3];
} lists[] = {
	/* clang-format off */
	{ { .lo = { 4 * K }, .hi = { 4 * K } }, RW_READ, 3, 1, { { 4 * K, 100, RW_READ } } },
	{ { .lo = { 8 * K, 4 * K }, .hi = { 8 * K, 4 * K } }, RW_READ | RW_WRITE, 3, 2,
	  { { 4 * K, 100, RW_WRITE }, { 8 * K, 100, RW_READ } } },
	{ { .lo = { 8 * K, 8 * K }, .hi = { 8 * K, 8 * K } }, RW_READ | RW_WRITE, 3, 1,
	  { { 8 * K, 200, RW_READ | RW_WRITE } } },
	{ { .split_n = { 5 },
	    .split = { { { 64 * K, 20 }, { 4 * K, 40 }, { 512, 0 }, { 8 * K, 30 }, { 64 * K, 10 } } } },
	  RW_READ, 3, 3, { { 4 * K, 40, RW_READ }, { 8 * K, 30, RW_READ }, { 64 * K, 30, RW_READ } } },
	{ { .lo = { 9, 8 * K }, .hi = { 99, 8 * K }, .split_n = { 2 },
	    .split = { { { 8 * K, 25 }, { 4 * K, 75 } } } },
	  RW_READ | RW_WRITE, 2, 2, { { 4 * K, 75, RW_READ }, { 8 * K, 125, RW_READ | RW_WRITE } } },
	{ { .split_n = { 3 }, .split = { { { 1, 20 }, { 2, 40 }, { 3, 40 } } } }, RW_READ, 2, 0, { { 0 } } },
	{ { .lo = { 4 * K, 4 * K }, .hi = { 4 * K, 8 * K } }, RW_READ | RW_WRITE, 3, 0, { { 0 } } },
	{ { .lo = { 4 * K, 4 * K }, .hi = { 4 * K, 8 * K } }, RW_READ, 3, 1, { { 4 * K, 100, RW_READ } } },
	/* clang-format on */
};

static void test_list(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(lists) / sizeof(lists[0]); i++) {
		struct bsize_share list[3];

		assert_int_equal(bsize_list(&lists[i].cfg, lists[i].dirs, list, lists[i].max), lists[i].n);
		for (unsigned k = 0; k < lists[i].n; k++) {
			assert_int_equal(list[k].bytes, lists[i].list[k].bytes);
			assert_int_equal(list[k].percent, lists[i].list[k].percent);
			assert_int_equal(list[k].dirs, lists[i].list[k].dirs);
		}
	}
}

static void test_recorded(void **state)
{
	static const struct bsize_cfg c = { .lo = { 512 }, .hi = { 65536 } };
	static const uint32_t recorded[] = { 33792, 59904, 25088, 20992, 22016, 27648, 50176, 24576 };
	struct rng r;

	(void)state;
	rng_init(&r, 1);
	for (size_t i = 0; i < sizeof(recorded) / sizeof(recorded[0]); i++)
		assert_int_equal(bsize_draw(&c, DIR_READ, &r), recorded[i]);
}

int unit_bsize(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_extents),   cmocka_unit_test(test_range),
		cmocka_unit_test(test_split),     cmocka_unit_test(test_list),
		cmocka_unit_test(test_unaligned), cmocka_unit_test(test_recorded),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
