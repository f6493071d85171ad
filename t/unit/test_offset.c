/* Which offsets does a job use, and does it cover its range? Some sequences are recorded from fio 3.33. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>
#include "mix.h"
#include "offset.h"

#define K           1024u
#define RW          (RW_READ | RW_WRITE)
#define START       (64 * (uint64_t)K)
#define COUNT(list) (sizeof(list) / sizeof((list)[0]))

/* Prints lo..hi for reads, and for writes if they differ. */
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

/* One pass: how often each unit of the range was used, and the I/Os, all inside the range. */
struct pass {
	uint32_t unit, smallest, largest;
	uint64_t ios, bytes, units, ends_at;
	unsigned touched, twice;
	unsigned char *count;
};

static void pass_add(struct pass *p, uint64_t at, uint32_t len)
{
	assert_true(len > 0);
	assert_int_equal(at % p->unit, 0);
	assert_int_equal(len % p->unit, 0);
	assert_true((at + len) / p->unit <= p->units);
	p->ios++;
	p->bytes += len;
	p->smallest = len < p->smallest ? len : p->smallest;
	p->largest = len > p->largest ? len : p->largest;
	p->ends_at = at + len > p->ends_at ? at + len : p->ends_at;
	for (uint64_t i = at / p->unit; i < (at + len) / p->unit; i++) {
		p->touched += p->count[i] == 0;
		p->twice += p->count[i] == 1;
		p->count[i] = p->count[i] ? 2 : 1;
	}
}

/* Runs until the pass ends, or until `limit` bytes are done as the loop counts them. */
static struct pass run(struct offset_gen *g, uint32_t unit, uint64_t limit)
{
	struct pass p = { .unit = unit, .smallest = UINT32_MAX, .units = g->len / unit };
	struct mix_cfg half = { 50 };
	struct mixer m;
	uint64_t offset;
	uint32_t len;

	p.count = calloc(1, p.units + 1);
	assert_non_null(p.count);
	mix_init(&m, &half, g->cfg->rw, 11);
	while (p.bytes < limit && offset_next(g, mix_next(&m), &offset, &len)) {
		assert_true(offset >= g->start);
		pass_add(&p, offset - g->start, len);
	}
	free(p.count);
	p.count = NULL;
	return p;
}

static struct pass run_new(const struct offset_cfg *c, uint64_t size, uint32_t unit)
{
	struct offset_gen g;

	offset_init(&g, c, START, size, 77);
	return run(&g, unit, size);
}

/* Recorded from fio 3.33 with size=64k bs=4k: offsets in KiB, up to size bytes. */
static const struct {
	int64_t stride_k;
	unsigned n, at_k[16];
} strides[] = {
	/* clang-format off */
	{ 8, 6, { 0, 12, 24, 36, 48, 60 } },
	{ 1, 13, { 0, 5, 10, 15, 20, 25, 30, 35, 40, 45, 50, 55, 60 } },
	{ -4, 16, { 0 } },
	{ -8, 16, { 0, 56, 52, 48, 44, 40, 36, 32, 28, 24, 20, 16, 12, 8, 4, 0 } },
	{ -12, 16, { 0, 52, 44, 36, 28, 20, 12, 4, 52, 44, 36, 28, 20, 12, 4, 52 } },
	{ -16, 16, { 0, 48, 36, 24, 12, 0, 48, 36, 24, 12, 0, 48, 36, 24, 12, 0 } },
	{ 4, 16, { 0, 8, 16, 24, 32, 40, 48, 56, 0, 8, 16, 24, 32, 40, 48, 56 } },
	{ 64, 16, { 0 } },
	/* clang-format on */
};

static void test_strides(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT(strides); i++) {
		struct offset_cfg c = config(RW_READ, 4 * K, 4 * K);
		struct offset_gen g;
		uint64_t offset, bytes = 0;
		uint32_t len;
		unsigned n = 0;

		c.rw_stride = strides[i].stride_k * K;
		offset_init(&g, &c, START, 64 * K, 1);
		for (; bytes < 64 * K && offset_next(&g, DIR_READ, &offset, &len); n++, bytes += len)
			assert_int_equal(offset, START + strides[i].at_k[n] * K);
		assert_int_equal(n, strides[i].n);
	}
}

/* A stride beyond the range stays inside it. */
static void test_huge_negative_stride(void **state)
{
	struct offset_cfg c = config(RW_READ, 4 * K, 4 * K);
	struct offset_gen g;

	(void)state;
	c.rw_stride = -((int64_t)1 << 40);
	offset_init(&g, &c, START, 64 * K, 1);
	assert_int_equal(run(&g, 4 * K, 64 * K).ios, 16);
}

/* Sizes come one after the other from a list, as if drawn. */
static void test_sequential_listed(void **state)
{
	struct offset_cfg c = config(RW_READ, 4 * K, 4 * K);
	struct bssplit_entry split[] = { { 4 * K, 30 }, { 64 * K, 70 } };
	struct offset_gen g;
	uint64_t offset, end = 0;
	unsigned small = 0;
	uint32_t len;

	(void)state;
	memcpy(c.bsize.split[DIR_READ], split, sizeof(split));
	c.bsize.split_n[DIR_READ] = 2;
	offset_init(&g, &c, 0, 1 << 30, 1);
	for (unsigned i = 0; i < 10000; i++, end += len) {
		assert_true(offset_next(&g, DIR_READ, &offset, &len));
		assert_int_equal(offset, end);
		assert_true(len == 4 * K || len == 64 * K);
		small += len == 4 * K;
	}
	assert_in_range(small, 2800, 3200);
}

/* Recorded from fio 3.33: I/Os of one direction come in whole blocks, and where sizes vary the last one may
 * be smaller. */
