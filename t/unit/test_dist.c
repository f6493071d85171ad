/* Do zones get their shares of random I/O? Bounds are five sigma. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>
#include "offset.h"

#define K           1024u
#define DRAWS       200000u
#define COUNT(list) (sizeof(list) / sizeof((list)[0]))

struct row {
	bool absolute;
	uint64_t slots, align;
	unsigned n;
	struct dist_zone zone[4];
	uint64_t first[5]; /* first offsets of the zones, worked out by hand, and the end of the last */
};

/* clang-format off */
static const struct row rows[] = {
	{ false, 4096, 4096, 2, { { 60, 10 }, { 40, 100 } }, { 0, 409, 4096 } },
	{ false, 4096, 4096, 4, { { 60, 10 }, { 30, 30 }, { 8, 60 }, { 2, 100 } }, { 0, 409, 1228, 2457, 4096 } },
	{ false, 1000, 512, 3, { { 50, 5 }, { 0, 50 }, { 50, 55 } }, { 0, 50, 500, 550 } },
	{ false, (uint64_t)1 << 50, 4096, 2, { { 1, 99 }, { 99, 100 } },
	  { 0, ((uint64_t)1 << 50) / 100 * 99 + ((uint64_t)1 << 50) % 100 * 99 / 100, (uint64_t)1 << 50 } },
	{ true, 4096, 4096, 2, { { 60, 1024 * K }, { 40, UINT64_MAX } }, { 0, 256, 4096 } },
	{ true, 4096, 4096, 2, { { 30, 6 * K }, { 70, 10 * K } }, { 0, 2, 3 } },
	{ true, 100, 4096, 2, { { 30, 4096 * 99 }, { 70, 4096 * 300 } }, { 0, 99, 100 } },
};
/* clang-format on */

static struct dist_cfg *config(const struct row *row)
{
	struct dist_cfg *c = calloc(1, sizeof(*c));

	assert_non_null(c);
	c->absolute = row->absolute;
	for (unsigned dir = 0; dir < DIR_DATA; dir++) {
		c->dir[dir].n = row->n;
		for (unsigned i = 0; i < row->n; i++)
			c->dir[dir].zone[i] = row->zone[i];
		dist_prepare(&c->dir[dir]);
	}
	return c;
}

/* True if k of n draws agree with a share of p, within five sigma of the binomial distribution. */
static bool plausible(uint64_t seen, uint64_t n, double p)
{
	return fabs((double)seen - (double)n * p) <= 5 * sqrt((double)n * p * (1 - p)) + 1e-9;
}

/* Each zone gets its share of the draws, and each half of a zone half of them. */
static void test_shares(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++) {
		const struct row *row = &rows[i];
		struct dist_cfg *c = config(row);
		uint64_t seen[4] = { 0 }, low[4] = { 0 };
		struct rng r;

		rng_init(&r, 5);
		for (unsigned k = 0; k < DRAWS; k++) {
			uint64_t at = dist_draw(c, DIR_WRITE, row->slots, row->align, 100, &r);
			unsigned zone = 0;

			assert_true(at < row->first[row->n]);
			while (at >= row->first[zone + 1])
				zone++;
			seen[zone]++;
			low[zone] += at < (row->first[zone] + row->first[zone + 1]) / 2;
		}
		for (unsigned z = 0; z < row->n; z++) {
			uint64_t size = row->first[z + 1] - row->first[z];

			if (!plausible(seen[z], DRAWS, row->zone[z].access / 100.0))
				fail_msg("row %zu, zone %u: %lu of %u", i, z, seen[z], DRAWS);
			if (size % 2 == 0 && !plausible(low[z], seen[z], 0.5))
				fail_msg("row %zu, zone %u: %lu of %lu in its lower half", i, z, low[z],
					 seen[z]);
		}
		free(c);
	}
}

