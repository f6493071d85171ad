/* Wrapping sequential I/O and runs, compared with sequences worked out by hand from DISKSPD's rules
   (reference diskspd.md 1.5). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include "offset.h"

#define K      1024u
#define RW     (RW_READ | RW_WRITE)
#define START  (1024 * (uint64_t)K)
#define LEN(a) (sizeof(a) / sizeof((a)[0]))

static struct offset_cfg config(unsigned rw, uint32_t block_k, int64_t step_k)
{
	struct offset_cfg c = { .rw = rw, .rw_nr = 1, .rw_stride = (step_k - block_k) * (int64_t)K };

	for (unsigned d = 0; d < DIR_DATA; d++) {
		c.bsize.lo[d] = c.bsize.hi[d] = block_k * K;
		c.random_percent[d] = 100;
	}
	return c;
}

/* In KiB, relative to the range. */
static unsigned next_k(struct offset_gen *g, enum io_dir dir)
{
	uint64_t offset;
	uint32_t len;

	assert_true(offset_next(g, dir, &offset, &len));
	assert_true(offset >= g->start && offset + len <= g->start + g->len);
	return (unsigned)((offset - g->start) / K);
}

/* clang-format off */
static const struct {
	const char *what;
	enum seq_wrap wrap;
	unsigned block_k, step_k, len_k, first_k;
	unsigned n, at_k[12];
} walks[] = {
	{ "step 12k, first thread", SEQ_WRAP_TARGET, 4, 12, 40, 0, 6, { 0, 12, 24, 36, 0, 12 } },
	{ "second: back to its own 4k", SEQ_WRAP_TARGET, 4, 12, 40, 4, 5, { 4, 16, 28, 4, 16 } },
	{ "fifth: 16k mod 12k is 4k", SEQ_WRAP_TARGET, 4, 12, 40, 16, 5, { 16, 28, 4, 16, 28 } },
	{ "stride of threads, blocks in order: to the start", SEQ_WRAP_TARGET, 4, 4, 40, 32, 5, { 32, 36, 0, 4, 8 } },
	{ "blocks overlap", SEQ_WRAP_TARGET, 8, 4, 20, 0, 6, { 0, 4, 8, 12, 0, 4 } },
	{ "a tail is left out", SEQ_WRAP_TARGET, 8, 8, 28, 0, 5, { 0, 8, 16, 0, 8 } },
	{ "one block", SEQ_WRAP_TARGET, 4, 4, 4, 0, 3, { 0, 0, 0 } },
	{ "the step is longer than the range", SEQ_WRAP_TARGET, 4, 64, 40, 36, 3, { 36, 36, 36 } },
	{ "at its own start", SEQ_WRAP_START, 4, 12, 40, 0, 6, { 0, 12, 24, 36, 0, 12 } },
};

/* clang-format on */

static void test_walks(void **state)
{
	(void)state;
	for (size_t i = 0; i < LEN(walks); i++) {
		struct offset_cfg c = config(RW_READ, walks[i].block_k, walks[i].step_k);
		struct offset_gen g;

		c.wrap = walks[i].wrap;
		c.shared_pos = true;
		offset_init(&g, &c, START, walks[i].len_k * (uint64_t)K, 1);
		offset_set_first(&g, walks[i].first_k * (uint64_t)K);
		for (unsigned k = 0; k < walks[i].n; k++) {
			unsigned at = next_k(&g, DIR_READ);

			if (at != walks[i].at_k[k])
				fail_msg("%s: I/O %u at %u KiB", walks[i].what, k, at);
			if (k == 1)
				offset_restart(&g, true); /* the position is kept */
		}
	}
}