static const struct {
	uint32_t lo, hi;
	uint64_t size, ios, bytes;
} sequences[] = {
	{ 3 * K, 3 * K, 1024 * K, 341, 1047552 }, { 4 * K, 4 * K, 64 * K, 16, 65536 },
	{ 4 * K, 4 * K, 66 * K, 16, 65536 },      { 4 * K, 4 * K, 3 * K, 0, 0 },
	{ 4 * K, 16 * K, 66 * K, 0, 65536 },      { 4 * K, 16 * K, 1000 * K, 0, 1024000 },
};

static void test_sequential(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT(sequences); i++) {
		struct offset_cfg c = config(RW_WRITE, sequences[i].lo, sequences[i].hi);
		struct pass p = run_new(&c, sequences[i].size, K);

		if (sequences[i].ios)
			assert_int_equal(p.ios, sequences[i].ios);
		assert_int_equal(p.bytes, sequences[i].bytes);
		assert_int_equal(p.twice, 0);
		assert_int_equal(p.ends_at, sequences[i].bytes);
	}
}

/* Each direction has its own position, so both together end only after size bytes. */
static void test_sequential_mix(void **state)
{
	static const enum io_dir dirs[] = { DIR_READ, DIR_READ, DIR_WRITE, DIR_READ, DIR_WRITE };
	static const unsigned at_k[] = { 0, 4, 0, 8, 8 };
	struct offset_cfg c = config(RW, 4 * K, 4 * K);
	struct offset_gen g;
	uint64_t offset;
	uint32_t len;

	(void)state;
	c.bsize.lo[DIR_WRITE] = c.bsize.hi[DIR_WRITE] = 8 * K;
	offset_init(&g, &c, 0, 20 * K, 1);
	for (size_t i = 0; i < COUNT(dirs); i++) {
		assert_true(offset_next(&g, dirs[i], &offset, &len));
		assert_int_equal(offset, at_k[i] * K);
	}
	assert_false(offset_next(&g, DIR_WRITE, &offset, &len));
	assert_true(offset_next(&g, DIR_READ, &offset, &len));
	assert_int_equal(offset, 12 * K);
	offset_restart(&g, false);
	assert_true(offset_next(&g, DIR_WRITE, &offset, &len));
	assert_int_equal(offset, 0);
	c = config(RW, 3 * K, 3 * K);
	assert_int_equal(run_new(&c, 1024 * K, K).ios, 342);
}

/* All directions together use each block once and leave out a tail smaller than a block. */
static void test_random_blocks(void **state)
{
	static const unsigned rws[] = { RW_READ, RW_WRITE, RW, RW_TRIM };
	static const uint64_t blocks[] = { 1, 2, 3, 7, 97, 1024, 1031, (1u << 16) + 1 };

	(void)state;
	for (size_t i = 0; i < COUNT(rws) * COUNT(blocks); i++) {
		uint64_t n = blocks[i / COUNT(rws)];
		struct offset_cfg c = config(rws[i % COUNT(rws)] | RW_RANDOM, 4 * K, 4 * K);
		struct offset_gen g;
		struct pass p;

		offset_init(&g, &c, START, n * 4 * K + 3 * K, i);
		for (unsigned pass = 0; pass < 3; pass++) {
			p = run(&g, 4 * K, UINT64_MAX);
			assert_int_equal(p.ios, n);
			assert_int_equal(p.touched, n);
			offset_restart(&g, pass == 0);
		}
	}
}

static void test_random_too_small(void **state)
{
	static const uint32_t nr[] = { 1, 8 };

	(void)state;
	for (unsigned i = 0; i < 8; i++) {
		struct offset_cfg c = config(RW_READ | RW_RANDOM, 4 * K, i & 1 ? 16 * K : 4 * K);

		c.norandommap = i & 2;
		c.rw_nr = nr[i >> 2];
		assert_int_equal(run_new(&c, 4 * K - 1, 1).ios, 0);
		assert_true(run_new(&c, 4 * K, 1).ios > 0);
	}
}

/* With several sizes each byte is used once per pass, in pieces that are multiples of the smallest size. */
static const struct {
	uint32_t lo, hi, wlo, whi;
	unsigned rw;
	uint64_t size, covered;
	uint32_t unit;
} extents[] = {
	{ 4 * K, 16 * K, 4 * K, 16 * K, RW_READ, 1024 * K, 1024 * K, 4 * K },
	{ 4 * K, 16 * K, 4 * K, 16 * K, RW, 1000 * K, 1000 * K, 4 * K },
	{ 4 * K, 16 * K, 4 * K, 16 * K, RW_WRITE, 1021 * K, 1020 * K, 4 * K },
	{ 4 * K, 4 * K, 16 * K, 16 * K, RW, 1023 * K, 1020 * K, 4 * K },
	{ 4 * K, 4 * K, 64 * K, 128 * K, RW, 64 * K, 64 * K, 4 * K },
	{ 512, 65536, 512, 65536, RW, 40000, 39936, 512 },
	{ 3 * K, 8 * K, 3 * K, 8 * K, RW_READ, 256 * K, 255 * K, K },
	{ 512, 4 * K, 512, 4 * K, RW, 3000 * K + 1, 3000 * K, 512 },
};

static void test_extents(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT(extents); i++) {
		struct offset_cfg c = config(extents[i].rw | RW_RANDOM, extents[i].lo, extents[i].hi);
		struct offset_gen g;

		c.bsize.lo[DIR_WRITE] = extents[i].wlo;
		c.bsize.hi[DIR_WRITE] = extents[i].whi;
		offset_init(&g, &c, START, extents[i].size, i);
		for (unsigned pass = 0; pass < 3; pass++) {
			struct pass p = run(&g, extents[i].unit, UINT64_MAX);

			assert_int_equal(p.bytes, extents[i].covered);
			assert_int_equal(p.twice, 0);
			offset_restart(&g, pass == 0);
		}
	}
}

