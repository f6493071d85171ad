/* Do the zones of zonemode=strided take turns, and does random I/O stay inside of them? Sequential offsets
   are recorded from fio 3.33 (write_iolog); random ones are checked against the rules of strided.c. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <string.h>
#include "offset.h"

#define K           1024u
#define START       (64 * (uint64_t)K)
#define COUNT(list) (sizeof(list) / sizeof((list)[0]))

static struct offset_cfg config(unsigned rw, uint32_t bs, uint64_t size, uint64_t range, uint64_t skip)
{
	struct offset_cfg c = { .rw = rw, .rw_nr = 1, .zone = { ZONE_STRIDED, size, range, skip } };

	for (unsigned d = 0; d < DIR_DATA; d++) {
		c.bsize.lo[d] = c.bsize.hi[d] = bs;
		c.random_percent[d] = 100;
	}
	return c;
}

/* Sizes in KiB; offsets in units of 4 KiB. */
static const struct {
	unsigned size_k, range_k, skip_k, stride_k, len_k, n, at[32];
} recorded[] = {
	/* clang-format off */
	{ 16, 16, 16, 0, 64, 16, { 0, 1, 2, 3, 8, 9, 10, 11, 0, 1, 2, 3, 8, 9, 10, 11 } },
	{ 16, 32, 16, 0, 96, 24, { 0, 1, 2, 3, 12, 13, 14, 15, 0, 1, 2, 3, 12, 13, 14, 15, 0, 1, 2, 3, 12, 13, 14, 15 } },
	{ 32, 16, 16, 0, 64, 16, { 0, 1, 2, 3, 0, 1, 2, 3, 8, 9, 10, 11, 8, 9, 10, 11 } },
	{ 20, 16, 16, 0, 64, 16, { 0, 1, 2, 3, 0, 8, 9, 10, 11, 8, 0, 1, 2, 3, 0, 8 } },
	{ 10, 16, 16, 0, 64, 16, { 0, 1, 2, 8, 9, 10, 0, 1, 2, 8, 9, 10, 0, 1, 2, 8 } },
	{ 16, 16, 0, 0, 32, 8, { 0, 1, 2, 3, 4, 5, 6, 7 } },
	{ 16, 32, 0, 0, 64, 16, { 0, 1, 2, 3, 8, 9, 10, 11, 0, 1, 2, 3, 8, 9, 10, 11 } },
	{ 16, 64, 16, 8, 128, 32, { 0, 3, 6, 9, 20, 23, 26, 29, 0, 3, 6, 9, 20, 23, 26, 29,
				    0, 3, 6, 9, 20, 23, 26, 29, 0, 3, 6, 9, 20, 23, 26, 29 } },
	{ 16, 16, 4096, 0, 32, 8, { 0, 1, 2, 3, 0, 1, 2, 3 } },
	/* Here fiord differs: in fio the pass ends in the last, short zone (after 18 I/Os, and 16). */
	{ 16, 16, 16, 0, 74, 18, { 0, 1, 2, 3, 8, 9, 10, 11, 16, 17, 0, 1, 2, 3, 8, 9, 10, 11 } },
	{ 16, 16, 16, 0, 66, 16, { 0, 1, 2, 3, 8, 9, 10, 11, 0, 1, 2, 3, 8, 9, 10, 11 } },
	/* clang-format on */
};

static void test_recorded(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT(recorded); i++) {
		struct offset_cfg c = config(RW_READ, 4 * K, recorded[i].size_k * K, recorded[i].range_k * K,
					     recorded[i].skip_k * K);
		struct offset_gen g;
		uint64_t offset;
		uint32_t len;
		unsigned n = 0;

		c.rw_stride = recorded[i].stride_k * K;
		offset_init(&g, &c, START, recorded[i].len_k * K, 1);
		for (; offset_next(&g, DIR_READ, &offset, &len); n++) {
			if (offset != START + recorded[i].at[n] * 4 * K)
				print_error("row %zu n %u\n", i, n);
			assert_true(n < COUNT(recorded[i].at));
			assert_int_equal(offset, START + recorded[i].at[n] * 4 * K);
			assert_int_equal(len, 4 * K);
		}
		assert_int_equal(n, recorded[i].n);
	}
}

/* Reads and writes share a turn, and each direction begins at the start of the zone. */
static void test_directions(void **state)
{
	static const struct {
		enum io_dir dir;
		unsigned at;
	} ios[] = { { DIR_READ, 0 },   { DIR_READ, 1 },   { DIR_WRITE, 0 },
		    { DIR_READ, 2 },   { DIR_WRITE, 12 }, { DIR_READ, 12 },
		    { DIR_WRITE, 13 }, { DIR_WRITE, 14 }, { DIR_READ, 0 } };
	struct offset_cfg c = config(RW_READ | RW_WRITE, 4 * K, 16 * K, 32 * K, 16 * K);
	struct offset_gen g;
	uint64_t offset;
	uint32_t len;

	(void)state;
	offset_init(&g, &c, 0, 96 * K, 1);
	for (size_t i = 0; i < COUNT(ios); i++) {
		assert_true(offset_next(&g, ios[i].dir, &offset, &len));
		assert_int_equal(offset, ios[i].at * 4 * K);
	}
}