static void test_positions(void **state)
{
	static const enum io_dir dirs[] = { DIR_READ, DIR_WRITE, DIR_WRITE, DIR_READ };
	static const unsigned one[] = { 0, 4, 8, 12 }, each[] = { 0, 0, 4, 4 };
	struct offset_cfg c = config(RW, 4, 4);
	struct offset_gen g;

	(void)state;
	c.wrap = SEQ_WRAP_TARGET;
	for (unsigned both = 0; both < 2; both++) {
		c.shared_pos = both;
		offset_init(&g, &c, START, 40 * K, 1);
		for (unsigned k = 0; k < 4; k++)
			assert_int_equal(next_k(&g, dirs[k]), both ? one[k] : each[k]);
	}
}

static void test_shared(void **state)
{
	static const unsigned at[] = { 0, 12, 24, 36, 0, 12, 24 };
	struct offset_cfg c = config(RW, 4, 12);
	_Atomic uint64_t turns = 0;
	struct offset_gen g[2];

	(void)state;
	c.shared = true;
	for (unsigned k = 0; k < 2; k++) {
		offset_init(&g[k], &c, START, 43 * K, k);
		offset_share(&g[k], &turns);
	}
	for (unsigned k = 0; k < LEN(at); k++)
		assert_int_equal(next_k(&g[k % 2], k % 3 ? DIR_READ : DIR_WRITE), at[k]);
}

/* Each I/O goes anywhere, aligned, or one step on from the last one and in its direction. */
static void runs_of(unsigned percent, unsigned align_k)
{
	struct offset_cfg c = config(RW | RW_RANDOM, 8, 8);
	struct mix_cfg half = { 50 };
	unsigned last = UINT32_MAX, follow = 0, turned = 0, writes = 0, n = 20000;
	enum io_dir before = DIR_READ;
	struct offset_gen g;
	struct mixer m;

	c.runs = SEQ_RUNS_HOMOGENEOUS;
	c.norandommap = true;
	for (unsigned d = 0; d < DIR_DATA; d++) {
		c.random_percent[d] = percent;
		c.ba[d] = align_k * K;
	}
	offset_init(&g, &c, START, (uint64_t)1 << 30, 5);
	mix_init(&m, &half, c.rw, 3);
	assert_true(offset_has_runs(&g));
	for (unsigned i = 0; i < n; i++) {
		enum io_dir dir = offset_draw_run_dir(&g, &m);
		bool anywhere = g.run_random;
		unsigned at = next_k(&g, dir);

		assert_int_equal(at % align_k, 0);
		writes += dir == DIR_WRITE;
		if (!anywhere && i) {
			follow++;
			assert_true(at == last + align_k || (at == 0 && last + align_k > (1 << 20) - 8));
			assert_int_equal(dir, before);
		}
		turned += dir != before;
		before = dir;
		last = at;
	}
	/* Binomial, 20000 draws: 5 standard deviations are under 360. */
	assert_in_range(n - follow, n * percent / 100 - 360, n * percent / 100 + 360);
	assert_true(turned > 0 && turned < n - follow);
	assert_in_range(writes, n / 4, n * 3 / 4);
}

static void test_runs(void **state)
{
	(void)state;
	runs_of(20, 8);
	runs_of(50, 4);
	runs_of(90, 32);
}

/* At the end of the range a run continues at the start. */
static void test_run_at_end(void **state)
{
	struct offset_cfg c = config(RW_READ | RW_RANDOM, 4, 4);
	struct mix_cfg reads = { 100 };
	struct offset_gen g;
	struct mixer m;

	(void)state;
	c.runs = SEQ_RUNS_HOMOGENEOUS;
	c.norandommap = true;
	c.random_percent[DIR_READ] = 0;
	offset_init(&g, &c, START, 12 * K, 5);
	mix_init(&m, &reads, c.rw, 3);
	for (unsigned i = 0; i < 7; i++) {
		assert_int_equal(offset_draw_run_dir(&g, &m), DIR_READ);
		assert_int_equal(next_k(&g, DIR_READ), i % 3 * 4);
	}
}

int unit_seq_wrap(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_walks),      cmocka_unit_test(test_positions),
		cmocka_unit_test(test_shared),     cmocka_unit_test(test_runs),
		cmocka_unit_test(test_run_at_end),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