/* Up to this many sizes per direction, for any number of directions; percentages add up to 100. */
struct listed {
	unsigned rw, read_percent;
	uint64_t size;
	struct bssplit_entry split[2][4];
};

static struct offset_cfg config_listed(const struct listed *l)
{
	struct offset_cfg c = config(l->rw | RW_RANDOM, 0, 0);

	for (unsigned d = 0; d < 2; d++)
		for (unsigned i = 0; i < 4 && l->split[d][i].percent > 0; i++)
			c.bsize.split[d][c.bsize.split_n[d]++] = l->split[d][i];
	return c;
}

/* Counts one pass by direction: I/Os of each listed size, I/Os of other sizes (and the I/Os before the first
   of them), and I/Os of sizes that neither direction lists. */
struct listed_count {
	uint64_t ios[2], of_size[2][4], others, before, odd, adjacent;
};

static unsigned listed_as(const struct listed *l, enum io_dir dir, uint32_t len)
{
	unsigned i = 0;

	while (i < 4 && l->split[dir][i].bytes != len)
		i++;
	return i;
}

/* Runs one pass, which must use each unit of the range once, except for a tail below the smallest size. */
static struct listed_count run_listed(const struct listed *l, struct offset_gen *g, uint32_t unit)
{
	uint32_t least = bsize_min(&g->cfg->bsize, l->rw), len;
	struct pass p = { .unit = unit, .smallest = UINT32_MAX, .units = g->len / unit };
	struct mix_cfg mix = { l->read_percent };
	struct listed_count n = { 0 };
	uint64_t offset, end = 0;
	struct mixer m;

	p.count = calloc(1, p.units + 1);
	assert_non_null(p.count);
	mix_init(&m, &mix, l->rw, 11);
	for (enum io_dir dir = mix_next(&m); offset_next(g, dir, &offset, &len); dir = mix_next(&m)) {
		unsigned i = listed_as(l, dir, len);

		pass_add(&p, offset - g->start, len);
		n.ios[dir]++;
		n.adjacent += offset == end;
		end = offset + len;
		n.odd += listed_as(l, DIR_READ, len) == 4 && listed_as(l, DIR_WRITE, len) == 4;
		if (i < 4)
			n.of_size[dir][i]++;
		else if (n.others++ == 0)
			n.before = p.ios - 1;
	}
	free(p.count);
	assert_int_equal(p.bytes, g->len - g->len % least);
	assert_int_equal(p.twice, 0);
	return n;
}

/* If all sizes divide an extent, only listed sizes come, each as often as requested, until the pass ends. */
static const struct listed shares[] = {
	/* clang-format off */
	{ RW_READ, 100, 256 << 20, { { { 4 * K, 50 }, { 64 * K, 50 } } } },
	{ RW_READ, 100, 1 << 30, { { { 4 * K, 10 }, { 64 * K, 40 }, { 1024 * K, 50 } } } },
	{ RW_WRITE, 0, 64 << 20, { { { 0 } }, { { 8 * K, 60 }, { 12 * K, 40 } } } },
	{ RW_WRITE, 0, (64 << 20) + 3 * K, { { { 0 } }, { { 12 * K, 50 }, { 8 * K, 50 } } } },
	{ RW, 50, 64 << 20, { { { 4 * K, 100 } }, { { 8 * K, 100 } } } },
	{ RW, 5, 64 << 20, { { { 4 * K, 100 } }, { { 8 * K, 100 } } } },
	{ RW, 95, 64 << 20, { { { 4 * K, 100 } }, { { 8 * K, 100 } } } },
	{ RW, 50, 64 << 20, { { { 64 * K, 100 } }, { { 8 * K, 100 } } } },
	{ RW, 50, 64 << 20, { { { 3 * K, 100 } }, { { 8 * K, 100 } } } },
	{ RW, 70, 256 << 20, { { { 4 * K, 50 }, { 16 * K, 50 } }, { { 8 * K, 30 }, { 32 * K, 70 } } } },
	{ RW_READ, 100, 1 << 30, { { { 60 * K, 40 }, { 64 * K, 30 }, { 68 * K, 30 } } } },
	{ RW_READ, 100, 256 << 20, { { { 4 * K, 40 }, { 28 * K, 20 }, { 36 * K, 20 }, { 60 * K, 20 } } } },
	/* clang-format on */
};

static void test_listed_shares(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT(shares); i++) {
		const struct listed *l = &shares[i];
		struct offset_cfg c = config_listed(l);
		struct offset_gen g;
		struct listed_count n;

		offset_init(&g, &c, START, l->size, i);
		n = run_listed(l, &g, K);
		assert_int_equal(n.odd, 0);
		assert_in_range(n.others, 0, 16);
		assert_true(n.others == 0 || n.before >= (n.ios[0] + n.ios[1]) * 99 / 100);
		assert_true(n.adjacent <= (n.ios[0] + n.ios[1]) / 500);
		for (unsigned d = 0; d < 2; d++)
			for (unsigned k = 0; k < 4 && l->split[d][k].percent > 0; k++)
				assert_in_range(n.of_size[d][k] * 100 + n.ios[d] * 2,
						n.ios[d] * (uint64_t)l->split[d][k].percent,
						n.ios[d] * ((uint64_t)l->split[d][k].percent + 4));
	}
}

/* Ranges of a few I/Os are covered with listed sizes only. */
static void test_listed_small(void **state)
{
	static const struct listed l = {
		RW, 50, 0, { { { 4 * K, 50 }, { 12 * K, 50 } }, { { 8 * K, 100 } } }
	};
	struct offset_cfg c = config_listed(&l);

	(void)state;
	for (uint64_t size = 0; size < 600 * K; size += 3 * K) {
		struct offset_gen g;

		offset_init(&g, &c, START, size, size);
		for (unsigned pass = 0; pass < 2; pass++) {
			assert_int_equal(run_listed(&l, &g, K).odd, 0);
			offset_restart(&g, pass == 0);
		}
	}
}