struct turns {
	uint64_t size, range, period, len, at, moved;
	unsigned char used[64];
};

static void next_turn(struct turns *t, uint32_t largest)
{
	t->at += t->period;
	if (t->at >= t->len || t->len - t->at < largest)
		t->at = 0;
	t->moved = 0;
	memset(t->used, 0, sizeof(t->used));
}

/* Adds an I/O to the turn that it must belong to. A block is used again only when all blocks have been used.
 */
static void add(struct turns *t, uint64_t offset, uint32_t len, uint32_t unit, uint32_t largest, bool once)
{
	uint64_t zone = t->len - t->at < t->range ? t->len - t->at : t->range;
	uint64_t turn = zone < t->range && zone < t->size ? zone : t->size;
	uint64_t units = zone / unit;

	if (t->moved >= turn || turn - t->moved < unit) {
		next_turn(t, largest);
		add(t, offset, len, unit, largest, once);
		return;
	}
	assert_true(offset >= t->at && offset + len <= t->at + zone);
	for (uint64_t i = (offset - t->at) / unit; i < (offset - t->at + len) / unit; i++) {
		assert_int_equal(t->used[i] && once, 0);
		t->used[i] = 1;
	}
	t->moved += len;
	if (once && t->moved / unit % units == 0)
		memset(t->used, 0, sizeof(t->used));
}

static void check_random(const struct offset_cfg *c, uint64_t len, uint64_t pass, bool once)
{
	uint32_t unit = bsize_min(&c->bsize, c->rw), largest = bsize_max(&c->bsize, c->rw), bytes;
	struct turns t = { .size = c->zone.size,
			   .range = c->zone.range,
			   .period = c->zone.range + c->zone.skip,
			   .len = len };
	uint64_t offset, moved = 0;
	struct offset_gen g;

	offset_init(&g, c, START, len, 5);
	offset_set_pass(&g, pass);
	while (offset_next(&g, DIR_WRITE, &offset, &bytes)) {
		add(&t, offset - START, bytes, unit, largest, once);
		moved += bytes;
	}
	assert_true(moved >= pass && moved < pass + largest);
}

static void test_random(void **state)
{
	static const struct {
		unsigned size_k, range_k, skip_k, len_k;
	} zones[] = { { 16, 16, 16, 256 },  { 16, 32, 16, 240 },  { 32, 16, 4, 256 }, { 16, 64, 0, 256 },
		      { 16, 48, 20, 1000 }, { 64, 64, 64, 1024 }, { 48, 16, 0, 40 },  { 16, 16, 9000, 17 } };

	(void)state;
	for (size_t i = 0; i < COUNT(zones); i++) {
		struct offset_cfg c = config(RW_WRITE | RW_RANDOM, 4 * K, zones[i].size_k * K,
					     zones[i].range_k * K, zones[i].skip_k * K);

		check_random(&c, zones[i].len_k * K, 400 * K, true);
		c.norandommap = true;
		check_random(&c, zones[i].len_k * K, 400 * K, false);
		c.norandommap = false;
		c.rw_nr = 3;
		check_random(&c, zones[i].len_k * K, 400 * K, false);
		c.rw_nr = 1;
		c.random_percent[DIR_WRITE] = 50;
		check_random(&c, zones[i].len_k * K, 400 * K, false);
	}
}

/* Several sizes: no I/O crosses the end of a zone. */
static void test_sizes(void **state)
{
	struct bssplit_entry split[] = { { 4 * K, 50 }, { 8 * K, 30 }, { 12 * K, 20 } };

	(void)state;
	for (unsigned i = 0; i < 2; i++) {
		struct offset_cfg c = config(RW_WRITE | (i ? RW_RANDOM : 0), 4 * K, 32 * K, 60 * K, 16 * K);

		memcpy(c.bsize.split[DIR_WRITE], split, sizeof(split));
		c.bsize.split_n[DIR_WRITE] = 3;
		c.bsize.hi[DIR_WRITE] = 12 * K;
		check_random(&c, 1000 * K, 2000 * K, false);
		c.bsize.split_n[DIR_WRITE] = 0;
		check_random(&c, 1000 * K, 2000 * K, false);
	}
}

/* A restarted pass repeats its offsets, or has other random ones; a continued one goes on with the next zone.
 */
