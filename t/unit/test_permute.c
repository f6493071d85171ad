/* Does a permutation use each number once, is it the same in each implementation, and which numbers has it
 * drawn? */
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

/* ---- which numbers has a pass drawn? ---- */

/* Draws some numbers and marks them in the set; returns how many there were. */
static uint64_t draw(struct permute *p, uint64_t count, bool *set)
{
	uint64_t drawn = 0, number;

	while (drawn < count && (number = permute_next(p)) != UINT64_MAX) {
		assert_false(set[number]);
		set[number] = true;
		drawn++;
	}
	return drawn;
}

static void compare_drawn(const struct permute *p, const bool *set)
{
	for (uint64_t number = 0; number < p->n; number++)
		if (permute_drawn(p, number) != set[number])
			fail_msg("n %ju, number %ju: %d", (uintmax_t)p->n, (uintmax_t)number, set[number]);
	assert_false(permute_drawn(p, p->n));
	assert_false(permute_drawn(p, UINT64_MAX));
}

/* Compares after steps of this many draws, until the pass is over, and at the start of another pass. */
static void compare_pass(uint64_t n, uint64_t key, uint64_t step)
{
	bool *set = calloc(n + 1, sizeof(*set));
	struct permute p;

	assert_non_null(set);
	permute_init(&p, n, key);
	compare_drawn(&p, set);
	while (draw(&p, step, set)) {
		compare_drawn(&p, set);
		if (p.batch_pos == p.batch_len && permute_ready(&p))
			compare_drawn(&p, set);
	}
	for (uint64_t number = 0; number < n; number++)
		assert_true(set[number]);
	permute_restart(&p, key + 1);
	assert_false(permute_drawn(&p, 0));
	free(set);
}

static void test_drawn(void **state)
{
	(void)state;
	for (uint64_t n = 0; n <= 2000; n++)
		compare_pass(n, n * 7, n / 4 + 1);
	for (uint64_t n = 1; n <= 200; n++)
		compare_pass(n, n, 1);
	compare_pass(1009, 3, 1);
	compare_pass(1009, 3, 64);
	compare_pass(4096, 3, 63);
	compare_pass(65537, 3, 10007);
	compare_pass(1299709, 3, 649854);
}

/* Of large permutations: drawn numbers lie at growing points before next_point, others behind. */
static void test_drawn_of_large(void **state)
{
	static const uint64_t large[] = { 1299709,           7864320,
					  (uint64_t)1 << 40, 0x123456789abcdefu,
					  (uint64_t)1 << 62, ((uint64_t)1 << 62) - 1 };

	(void)state;
	for (size_t i = 0; i < sizeof(large) / sizeof(large[0]); i++) {
		uint64_t last = 0, number[1000];
		struct permute p, ahead;

		permute_init(&p, large[i], i);
		ahead = p;
		for (unsigned k = 0; k < 1000; k++)
			number[k] = permute_next(&ahead);
		for (unsigned k = 0; k < 1000; k++) {
			uint64_t point = permute_point(&p, number[k]);

			assert_true(k == 0 || point > last);
			assert_int_equal(by_the_book(&p, point), number[k]);
			last = point;
			for (unsigned j = k < 70 ? 0 : k - 70; j < 1000 && j < k + 70; j++)
				assert_int_equal(permute_drawn(&p, number[j]), j < k);
			assert_int_equal(permute_next(&p), number[k]);
		}
	}
}

int unit_permute(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_every_number_once),
		cmocka_unit_test(test_nothing),
		cmocka_unit_test(test_against_the_book),
		cmocka_unit_test(test_recorded),
		cmocka_unit_test(test_far_apart),
		cmocka_unit_test(test_keys_differ),
		cmocka_unit_test(test_drawn),
		cmocka_unit_test(test_drawn_of_large),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