/* No extent is a multiple of all sizes, but another size fills the rest of an extent. */
static void test_listed_mixed(void **state)
{
	static const struct listed lists[] = {
		/* clang-format off */
		{ RW_READ, 100, 64 << 20, { { { 3584, 33 }, { 5632, 33 }, { 6656, 34 } } } },
		{ RW_WRITE, 0, 64 << 20, { { { 0 } }, { { 3072, 25 }, { 5120, 25 }, { 7168, 25 }, { 9216, 25 } } } },
		{ RW, 50, 64 << 20, { { { 3584, 50 }, { 5632, 50 } }, { { 6656, 100 } } } },
		/* clang-format on */
	};

	(void)state;
	for (size_t i = 0; i < COUNT(lists); i++) {
		const struct listed *l = &lists[i];
		struct offset_cfg c = config_listed(l);
		struct offset_gen g;
		struct listed_count n;

		offset_init(&g, &c, START, l->size, i);
		n = run_listed(l, &g, 512);
		assert_in_range(n.odd, 0, 1);
		assert_true(n.others == 0 || n.before >= (n.ios[0] + n.ios[1]) * 98 / 100);
		assert_true(n.adjacent <= (n.ios[0] + n.ios[1]) / 40);
		for (unsigned d = 0; d < 2; d++)
			for (unsigned k = 0; k < 4 && l->split[d][k].percent > 0; k++)
				assert_in_range(n.of_size[d][k] * 100 + n.ios[d] * 2,
						n.ios[d] * (uint64_t)l->split[d][k].percent,
						n.ios[d] * ((uint64_t)l->split[d][k].percent + 4));
	}
}

/* No extent suits these sizes; each byte is still used once, mostly in the requested sizes. */
static void test_listed_odd(void **state)
{
	static const struct listed l = {
		RW_READ, 100, 10 << 20, { { { 3584, 25 }, { 5632, 25 }, { 8704, 25 }, { 9728, 25 } } }
	};
	struct offset_cfg c = config_listed(&l);
	struct offset_gen g;
	struct listed_count n;

	(void)state;
	offset_init(&g, &c, START, l.size, 1);
	n = run_listed(&l, &g, 512);
	assert_in_range(n.odd * 10, 1, n.ios[0]);
	for (unsigned k = 0; k < 4; k++)
		assert_in_range(n.of_size[0][k] * 100, n.ios[0] * 20, n.ios[0] * 30);
}

/* n sizes for reads and n others for writes. */
static struct offset_cfg config_many(unsigned n)
{
	struct offset_cfg c = config(RW | RW_RANDOM, 0, 0);

	for (unsigned d = 0; d < 2; d++) {
		c.bsize.split_n[d] = n;
		for (unsigned i = 0; i < n; i++)
			c.bsize.split[d][i] = (struct bssplit_entry){ (1 + 2 * i + d) * 512, 1 };
		c.bsize.split[d][0].percent = 101 - n;
	}
	return c;
}

/* The largest number of sizes, and more: the range is still covered. */
static void test_listed_many(void **state)
{
	static const unsigned counts[] = { 1, 2, 31, 32, 33, 64 };

	(void)state;
	for (size_t i = 0; i < COUNT(counts); i++) {
		struct offset_cfg c = config_many(counts[i]);
		struct offset_gen g;

		offset_init(&g, &c, START, 8 << 20, i);
		assert_int_equal(g.kind, counts[i] <= OFFSET_SIZES / 2 ? OFFSET_LISTED : OFFSET_EXTENTS);
		for (unsigned pass = 0; pass < 2; pass++) {
			struct pass p = run(&g, 512, UINT64_MAX);

			assert_int_equal(p.bytes, 8 << 20);
			assert_int_equal(p.twice, 0);
			offset_restart(&g, true);
		}
	}
}

/* The generator must be small, because a job has one per file and may have thousands of files. */
static void test_footprint(void **state)
{
	(void)state;
	assert_in_range(sizeof(struct offset_gen), 1, 4096);
	assert_in_range(offset_bytes(&(struct offset_cfg){ .rw = RW_READ | RW_RANDOM }, SKEW_BATCH), 1, 1024);
}

/* A million files with skewed draws share their parameters, and each needs little more than with uniform
   draws. */
static void test_skewed_footprint(void **state)
{
	struct dist_cfg zipf = { .kind = DIST_SKEWED, .skew = { .kind = SKEW_ZIPF, .param = 1.2 } };
	struct offset_cfg c = config(RW | RW_RANDOM, 4 * K, 4 * K);
	struct skew_table skews;
	size_t uniform;

	(void)state;
	c.norandommap = true;
	uniform = offset_bytes(&c, SKEW_BATCH_FEW);
	c.dist = &zipf;
	assert_in_range(offset_bytes(&c, SKEW_BATCH_FEW), uniform, uniform + 200);
	skew_table_init(&skews, 1, SKEW_BATCH_FEW);
	for (unsigned i = 0; i < 1000; i++)
		assert_non_null(skew_table_get(&skews, &zipf.skew, 1000 + i % 10));
	assert_int_equal(skews.n, 10);
	for (unsigned i = 0; i < 1000; i++)
		assert_int_equal(skew_table_get(&skews, &zipf.skew, 1 + i)->n, 1 + i);
	assert_int_equal(skews.n, 1009);
	skew_table_fini(&skews);
}

