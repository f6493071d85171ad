/* Are priorities drawn in the requested shares? */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <string.h>
#include "prio.h"

#define BE(level)   ((uint16_t)(2 << 13 | (level)))
#define IDLE(level) ((uint16_t)(3 << 13 | (level)))
#define DRAWS       10000

static void add(struct prio_set *s, enum io_dir dir, uint32_t bytes, uint32_t percent, uint16_t value)
{
	s->share[dir][s->shares[dir]++] = (struct prio_share){ bytes, percent, prio_number(s, value) };
}

static void count(const struct prio_set *s, enum io_dir dir, uint32_t bytes, unsigned *n)
{
	struct prio_gen g;

	memset(n, 0, PRIO_NUMBERS * sizeof(*n));
	prio_init(&g, s, 7);
	for (unsigned i = 0; i < DRAWS; i++)
		n[prio_next(&g, dir, bytes)]++;
}

static void test_numbers(void **state)
{
	struct prio_set s = { 0 };

	(void)state;
	assert_int_equal(prio_number(&s, BE(3)), 1);
	assert_int_equal(prio_number(&s, IDLE(0)), 2);
	assert_int_equal(prio_number(&s, BE(3)), 1);
	assert_int_equal(s.n, 3);
	for (uint16_t i = 0; i < 2 * PRIO_ENTRIES - 2; i++)
		assert_int_equal(prio_number(&s, (uint16_t)(BE(0) | (i + 1) << 3)), 3 + i);
	assert_int_equal(s.n, PRIO_NUMBERS);
}

/* Within 4 sigma of the binomial distribution, 200 at most. */
static void test_shares(void **state)
{
	struct prio_set s = { 0 };
	unsigned n[PRIO_NUMBERS];

	(void)state;
	add(&s, DIR_READ, 4096, 30, BE(3));
	add(&s, DIR_READ, 8192, 100, IDLE(0));
	add(&s, DIR_READ, 4096, 20, IDLE(1));
	add(&s, DIR_WRITE, 0, 70, BE(3));
	count(&s, DIR_READ, 4096, n);
	assert_in_range(n[0], 4800, 5200);
	assert_in_range(n[1], 2800, 3200);
	assert_in_range(n[3], 1800, 2200);
	assert_int_equal(n[0] + n[1] + n[3], DRAWS);
	count(&s, DIR_READ, 8192, n);
	assert_int_equal(n[2], DRAWS);
	count(&s, DIR_READ, 512, n);
	assert_int_equal(n[0], DRAWS);
	count(&s, DIR_WRITE, 512, n);
	assert_in_range(n[1], 6800, 7200);
	count(&s, DIR_TRIM, 4096, n);
	assert_int_equal(n[0], DRAWS);
}

static void test_recorded(void **state)
{
	static const char recorded[] = "0011100101100010101101101001100000000011";
	struct prio_set s = { 0 };
	char seen[sizeof(recorded)] = "";
	struct prio_gen g;

	(void)state;
	add(&s, DIR_READ, 0, 40, BE(3));
	prio_init(&g, &s, 1);
	for (unsigned i = 0; i < sizeof(recorded) - 1; i++)
		seen[i] = (char)('0' + prio_next(&g, DIR_READ, 4096));
	assert_string_equal(seen, recorded);
}

int unit_prio(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_numbers),
		cmocka_unit_test(test_shares),
		cmocka_unit_test(test_recorded),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
