/* Does a permutation use each number once, and is it the same in each implementation? */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdbool.h>
#include <stdlib.h>
#include "permute.h"
#include "rng.h"

static const uint64_t sizes[] = { 1,      2,   3,   4,   5,   6,    7,    8,     63,       64,
				  65,     100, 127, 128, 251, 1009, 4096, 65537, 1u << 20, (1u << 20) + 1,
				  1299709 };

/* Draws a whole pass; false if a number comes twice, lies outside, or is missing. */
static bool covers(struct permute *p)
{
	unsigned char *seen = calloc(1, p->n);
	uint64_t v, count = 0;
	bool ok = true;

	assert_non_null(seen);
	while ((v = permute_next(p)) != UINT64_MAX && ok) {
		ok = v < p->n && !seen[v];
		if (ok)
			seen[v] = 1;
		count++;
	}
	free(seen);
	return ok && count == p->n;
}

static void test_every_number_once(void **state)
{
	struct permute p;

	(void)state;
	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		for (uint64_t key = 0; key < 3; key++) {
			permute_init(&p, sizes[i], key);
			assert_true(covers(&p));
			assert_int_equal(permute_next(&p), UINT64_MAX);
			permute_restart(&p, key + 100);
			assert_true(covers(&p));
		}
	}
	for (uint64_t n = 1; n < 700; n++) {
		permute_init(&p, n, n);
		assert_true(covers(&p));
	}
}

static void test_nothing(void **state)
{
	struct permute p;

	(void)state;
	permute_init(&p, 0, 1);
	assert_int_equal(permute_next(&p), UINT64_MAX);
}

/* Evaluates one point by the definition; every way of evaluating a batch must give these numbers. */
static uint64_t move(uint64_t x, uint64_t y, uint64_t size, uint64_t key)
{
	uint32_t h = ((uint32_t)y ^ (uint32_t)key) * 0x9e3779b1u;

	h ^= (h >> 15) ^ (uint32_t)(key >> 32);
	h *= 0x85ebca77u;
	return (x + (((uint64_t)h * size) >> 32)) % size;
}

static uint64_t by_the_book(const struct permute *p, uint64_t point)
{
	uint64_t row = point / p->b, col = point % p->b;

	row = move(row, col, p->a, p->key[0]);
	col = move(col, row, p->b, p->key[1]);
	row = move(row, col, p->a, p->key[2]);
	col = move(col, row, p->b, p->key[3]);
	return row * p->b + col;
}

static void test_against_the_book(void **state)
{
	static const uint64_t large[] = {
		10, 1000, 1299709, 7864320, (uint64_t)1 << 40, 0x123456789abcdefu, (uint64_t)1 << 62
	};
	struct permute p;

	(void)state;
	for (size_t i = 0; i < sizeof(large) / sizeof(large[0]); i++) {
		uint64_t point = 0;

		permute_init(&p, large[i], 42 + i);
		for (unsigned k = 0; k < 1000 && k < large[i]; k++) {
			uint64_t expect;

			while ((expect = by_the_book(&p, point++)) >= p.n)
				;
			assert_int_equal(permute_next(&p), expect);
		}
	}
}

static void test_recorded(void **state)
{
	static const uint64_t recorded[] = { 316135, 385137, 999621, 82840, 28039, 203739, 606084, 309349 };
	struct permute p;

	(void)state;
	permute_init(&p, 1000000, 1);
	for (size_t i = 0; i < sizeof(recorded) / sizeof(recorded[0]); i++)
		assert_int_equal(permute_next(&p), recorded[i]);
}

/* The mean distance of successive numbers is a third of the range, as for independent uniform numbers. */
static void test_far_apart(void **state)
{
	const uint64_t n = 200000;
	uint64_t v, last = 0, sum = 0;
	struct permute p;

	(void)state;
	permute_init(&p, n, 9);
	while ((v = permute_next(&p)) != UINT64_MAX) {
		sum += v > last ? v - last : last - v;
		last = v;
	}
	assert_in_range(sum / n, n * 32 / 100, n * 35 / 100);
}

static void test_keys_differ(void **state)
{
	struct permute a, b;
	unsigned same = 0;

	(void)state;
	permute_init(&a, 100000, 1);
	permute_init(&b, 100000, 2);
	for (unsigned i = 0; i < 1000; i++)
		same += permute_next(&a) == permute_next(&b);
	assert_in_range(same, 0, 10);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_every_number_once), cmocka_unit_test(test_nothing),
		cmocka_unit_test(test_against_the_book),  cmocka_unit_test(test_recorded),
		cmocka_unit_test(test_far_apart),         cmocka_unit_test(test_keys_differ),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