/* The memory behind offset_bytes is never used: generators of that size lie side by side. */
static void test_bytes(void **state)
{
	struct offset_cfg cfgs[] = { config(RW, 4 * K, 4 * K),
				     config(RW, 4 * K, 16 * K),
				     config(RW | RW_RANDOM, 4 * K, 4 * K),
				     config(RW | RW_RANDOM, 4 * K, 16 * K),
				     config(RW | RW_RANDOM, 4 * K, 4 * K),
				     config(RW | RW_RANDOM, 4 * K, 4 * K),
				     config(RW | RW_RANDOM, 4 * K, 4 * K),
				     config(RW | RW_RANDOM, 4 * K, 16 * K),
				     config(RW | RW_RANDOM, 4 * K, 4 * K),
				     config(RW | RW_RANDOM, 4 * K, 4 * K) };
	struct dist_cfg zipf = { .kind = DIST_SKEWED, .skew = { .kind = SKEW_ZIPF, .param = 1.2 } };

	(void)state;
	for (size_t i = 5; i < COUNT(cfgs); i++)
		cfgs[i].dist = &zipf;
	cfgs[4].norandommap = true;
	cfgs[6].bsize.lo[DIR_WRITE] = cfgs[6].bsize.hi[DIR_WRITE] = 8 * K;
	cfgs[8].zone = (struct zone_cfg){ ZONE_STRIDED, .size = 32 * K, .range = 100 * K, .skip = 8 * K };
	cfgs[9].random_percent[DIR_READ] = 50;
	for (size_t i = 0; i < COUNT(cfgs); i++) {
		unsigned batch = i % 2 ? SKEW_BATCH : SKEW_BATCH_FEW;
		struct offset_gen *g = malloc(offset_bytes(&cfgs[i], batch));
		struct skew_table skews;
		uint64_t offset;
		uint32_t len;

		assert_non_null(g);
		offset_init(g, &cfgs[i], START, 1024 * K, 5);
		skew_table_init(&skews, 7, batch);
		assert_true(offset_set_skews(g, &skews));
		for (unsigned pass = 0; pass < 2; pass++) {
			for (unsigned k = 0;
			     k < 1000 && offset_next(g, k % 3 ? DIR_READ : DIR_WRITE, &offset, &len); k++)
				assert_true(offset >= START && offset + len <= START + 1024 * K);
			offset_restart(g, true);
		}
		skew_table_fini(&skews);
		free(g);
	}
}

/* With any length each byte is used once, and no I/O is smaller than the smallest size. */
static void test_extents_unaligned(void **state)
{
	static const uint64_t sizes[] = { 100000, 100001, 104096, 65536, 4000, 4001 };

	(void)state;
	for (size_t i = 0; i < COUNT(sizes); i++) {
		struct offset_cfg c = config(RW_READ | RW_RANDOM, 4000, 16000);
		uint64_t tail = sizes[i] % 16000 < 4000 ? sizes[i] % 16000 : 0;
		struct pass p;

		c.bsize.unaligned = true;
		p = run_new(&c, sizes[i], 1);
		assert_int_equal(p.bytes, sizes[i] - tail);
		assert_int_equal(p.twice, 0);
		assert_true(p.smallest >= 4000 && p.largest <= 16000);
	}
}

/* Neighbours in an extent are not neighbours in the order. */
static void test_extents_scatter(void **state)
{
	struct offset_cfg c = config(RW_READ | RW_RANDOM, 4 * K, 64 * K);
	struct offset_gen g;
	uint64_t offset, end = UINT64_MAX;
	unsigned adjacent = 0;
	uint32_t len;

	(void)state;
	offset_init(&g, &c, 0, 1 << 30, 5);
	for (unsigned i = 0; i < 10000 && offset_next(&g, DIR_READ, &offset, &len); i++) {
		adjacent += offset == end;
		end = offset + len;
	}
	assert_in_range(adjacent, 0, 20);
}

/* As in fio, uniform draws hit (1 - 1/e) of the blocks in one size, and the pass ends only when the caller
 * ends it. */
static void test_norandommap(void **state)
{
	struct offset_cfg c = config(RW_READ | RW_RANDOM, 3 * K, 3 * K);
	struct offset_gen g;
	struct pass p;

	(void)state;
	c.norandommap = true;
	p = run_new(&c, 1000 * K, K);
	assert_int_equal(p.ios, 334);
	assert_true(p.ends_at <= 999 * K);
	c = config(RW_READ | RW_RANDOM, 4 * K, 4 * K);
	c.norandommap = true;
	p = run_new(&c, 4096 * K, 4 * K);
	assert_int_equal(p.ios, 1024);
	assert_in_range(p.touched, 600, 700);
	offset_init(&g, &c, 0, 64 * K, 1);
	assert_int_equal(run(&g, 4 * K, 6400 * K).ios, 1600);
}

/* Varying sizes without coverage stay inside the range; the last block has the smallest size. */
static void test_norandommap_sizes(void **state)
{
	struct offset_cfg c = config(RW | RW_RANDOM, 4 * K, 16 * K);
	struct offset_gen g;
	struct pass p;

	(void)state;
	c.norandommap = true;
	offset_init(&g, &c, START, 40 * K, 1);
	p = run(&g, 4 * K, 4000 * K);
	assert_int_equal(p.ends_at, 40 * K);
	assert_int_equal(p.smallest, 4 * K);
	assert_int_equal(p.largest, 16 * K);
}

/* Recorded from fio 3.33, bs and blockalign in KiB: I/Os in 1000k. An alignment other than the block size
 * turns the map off. */
static const struct {
	uint32_t bs, ba;
	uint64_t ios;
} aligns[] = { { 4, 8, 250 }, { 4, 2, 250 }, { 3, 4, 334 }, { 8, 3, 125 }, { 4, 4, 250 } };