/* If the range is smaller than the zones, all draws are inside. */
static void test_small(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++) {
		struct dist_cfg *c = config(&rows[i]);
		struct rng r;

		rng_init(&r, 5);
		for (uint64_t slots = 1; slots < 20; slots++)
			for (unsigned k = 0; k < 100; k++)
				assert_true(dist_draw(c, DIR_READ, slots, 4096, 100, &r) < slots);
		free(c);
	}
}

/* A direction without zones is uniform, in a job too, with or without norandommap. */
static void test_directions(void **state)
{
	struct dist_cfg *c = config(&rows[2]);
	struct offset_cfg o = { .rw = RW_READ | RW_WRITE | RW_RANDOM, .rw_nr = 1, .dist = c };
	struct offset_gen g;
	uint64_t offset, beyond = 0;
	uint32_t len;

	(void)state;
	c->dir[DIR_READ].n = 0;
	for (unsigned d = 0; d < DIR_DATA; d++) {
		o.bsize.lo[d] = o.bsize.hi[d] = 4096;
		o.random_percent[d] = 100;
	}
	offset_init(&g, &o, 0, 1000 * 4096, 3);
	assert_int_equal(g.kind, OFFSET_UNIFORM);
	for (unsigned k = 0; k < 5000; k++) {
		assert_true(offset_next(&g, DIR_READ, &offset, &len));
		beyond += offset >= 550 * 4096;
		assert_true(offset_next(&g, DIR_WRITE, &offset, &len));
		assert_true(offset < 50 * 4096 || (offset >= 500 * 4096 && offset < 550 * 4096));
	}
	assert_true(plausible(beyond, 5000, 0.45));
	free(c);
}

/* A sequence repeats its blocks; with a stride each cycle lies behind the one before, while it fits. */
static void test_sequence(void **state)
{
	static const uint64_t want[2][9] = { { 5, 0, 2, 5, 0, 2, 5, 0, 2 }, { 5, 0, 2, 11, 6, 8, 5, 0, 2 } };
	struct dist_cfg *c = calloc(1, sizeof(*c));
	struct offset_cfg o = { .rw = RW_READ | RW_RANDOM, .rw_nr = 1, .dist = c };
	struct offset_gen g;
	uint64_t offset;
	uint32_t len;

	(void)state;
	assert_non_null(c);
	c->kind = DIST_SEQUENCE;
	c->sequence_n = 3;
	c->sequence[0] = 5;
	c->sequence[2] = 2;
	c->sequence_blocks = 6;
	for (unsigned d = 0; d < DIR_DATA; d++) {
		o.bsize.lo[d] = o.bsize.hi[d] = 4096;
		o.random_percent[d] = 100;
	}
	for (unsigned stride = 0; stride < 2; stride++) {
		o.sequence_stride = stride;
		offset_init(&g, &o, 8192, 17 * 4096, 3);
		for (unsigned k = 0; k < 9; k++) {
			assert_true(offset_next(&g, DIR_READ, &offset, &len));
			assert_int_equal(offset, 8192 + want[stride][k] * 4096);
		}
		offset_restart(&g, true);
		assert_true(offset_next(&g, DIR_READ, &offset, &len));
		assert_int_equal(offset, 8192 + 5 * 4096);
	}
	free(c);
}

static void test_reach(void **state)
{
	static const uint64_t reach[] = { 0, 0, 0, 0, 0, 10 * K, 4096 * 300 };

	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++) {
		struct dist_cfg *c = config(&rows[i]);

		assert_int_equal(dist_end(c, DIR_READ), reach[i]);
		free(c);
	}
}

/* diskspd -rdabs90/10G:0/10G:5/20G is one range over the whole file on 1 GiB. On 25 GiB 90 of the remaining
   95 parts go to the first 10 GiB (diskspd.md 1.3), and none to the hole. */
