/* Do offsets drawn in bulk equal those drawn one by one? */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include "mix.h"
#include "offset.h"

#define K           1024u
#define RW          (RW_READ | RW_WRITE)
#define COUNT(list) (sizeof(list) / sizeof((list)[0]))
#define MOST        64u

static struct offset_cfg config(unsigned rw, uint32_t bytes)
{
	struct offset_cfg c = { .rw = rw, .rw_nr = 1 };

	for (unsigned d = 0; d < DIR_DATA; d++) {
		c.bsize.lo[d] = c.bsize.hi[d] = bytes;
		c.random_percent[d] = 100;
	}
	return c;
}

/* Two passes in parts of `part` equal the same passes one I/O at a time. */
static void compare(const struct offset_cfg *c, uint64_t size, unsigned part)
{
	struct offset_gen parts, one;
	uint64_t offset[MOST], want, left = 3 * size / (4 * K);
	uint32_t len;

	offset_init(&parts, c, 7 * K, size, 5);
	offset_init(&one, c, 7 * K, size, 5);
	assert_true(offset_has_bulk(&parts, c->rw & RW_DIRS));
	for (unsigned pass = 0; pass < 2; pass++) {
		unsigned n;

		while (left && (n = offset_next_bulk(&parts, DIR_READ, offset, part))) {
			assert_in_range(n, 1, part);
			for (unsigned i = 0; i<n; i++, left -= left> 0) {
				assert_true(offset_next(&one, DIR_READ, &want, &len));
				assert_int_equal(offset[i], want);
				assert_int_equal(len, 4 * K);
			}
		}
		if (left)
			assert_false(offset_next(&one, DIR_READ, &want, &len));
		offset_restart(&parts, true);
		offset_restart(&one, true);
	}
}

static void test_same_order(void **state)
{
	static const unsigned parts[] = { 1, 3, 32, 63, MOST };
	static const uint64_t blocks[] = { 1, 2, 63, 64, 65, 100, 256, 1000, 4096 };

	(void)state;
	for (size_t p = 0; p < COUNT(parts); p++) {
		for (size_t b = 0; b < COUNT(blocks); b++) {
			struct offset_cfg random = config(RW | RW_RANDOM, 4 * K), any = random;
			struct offset_cfg order = config(RW_READ, 4 * K);

			any.rw = RW_READ | RW_RANDOM;
			any.norandommap = true;
			compare(&random, blocks[b] * 4 * K + K, parts[p]);
			compare(&order, blocks[b] * 4 * K + K, parts[p]);
			compare(&any, blocks[b] * 4 * K + K, parts[p]);
		}
	}
}

/* If directions have their own positions, or sizes differ, the generator must draw one I/O at a time. */
static void test_who_takes(void **state)
{
	struct offset_cfg c = config(RW, 4 * K);
	struct offset_gen g;

	(void)state;
	offset_init(&g, &c, 0, 64 * K, 1);
	assert_false(offset_has_bulk(&g, RW));
	assert_true(offset_has_bulk(&g, RW_WRITE));
	c.rw |= RW_RANDOM;
	c.bsize.hi[DIR_WRITE] = 8 * K;
	offset_init(&g, &c, 0, 64 * K, 1);
	assert_false(offset_has_bulk(&g, RW));
	c = config(RW_READ, 4 * K);
	c.rw_stride = 4 * K;
	offset_init(&g, &c, 0, 64 * K, 1);
	assert_false(offset_has_bulk(&g, RW_READ));
	c = config(RW_TRIM | RW_WRITE | RW_TRIMWRITE | RW_RANDOM, 4 * K);
	offset_init(&g, &c, 0, 64 * K, 1);
	assert_false(offset_has_bulk(&g, RW_TRIM));
}

/* A range smaller than one block has no offsets. */
static void test_no_room(void **state)
{
	static const unsigned rws[] = { RW_READ, RW_READ | RW_RANDOM };
	uint64_t offset[MOST];
	struct offset_gen g;
	uint32_t len;

	(void)state;
	for (size_t i = 0; i < COUNT(rws); i++) {
		for (unsigned map = 0; map < 2; map++) {
			struct offset_cfg c = config(rws[i], 4 * K);

			c.norandommap = map;
			offset_init(&g, &c, 0, 3 * K, 1);
			assert_int_equal(offset_next_bulk(&g, DIR_READ, offset, MOST), 0);
			assert_false(offset_next(&g, DIR_READ, offset, &len));
		}
	}
}

int unit_offset_bulk(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_same_order),
		cmocka_unit_test(test_who_takes),
		cmocka_unit_test(test_no_room),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