static void test_blockalign(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT(aligns); i++) {
		struct offset_cfg c = config(RW_READ | RW_RANDOM, aligns[i].bs * K, aligns[i].bs * K);
		struct offset_gen g;
		uint64_t offset, bytes = 0, ios = 0;
		uint32_t len;

		c.ba[DIR_READ] = aligns[i].ba * K;
		offset_init(&g, &c, START, 1000 * K, 1);
		while (bytes < 1000 * K && offset_next(&g, DIR_READ, &offset, &len)) {
			assert_int_equal((offset - START) % (aligns[i].ba * K), 0);
			assert_true(offset + len <= START + 1000 * K);
			bytes += len;
			ios++;
		}
		assert_int_equal(ios, aligns[i].ios);
	}
}

/* randread:8 on 4m with 4k: fio uses 684 of 1024 blocks, and an eighth of that if it stays in place. */
static void test_groups(void **state)
{
	struct offset_cfg c = config(RW_READ | RW_RANDOM, 4 * K, 4 * K);
	struct offset_gen g;
	struct pass p;

	(void)state;
	c.rw_nr = 8;
	offset_init(&g, &c, START, 4096 * K, 3);
	p = run(&g, 4 * K, UINT64_MAX);
	assert_int_equal(p.ios, 1024);
	assert_in_range(p.touched, 600, 740);
	offset_restart(&g, true);
	assert_int_equal(run(&g, 4 * K, UINT64_MAX).ios, 1024);
	c.sequencer = RW_SEQ_IDENTICAL;
	p = run_new(&c, 4096 * K, 4 * K);
	assert_int_equal(p.ios, 1024);
	assert_int_equal(p.touched, 128);
	c = config(RW | RW_RANDOM, 3 * K, 3 * K);
	c.rw_nr = 3;
	assert_int_equal(run_new(&c, 1000 * K, K).ios, 333); /* at most the size; fio ends even earlier */
	assert_int_equal(run_new(&c, 3 * K, K).ios, 1);
	c = config(RW | RW_RANDOM, 4 * K, 16 * K);
	c.rw_nr = 5;
	assert_in_range(run_new(&c, 1024 * K, 4 * K).bytes, 1024 * K, 1040 * K);
}

static void test_group_runs_on(void **state)
{
	struct offset_cfg c = config(RW_READ | RW_RANDOM, 4 * K, 4 * K);
	struct offset_gen g;
	uint64_t offset, last = 0;
	uint32_t len;

	(void)state;
	c.rw_nr = 4;
	offset_init(&g, &c, 0, (uint64_t)1 << 40, 3);
	for (unsigned i = 0; i < 400; i++) {
		assert_true(offset_next(&g, DIR_READ, &offset, &len));
		assert_true((offset == last + 4 * K) == (i % 4 != 0));
		last = offset;
	}
}

/* No run begins where another one has begun, until all blocks are used up. A block that continues the one
   before it may be the start of a run, too, and does not count. */
static void test_group_starts(void **state)
{
	struct offset_cfg c = config(RW_READ | RW_RANDOM, 4 * K, 4 * K);
	struct offset_gen g;
	bool began[1024] = { false };
	uint64_t offset, last = UINT64_MAX;
	uint32_t len;

	(void)state;
	c.rw_nr = 2;
	offset_init(&g, &c, 0, 4096 * K, 3);
	for (unsigned i = 0; i < 1024; i++) {
		assert_true(offset_next(&g, DIR_READ, &offset, &len));
		if (offset != last + 4 * K) {
			assert_false(began[offset / (4 * K)]);
			began[offset / (4 * K)] = true;
		}
		last = offset;
	}
}

/* percentage_random: this share of the I/Os goes anywhere, the others continue the last one. The pass has its
 * usual length. */
static void test_percentage_random(void **state)
{
	static const unsigned percents[] = { 0, 1, 30, 50, 99 };

	(void)state;
	for (size_t i = 0; i < COUNT(percents); i++) {
		struct offset_cfg c = config(RW | RW_RANDOM, 4 * K, 4 * K);
		uint64_t offset, next = 0, n = 0, follow = 0, want;
		struct offset_gen g;
		uint32_t len;

		c.random_percent[DIR_READ] = percents[i];
		offset_init(&g, &c, 0, (uint64_t)10000 * 4 * K, 3);
		for (; offset_next(&g, DIR_READ, &offset, &len); n++) {
			follow += offset == next;
			next = offset + len;
		}
		assert_int_equal(n, 10000);
		want = 10000 - 100 * percents[i];
		if (percents[i] == 0)
			assert_int_equal(follow, n);
		else /* five sigma of the binomial are at most 250 */
			assert_in_range(follow, want > 250 ? want - 250 : 0, want + 250);
	}
}

/* Each direction has its share and its own position. */
static void test_percentage_random_directions(void **state)
{
	struct offset_cfg c = config(RW | RW_RANDOM, 4 * K, 8 * K);
	uint64_t offset, next = 0;
	struct offset_gen g;
	uint32_t len;

	(void)state;
	c.random_percent[DIR_WRITE] = 0;
	offset_init(&g, &c, START, (uint64_t)1000 * 4 * K, 3);
	for (unsigned i = 0; i < 200; i++) {
		assert_true(offset_next(&g, DIR_READ, &offset, &len));
		assert_true(offset_next(&g, DIR_WRITE, &offset, &len));
		assert_int_equal(offset, START + next);
		next += len;
	}
}

/* bs_is_seq_rand: random I/Os have one size, and are aligned to it; those that follow others have another
   size, whichever direction they have. No I/O leaves the range. */
