/* scale: fractions of numbers whose product exceeds 64 bits, worked out by hand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "scale.h"

#define MAX UINT64_MAX

static const struct {
	uint64_t v, num, den, down, near;
} rows[] = {
	{ 0, 1000000000, 7, 0, 0 },
	{ 5, 1, 2, 2, 3 },
	{ 7, 1, 3, 2, 2 },
	{ 8, 1, 3, 2, 3 },
	{ 1ull << 40, SCALE_NS, SCALE_NS, 1ull << 40, 1ull << 40 },
	{ MAX, 99, 100, 18262276632972456098ull, 18262276632972456099ull }, /* ...098.85 */
	{ MAX, MAX, MAX, MAX, MAX },
	{ MAX, 2, 1, MAX, MAX },
	{ MAX, MAX, 1, MAX, MAX },
	{ MAX, 3, 2, MAX, MAX },
};

static void scales(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		assert_int_equal(scale(rows[i].v, rows[i].num, rows[i].den), rows[i].down);
		assert_int_equal(scale_round(rows[i].v, rows[i].num, rows[i].den), rows[i].near);
	}
}

/* The parts of any division add up to the whole. */
static void parts_add_up(void **state)
{
	static const uint64_t of[] = { 1, 2, 3, 7, 64, 1000 }, v[] = { 0, 1, 5, 999, 1ull << 63, MAX };

	(void)state;
	for (size_t i = 0; i < sizeof(of) / sizeof(of[0]); i++) {
		for (size_t k = 0; k < sizeof(v) / sizeof(v[0]); k++) {
			uint64_t singly = 0, third = of[i] / 3;

			for (uint64_t at = 0; at < of[i]; at++)
				singly += scale_part(v[k], at, at + 1, of[i]);
			assert_int_equal(singly, v[k]);
			assert_int_equal(scale_part(v[k], 0, third, of[i]) +
						 scale_part(v[k], third, of[i], of[i]),
					 v[k]);
			assert_int_equal(scale_part(v[k], third, third, of[i]), 0);
		}
	}
}

int unit_scale(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(scales),
		cmocka_unit_test(parts_add_up),
	};

	return cmocka_run_group_tests_name("scale", tests, NULL, NULL);
}