static void test_passes(void **state)
{
	struct offset_cfg c = config(RW_READ | RW_RANDOM, 4 * K, 16 * K, 128 * K, 0);
	uint64_t first[8], again, differ = 0;
	struct offset_gen g;
	uint32_t len;

	(void)state;
	offset_init(&g, &c, 0, 512 * K, 1);
	offset_set_pass(&g, 32 * K);
	for (unsigned i = 0; i < 8; i++)
		assert_true(offset_next(&g, DIR_READ, &first[i], &len));
	assert_false(offset_next(&g, DIR_READ, &again, &len));
	offset_restart(&g, false);
	for (unsigned i = 0; i < 8; i++) {
		assert_true(offset_next(&g, DIR_READ, &again, &len));
		assert_int_equal(again, first[i]);
	}
	offset_restart(&g, true);
	for (unsigned i = 0; i < 8; i++) {
		assert_true(offset_next(&g, DIR_READ, &again, &len));
		assert_int_equal(again / (128 * K), i / 4);
		differ += again != first[i];
	}
	assert_true(differ > 0);
	assert_true(offset_continues(&g, true));
	offset_continue(&g);
	assert_true(offset_next(&g, DIR_READ, &again, &len));
	assert_int_equal(again / (128 * K), 2);
}

/* zipf, pareto and normal: the draws of one batch serve the turns of many zones, and a pass that is restarted
   repeats them. */
static void test_skewed(void **state)
{
	static const struct skew_cfg skews[] = { { .kind = SKEW_ZIPF, .param = 1.2 },
						 { .kind = SKEW_PARETO, .param = 0.2 },
						 { .kind = SKEW_NORMAL, .param = 10 } };

	(void)state;
	for (size_t i = 0; i < COUNT(skews); i++) {
		static struct dist_cfg dist;
		struct offset_cfg c = config(RW_READ | RW_RANDOM, 4 * K, 4 * K, 1024 * K, 64 * K);
		struct offset_gen g;
		struct skew_batch b;
		struct skew_table table;
		struct rng r;

		dist = (struct dist_cfg){ .kind = DIST_SKEWED, .skew = skews[i] };
		c.dist = &dist;
		offset_init(&g, &c, 0, 8 * 1088 * K, 1);
		skew_table_init(&table, 0, SKEW_BATCH);
		assert_true(offset_set_skews(&g, &table));
		for (unsigned pass = 0; pass < 2; pass++) {
			b = *g.skew[0].batch;
			r = g.rng;
			for (unsigned k = 0; k < 20 + 20 * pass; k++) {
				uint64_t offset, zone = k % 8 * 1088 * K;
				uint32_t len;

				assert_true(offset_next(&g, DIR_READ, &offset, &len));
				assert_int_equal(offset, zone + skew_draw(g.skew[0].skew, &b, &r) * 4 * K);
			}
			offset_restart(&g, false);
		}
		skew_table_fini(&table);
	}
}

/* A shorter last zone has a skew and a batch of its own: neither batch is thrown away between the rounds. */
static void test_skewed_short_zone(void **state)
{
	struct dist_cfg dist = { .kind = DIST_SKEWED, .skew = { .kind = SKEW_ZIPF, .param = 1.2 } };
	struct offset_cfg c = config(RW_READ | RW_RANDOM, 4 * K, 4 * K, 1024 * K, 4 * K);
	struct skew_batch whole = { 0 }, cut = { 0 };
	struct skew_table skews;
	struct offset_gen g;

	(void)state;
	c.zone.size = 4 * K; /* one I/O in each turn */
	c.dist = &dist;
	offset_init(&g, &c, 0, 2 * 1028 * K + 100 * K, 1);
	skew_table_init(&skews, 0, SKEW_BATCH);
	assert_true(offset_set_skews(&g, &skews));
	assert_int_equal(skews.n, 2);
	for (unsigned k = 0; k < 150; k++) {
		bool last = k % 3 == 2;
		struct skew_batch *b = last ? &cut : &whole, *used;
		uint64_t offset;
		uint32_t len;

		assert_true(offset_next(&g, DIR_READ, &offset, &len));
		assert_int_equal(offset / (1028 * K), k % 3);
		assert_true(offset + len <= 2 * 1028 * K + 100 * K);
		used = g.skew[0].batch;
		assert_int_equal(g.skew[0].skew->n, last ? 25 : 256);
		if (b->pos == b->len)
			*b = *used, b->pos--;
		assert_int_equal(offset, k % 3 * 1028 * K + b->place[b->pos++] * 4 * K);
		assert_int_equal(used->pos, b->pos);
	}
	skew_table_fini(&skews);
}

int unit_strided(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_recorded),
		cmocka_unit_test(test_directions),
		cmocka_unit_test(test_random),
		cmocka_unit_test(test_sizes),
		cmocka_unit_test(test_passes),
		cmocka_unit_test(test_skewed),
		cmocka_unit_test(test_skewed_short_zone),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