static void test_sizes_by_order(void **state)
{
	static const struct {
		unsigned rw_nr, percent;
		enum rw_sequencer sequencer;
		enum seq_runs runs;
		uint32_t follow, random;
	} rows[] = {
		{ 3, 100, RW_SEQ_SEQUENTIAL, SEQ_RUNS_MIXED, 4 * K, 16 * K },
		{ 3, 100, RW_SEQ_SEQUENTIAL, SEQ_RUNS_MIXED, 64 * K, 8 * K },
		{ 1, 40, RW_SEQ_SEQUENTIAL, SEQ_RUNS_MIXED, 4 * K, 16 * K },
		{ 1, 40, RW_SEQ_SEQUENTIAL, SEQ_RUNS_HOMOGENEOUS, 4 * K, 16 * K },
		{ 4, 100, RW_SEQ_IDENTICAL, SEQ_RUNS_MIXED, 4 * K, 16 * K },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++) {
		struct offset_cfg c = config(RW | RW_RANDOM, 4 * K, 4 * K);
		const uint64_t size = 1027 * K;
		uint64_t offset, end[2] = { 0 }, at[2] = { 0 }, follow = 0, random = 0;
		struct offset_gen g;
		uint32_t len;

		c.bsize.by_order = true;
		c.bsize.lo[BSIZE_SEQUENTIAL] = c.bsize.hi[BSIZE_SEQUENTIAL] = rows[i].follow;
		c.bsize.lo[BSIZE_RANDOM] = c.bsize.hi[BSIZE_RANDOM] = rows[i].random;
		c.rw_nr = rows[i].rw_nr;
		c.sequencer = rows[i].sequencer;
		c.runs = rows[i].runs;
		c.norandommap = true;
		c.random_percent[DIR_READ] = c.random_percent[DIR_WRITE] = rows[i].percent;
		offset_init(&g, &c, START, size, 3);
		for (unsigned k = 0; k < 3000; k++) {
			struct mixer m;
			struct mix_cfg half = { 50 };
			enum io_dir dir = k % 2 ? DIR_WRITE : DIR_READ;
			unsigned own;

			mix_init(&m, &half, c.rw, k);
			if (offset_has_runs(&g))
				dir = offset_draw_run_dir(&g, &m);
			own = offset_has_runs(&g) ? 0 : dir;
			assert_true(offset_next(&g, dir, &offset, &len));
			offset -= START;
			assert_true(offset + len <= size);
			if (len == rows[i].random) {
				assert_int_equal(offset % rows[i].random, 0);
				random++;
			} else {
				assert_int_equal(len, rows[i].follow);
				assert_true(offset == 0 ||
					    offset ==
						    (rows[i].sequencer == RW_SEQ_IDENTICAL ? at : end)[own]);
				follow++;
			}
			end[own] = offset + len;
			at[own] = offset;
		}
		/* five sigma of the binomial are at most 137 */
		if (rows[i].percent == 40)
			assert_in_range(random, 1200 - 137, 1200 + 137);
		else if (rows[i].sequencer == RW_SEQ_IDENTICAL)
			assert_int_equal(random * rows[i].rw_nr, 3000);
		else
			assert_in_range(random, 1000, 1300); /* runs end at the end of the range */
		assert_int_equal(random + follow, 3000);
	}
}

/* bs_is_seq_rand: random places are visited once each before any is visited again. */
static void test_sizes_by_order_coverage(void **state)
{
	struct offset_cfg c = config(RW_READ | RW_RANDOM, 4 * K, 4 * K);
	unsigned seen[64] = { 0 };
	struct offset_gen g;
	uint64_t offset;
	uint32_t len;

	(void)state;
	c.bsize.by_order = true;
	c.bsize.lo[BSIZE_RANDOM] = c.bsize.hi[BSIZE_RANDOM] = 16 * K;
	c.rw_nr = 2;
	offset_init(&g, &c, 0, 64 * 16 * K, 3);
	while (offset_next(&g, DIR_READ, &offset, &len)) {
		if (len == 16 * K)
			seen[offset / (16 * K)]++;
	}
	for (unsigned i = 0; i < 64; i++)
		assert_true(seen[i] <= 1);
}

/* trimwrite: each trim is followed by the write of the same block. */
static void test_trimwrite(void **state)
{
	static const unsigned rws[] = { 0, RW_RANDOM };

	(void)state;
	for (size_t i = 0; i < COUNT(rws); i++) {
		struct offset_cfg c = config(RW_TRIM | RW_WRITE | RW_TRIMWRITE | rws[i], 4 * K, 4 * K);
		uint64_t trimmed, written, n = 0;
		struct offset_gen g;
		uint32_t len;

		offset_init(&g, &c, START, 64 * K, 3);
		for (; offset_next(&g, DIR_TRIM, &trimmed, &len); n++) {
			assert_true(offset_next(&g, DIR_WRITE, &written, &len));
			assert_int_equal(trimmed, written);
			assert_int_equal(len, 4 * K);
		}
		assert_int_equal(n, 16);
	}
}

/* A write has the size of its trim, whatever bs says about writes. */
static void test_trimwrite_sizes(void **state)
{
	static const struct {
		uint32_t trim_lo, trim_hi, write;
	} rows[] = { { 16 * K, 16 * K, 8 * K }, { 8 * K, 8 * K, 16 * K }, { 4 * K, 32 * K, 12 * K } };

	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++) {
		struct offset_cfg c = config(RW_TRIM | RW_WRITE | RW_TRIMWRITE | RW_RANDOM, 4 * K, 4 * K);
		uint64_t trimmed, written, sum = 0;
		struct offset_gen g;
		uint32_t trim_len, len;

		c.bsize.lo[DIR_TRIM] = rows[i].trim_lo;
		c.bsize.hi[DIR_TRIM] = rows[i].trim_hi;
		c.bsize.lo[DIR_WRITE] = c.bsize.hi[DIR_WRITE] = rows[i].write;
		offset_init(&g, &c, START, 1024 * K, 3);
		for (; offset_next(&g, DIR_TRIM, &trimmed, &trim_len); sum += len) {
			assert_true(offset_next(&g, DIR_WRITE, &written, &len));
			assert_int_equal(trimmed, written);
			assert_int_equal(trim_len, len);
			assert_false(offset_next(&g, DIR_WRITE, &written, &len));
		}
		assert_int_equal(sum, 1024 * K);
	}
}