static void test_clip(void **state)
{
	const uint64_t g = (uint64_t)1 << 30;
	struct dist_cfg c = { .absolute = true, .clip = true };
	static const struct dist_zone zones[] = { { 90, (uint64_t)10 << 30 },
						  { 0, (uint64_t)20 << 30 },
						  { 5, (uint64_t)40 << 30 },
						  { 5, UINT64_MAX } };
	uint64_t slots = 25 * g / 4096, first = 0, hole = 0;
	struct rng r;

	(void)state;
	c.dir[DIR_READ].n = COUNT(zones);
	for (unsigned i = 0; i < COUNT(zones); i++)
		c.dir[DIR_READ].zone[i] = zones[i];
	dist_prepare(&c.dir[DIR_READ]);
	assert_int_equal(dist_accesses(&c, DIR_READ, g), 90);
	assert_int_equal(dist_accesses(&c, DIR_READ, 10 * g), 90);
	assert_int_equal(dist_accesses(&c, DIR_READ, 20 * g + 1), 95);
	assert_int_equal(dist_accesses(&c, DIR_READ, 41 * g), 100);
	rng_init(&r, 9);
	for (unsigned k = 0; k < 10000; k++) {
		uint64_t at = dist_draw(&c, DIR_READ, slots, 4096, 95, &r) * 4096;

		assert_true(dist_draw(&c, DIR_READ, g / 4096, 4096, 90, &r) < g / 4096);
		first += at < 10 * g;
		hole += at >= 10 * g && at < 20 * g;
	}
	assert_true(plausible(first, 10000, 90.0 / 95));
	assert_int_equal(hole, 0);
	c.clip = false;
	assert_int_equal(dist_accesses(&c, DIR_READ, g), 100);
}

/* A zone smaller than a block: the block in which it begins gets its accesses, with clip a neighbouring zone.
   first and rest are the shares of block 0 and of each block behind it, by this definition. */
static void test_less_than_block(void **state)
{
	static const struct {
		bool absolute, clip;
		struct dist_zone zone[3];
		double first, rest;
	} cases[] = {
		{ false, false, { { 50, 1 }, { 30, 100 }, { 20, 100 } }, .5 + .3 / 64, .3 / 64 },
		{ false, true, { { 50, 1 }, { 50, 100 }, { 0, 100 } }, 1. / 64, 1. / 64 },
		{ false, false, { { 40, 1 }, { 40, 2 }, { 20, 100 } }, .8, .2 / 63 },
		{ true, false, { { 25, 4 * K }, { 25, 8 * K }, { 50, 1024 * K } }, .5, .5 / 63 },
		{ true, false, { { 25, 4 * K }, { 25, 4 * K }, { 50, 1024 * K } }, .5, .5 / 63 },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++) {
		struct row row = { cases[i].absolute, 64, 16 * K, 3, { { 0, 0 } }, { 0 } };
		uint64_t seen[64] = { 0 };
		struct dist_cfg *c;
		struct rng r;

		memcpy(row.zone, cases[i].zone, sizeof(cases[i].zone));
		c = config(&row);
		c->clip = cases[i].clip;
		rng_init(&r, 5);
		for (unsigned k = 0; k < DRAWS; k++)
			seen[dist_draw(c, DIR_READ, 64, 16 * K, 100, &r)]++;
		if (!plausible(seen[0], DRAWS, cases[i].first))
			fail_msg("case %zu: block 0 has %lu of %u", i, seen[0], DRAWS);
		for (unsigned k = 1; k < 63; k++) /* the last block has more in the first case */
			if (!plausible(seen[k], DRAWS, cases[i].rest))
				fail_msg("case %zu: block %u has %lu of %u", i, k, seen[k], DRAWS);
		free(c);
	}
}

int unit_dist(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_shares),
		cmocka_unit_test(test_small),
		cmocka_unit_test(test_clip),
		cmocka_unit_test(test_directions),
		cmocka_unit_test(test_reach),
		cmocka_unit_test(test_sequence),
		cmocka_unit_test(test_less_than_block),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
