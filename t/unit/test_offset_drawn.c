/* Which blocks has a pass drawn, and which generators can tell? The answers are compared with a set of the
   places that were drawn. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <string.h>
#include "mix.h"
#include "offset.h"

#define K           1024u
#define START       (7 * (uint64_t)K)
#define PLACES      600u /* of 1 KiB */
#define RW          (RW_READ | RW_WRITE)
#define COUNT(list) (sizeof(list) / sizeof((list)[0]))

static struct offset_cfg config(unsigned rw, uint32_t lo, uint32_t hi)
{
	struct offset_cfg c = { .rw = rw, .rw_nr = 1 };

	for (unsigned d = 0; d < DIR_DATA; d++) {
		c.bsize.lo[d] = lo;
		c.bsize.hi[d] = hi;
		c.random_percent[d] = 100;
	}
	return c;
}

static void compare(const struct offset_gen *g, const bool *set)
{
	for (unsigned i = 0; i < PLACES; i++)
		if (offset_has_drawn(g, START + i * K) != set[i])
			fail_msg("%u KiB: %d", i, set[i]);
}

static void add(bool *set, uint64_t offset, uint32_t len)
{
	memset(set + (offset - START) / K, 1, len / K);
}

/* Draws a pass, one I/O at a time or some in bulk, and compares after each call. */
static void compare_pass(struct offset_gen *g, unsigned bulk)
{
	struct mix_cfg half = { 50 };
	bool set[PLACES] = { 0 };
	uint64_t offset[64];
	struct mixer m;
	unsigned n;
	uint32_t len;

	mix_init(&m, &half, g->cfg->rw, 3);
	compare(g, set);
	while (bulk && (n = offset_next_bulk(g, mix_next(&m), offset, bulk))) {
		for (unsigned i = 0; i < n; i++)
			add(set, offset[i], 4 * K);
		compare(g, set);
	}
	while (!bulk && offset_next(g, mix_next(&m), offset, &len)) {
		add(set, offset[0], len);
		compare(g, set);
	}
	compare(g, set);
}

static void test_drawn(void **state)
{
	static const struct {
		unsigned rw;
		uint32_t lo, hi;
		unsigned bulk;
	} table[] = {
		{ RW_WRITE, 4 * K, 4 * K, 0 },
		{ RW_WRITE, 4 * K, 4 * K, 5 },
		{ RW_WRITE, K, 16 * K, 0 },
		{ RW_TRIM, 4 * K, 4 * K, 0 },
		{ RW_WRITE | RW_RANDOM, 4 * K, 4 * K, 0 },
		{ RW_WRITE | RW_RANDOM, 3 * K, 3 * K, 0 },
		{ RW_WRITE | RW_RANDOM, 4 * K, 4 * K, 7 },
		{ RW_WRITE | RW_RANDOM, 4 * K, 4 * K, 64 },
		{ RW | RW_RANDOM, 4 * K, 4 * K, 0 },
		{ RW | RW_RANDOM, 4 * K, 4 * K, 30 },
	};
	static const uint64_t sizes[] = { 0, 3 * K, 4 * K, 256 * K, 300 * K, 511 * K };

	(void)state;
	for (size_t i = 0; i < COUNT(table); i++) {
		for (size_t k = 0; k < COUNT(sizes); k++) {
			struct offset_cfg c = config(table[i].rw, table[i].lo, table[i].hi);
			struct offset_gen g;

			offset_init(&g, &c, START, sizes[k], i);
			assert_true(offset_knows_drawn(&g));
			for (unsigned pass = 0; pass < 3; pass++) {
				compare_pass(&g, table[i].bulk);
				offset_restart(&g, pass == 0);
			}
		}
	}
}

/* The write of a trimwrite pair counts as drawn with its trim. */
static void test_trimwrite(void **state)
{
	static const unsigned rws[] = { RW_TRIM | RW_WRITE | RW_TRIMWRITE,
					RW_TRIM | RW_WRITE | RW_TRIMWRITE | RW_RANDOM };
	uint32_t len;

	(void)state;
	for (size_t i = 0; i < COUNT(rws); i++) {
		struct offset_cfg c = config(rws[i], 4 * K, 4 * K);
		bool set[PLACES] = { 0 };
		struct offset_gen g;
		uint64_t offset;

		offset_init(&g, &c, START, 512 * K, 5);
		assert_true(offset_knows_drawn(&g));
		while (offset_next(&g, DIR_TRIM, &offset, &len)) {
			add(set, offset, len);
			compare(&g, set);
			assert_true(offset_next(&g, DIR_WRITE, &offset, &len));
			compare(&g, set);
		}
		assert_true(set[0] && set[511] && !set[512]);
	}
}

static void test_who_can_tell(void **state)
{
	static const struct dist_cfg dist; /* all blocks equally likely */
	static const struct {
		const char *fact;
		struct offset_cfg change;
		unsigned rw;
		uint32_t hi;
		bool can_tell;
	} table[] = {
		{ "sequential", { 0 }, RW_WRITE, 4 * K, true },
		{ "sequential, both directions", { 0 }, RW, 4 * K, false },
		{ "a stride", { .rw_stride = 4 * K }, RW_WRITE, 4 * K, false },
		{ "it wraps around", { .endless = true }, RW_WRITE, 4 * K, false },
		{ "shared position", { .shared_pos = true }, RW, 4 * K, false },
		{ "random blocks", { 0 }, RW_WRITE | RW_RANDOM, 4 * K, true },
		{ "random blocks, both directions", { 0 }, RW | RW_RANDOM, 4 * K, true },
		{ "several sizes", { 0 }, RW_WRITE | RW_RANDOM, 16 * K, false },
		{ "norandommap", { .norandommap = true }, RW_WRITE | RW_RANDOM, 4 * K, false },
		{ "norandommap, lfsr",
		  { .norandommap = true, .generator = RANDGEN_LFSR },
		  RW_WRITE | RW_RANDOM,
		  4 * K,
		  true },
		{ "a distribution", { .dist = &dist }, RW_WRITE | RW_RANDOM, 4 * K, false },
		{ "blockalign", { .ba = { K, K, K } }, RW_WRITE | RW_RANDOM, 4 * K, false },
		{ "groups", { .rw_nr = 8 }, RW_WRITE | RW_RANDOM, 4 * K, false },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(table); i++) {
		struct offset_cfg c = config(table[i].rw, 4 * K, table[i].hi), change = table[i].change;
		struct offset_gen g;

		change.rw = c.rw;
		change.rw_nr = change.rw_nr ? change.rw_nr : 1;
		change.bsize = c.bsize;
		memcpy(change.random_percent, c.random_percent, sizeof(c.random_percent));
		offset_init(&g, &change, START, 512 * K, 1);
		if (offset_knows_drawn(&g) != table[i].can_tell)
			fail_msg("%s", table[i].fact);
	}
}

int unit_offset_drawn(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_drawn),
		cmocka_unit_test(test_trimwrite),
		cmocka_unit_test(test_who_can_tell),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