/* Half of the reads have size lo, the others hi. */
static void split_halves(struct offset_cfg *c, uint32_t lo, uint32_t hi)
{
	c->bsize.split_n[DIR_READ] = 2;
	c->bsize.split[DIR_READ][0] = (struct bssplit_entry){ lo, 50 };
	c->bsize.split[DIR_READ][1] = (struct bssplit_entry){ hi, 50 };
}

static const struct {
	bool norandommap, listed;
	uint32_t lo, hi;
	unsigned nr;
} orders[] = {
	/* clang-format off */
	{ false, false, 4 * K, 4 * K, 1 },
	{ true, false, 4 * K, 4 * K, 1 },
	{ false, false, 4 * K, 16 * K, 1 },
	{ false, true, 4 * K, 16 * K, 1 },
	{ false, false, 4 * K, 4 * K, 4 },
	{ true, false, 4 * K, 16 * K, 1 },
	/* clang-format on */
};

static void draw_some(struct offset_gen *g, uint64_t *out)
{
	uint32_t len;

	for (unsigned i = 0; i < 64; i++) {
		assert_true(offset_next(g, DIR_READ, &out[i], &len));
		out[i] ^= (uint64_t)len << 40;
	}
}

/* The same seed gives the same sequence. Another pass repeats it or is new, as requested. */
static void test_seeds(void **state)
{
	uint64_t a[64], b[64];

	(void)state;
	for (size_t i = 0; i < COUNT(orders); i++) {
		struct offset_cfg c = config(RW_READ | RW_RANDOM, orders[i].lo, orders[i].hi);
		struct offset_gen g, h;

		if (orders[i].listed)
			split_halves(&c, orders[i].lo, orders[i].hi);
		c.norandommap = orders[i].norandommap;
		c.rw_nr = orders[i].nr;
		offset_init(&g, &c, START, 1 << 20, 3);
		offset_init(&h, &c, START, 1 << 20, 3);
		draw_some(&g, a);
		draw_some(&h, b);
		assert_memory_equal(a, b, sizeof(a));
		offset_restart(&g, false);
		draw_some(&g, b);
		assert_memory_equal(a, b, sizeof(a));
		offset_restart(&g, true);
		draw_some(&g, b);
		assert_memory_not_equal(a, b, sizeof(a));
		offset_init(&h, &c, START, 1 << 20, 4);
		draw_some(&h, b);
		assert_memory_not_equal(a, b, sizeof(a));
	}
}

static const struct {
	bool norandommap, listed;
	uint32_t hi;
	unsigned nr;
	unsigned at_k[8];
} recorded[] = {
	/* clang-format off */
	{ false, false, 4 * K, 1, { 640, 304, 88, 912, 96, 160, 212, 80 } },
	{ true, false, 4 * K, 1, { 232, 944, 76, 792, 396, 312, 480, 916 } },
	{ false, false, 16 * K, 1, { 544, 512, 64, 624, 784, 416, 880, 96 } },
	{ false, false, 4 * K, 4, { 640, 644, 648, 652, 304, 308, 312, 316 } },
	{ false, true, 16 * K, 1, { 556, 512, 544, 624, 552, 548, 428, 880 } },
	/* clang-format on */
};

static void test_recorded(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT(recorded); i++) {
		struct offset_cfg c = config(RW_READ | RW_RANDOM, 4 * K, recorded[i].hi);
		struct offset_gen g;
		uint64_t offset;
		uint32_t len;

		if (recorded[i].listed)
			split_halves(&c, 4 * K, recorded[i].hi);
		c.norandommap = recorded[i].norandommap;
		c.rw_nr = recorded[i].nr;
		offset_init(&g, &c, 0, 1 << 20, 1);
		for (unsigned k = 0; k < 8; k++) {
			assert_true(offset_next(&g, DIR_READ, &offset, &len));
			assert_int_equal(offset, recorded[i].at_k[k] * K);
		}
	}
}

int unit_offset(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_strides),
		cmocka_unit_test(test_huge_negative_stride),
		cmocka_unit_test(test_sequential),
		cmocka_unit_test(test_sequential_listed),
		cmocka_unit_test(test_sequential_mix),
		cmocka_unit_test(test_random_blocks),
		cmocka_unit_test(test_random_too_small),
		cmocka_unit_test(test_extents),
		cmocka_unit_test(test_listed_shares),
		cmocka_unit_test(test_listed_small),
		cmocka_unit_test(test_listed_mixed),
		cmocka_unit_test(test_listed_odd),
		cmocka_unit_test(test_listed_many),
		cmocka_unit_test(test_footprint),
		cmocka_unit_test(test_skewed_footprint),
		cmocka_unit_test(test_bytes),
		cmocka_unit_test(test_extents_unaligned),
		cmocka_unit_test(test_extents_scatter),
		cmocka_unit_test(test_norandommap),
		cmocka_unit_test(test_norandommap_sizes),
		cmocka_unit_test(test_blockalign),
		cmocka_unit_test(test_groups),
		cmocka_unit_test(test_group_runs_on),
		cmocka_unit_test(test_group_starts),
		cmocka_unit_test(test_percentage_random),
		cmocka_unit_test(test_percentage_random_directions),
		cmocka_unit_test(test_sizes_by_order),
		cmocka_unit_test(test_sizes_by_order_coverage),
		cmocka_unit_test(test_trimwrite),
		cmocka_unit_test(test_trimwrite_sizes),
		cmocka_unit_test(test_seeds),
		cmocka_unit_test(test_recorded),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
