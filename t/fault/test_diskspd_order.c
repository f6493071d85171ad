/* Does sequential I/O follow DISKSPD's rules (reference diskspd.md 1.5): order, and which threads share a
   position? The engine records the I/Os, and the expected sequences are worked out by hand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>
#include "diskspd_runs.h"

#define TURNS 40u

/* Finds the lane that begins at this offset, since threads come in any order. */
static const struct timed_lane *lane_from(const struct ds_outcome *o, uint64_t offset)
{
	for (unsigned i = 0; i < o->log->lanes; i++)
		if (o->log->lane[i].n && o->log->lane[i].io[0].offset == offset)
			return &o->log->lane[i];
	fail_msg("no thread begins at %llu", (unsigned long long)offset);
	return NULL;
}

/* "6 10 14 | 2 6 10 14": in KiB; the part behind the bar repeats for ever. each: repetitions of an offset
 * before the next. */
static void same_order(const char *line, const struct timed_lane *l, const char *order, unsigned each)
{
	uint64_t want[32];
	unsigned n = 0, again = 0;

	for (const char *at = order; *at; at += strspn(at, " ")) {
		if (*at == '|') {
			again = n;
			at++;
			continue;
		}
		want[n++] = strtoull(at, (char **)(uintptr_t)&at, 10) * K;
	}
	assert_true(l->n >= TURNS);
	for (unsigned i = 0, at = 0; i < TURNS; i++) {
		if (l->io[i].offset != want[at])
			fail_msg("%s: I/O %u is at %llu, and not at %llu", line, i,
				 (unsigned long long)l->io[i].offset, (unsigned long long)want[at]);
		if ((i + 1) % each)
			continue;
		at = at + 1 == n ? again : at + 1;
	}
}

/* Rule 3: the pointer starts at base + T for each earlier thread. If the next block would pass the end, it
   continues at base + (that distance modulo the step). */
static void test_order(void **state)
{
	static const struct {
		const char *line;
		unsigned each;
		const char *order[3]; /* for each thread */
	} rows[] = {
		{ "-b4K -o1 -c18K f", 1, { "|0 4 8 12" } },
		{ "-b4K -o3 -c18K f", 1, { "|0 4 8 12" } },
		{ "-b4K -o1 -B2K -c20K f", 1, { "|2 6 10 14" } },
		{ "-b4K -o1 -f12K -c40K f", 1, { "|0 4 8" } },
		{ "-b4K -o1 -B8K:12K -c40K f", 1, { "|8 12 16" } },
		{ "-b4K -o1 -s12K -c40K f", 1, { "|0 12 24 36" } },
		{ "-b8K -o2 -s4K -c20K f", 1, { "|0 4 8 12" } },
		{ "-b4K -o1 -w50 -c18K f", 1, { "|0 4 8 12" } },
		{ "-b4K -o2 -w30 -s8K -c40K f", 1, { "|0 8 16 24 32" } },
		{ "-b4K -o1 -t2 -T12K -s8K -c40K f", 1, { "|0 8 16 24 32", "12 20 28 36 |4 12 20 28 36" } },
		{ "-b4K -o1 -t2 -T6K -c20K f", 1, { "|0 4 8 12 16", "6 10 14 |2 6 10 14" } },
		{ "-b4K -o2 -t3 -T10K -s8K -c40K f",
		  1,
		  { "|0 8 16 24 32", "10 18 26 34 |2 10 18 26 34", "20 28 36 |4 12 20 28 36" } },
		{ "-b4K -o1 -t2 -B4K -T12K -s8K -c40K f", 1, { "|4 12 20 28 36", "16 24 32 |8 16 24 32" } },
		{ "-b4K -o1 -F2 -T6K -c20K f", 1, { "|0 4 8 12 16", "6 10 14 |2 6 10 14" } },
		{ "-b4K -o1 -t2 -w40 -T6K -c20K f", 1, { "|0 4 8 12 16", "6 10 14 |2 6 10 14" } },
		/* With one thread -si has no effect. */
		{ "-b4K -o1 -si -c18K f", 1, { "|0 4 8 12" } },
		/* Rule 6. */
		{ "-b4K -o3 -p -c18K f", 3, { "|0 4 8 12" } },
		{ "-b4K -o3 -p -s8K -w50 -c40K f", 3, { "|0 8 16 24 32" } },
		{ "-b4K -o3 -p -g90i -c18K f", 3, { "|0 4 8 12" } },
		{ "-b4K -o3 -p -i4 -j20 -c18K f", 3, { "|0 4 8 12" } },
		{ "-b4K -o2 -p -t2 -T6K -c20K f", 2, { "|0 4 8 12 16", "6 10 14 |2 6 10 14" } },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		char line[128] = "-W0 -d1 ";
		struct ds_outcome o;

		ds_run_line(&o, strcat(line, rows[i].line), 10 * MS);
		for (unsigned t = 0; t < 3 && rows[i].order[t]; t++) {
			uint64_t first =
				strtoull(rows[i].order[t] + (*rows[i].order[t] == '|'), NULL, 10) * K;

			same_order(line, lane_from(&o, first), rows[i].order[t], rows[i].each);
		}
		ds_outcome_fini(&o);
	}
}

/* Rule 4: all threads read the same blocks. */
static void test_same_blocks(void **state)
{
	static const char line[] = "-W0 -d1 -b4K -o1 -t3 -c18K f";
	struct ds_outcome o;

	(void)state;
	ds_run_line(&o, line, 10 * MS);
	assert_int_equal(o.log->lanes, 3);
	for (unsigned i = 0; i < 3; i++)
		same_order(line, &o.log->lane[i], "|0 4 8 12", 1);
	ds_outcome_fini(&o);
}

/* Rule 5: all threads of a target share one counter, modulo the places. Together they use each place equally
   often, and no thread alone uses them in sequence. */
static void interlocked(const char *line, unsigned threads, uint64_t step, unsigned places)
{
	unsigned long long count[16] = { 0 }, all = 0;
	struct ds_outcome o;

	ds_run_line(&o, line, 10 * MS);
	assert_int_equal(o.log->lanes, threads);
	for (unsigned i = 0; i < threads; i++) {
		const struct timed_lane *l = &o.log->lane[i];

		assert_true(l->n >= 100);
		for (unsigned k = 0; k < l->n; k++, all++) {
			assert_int_equal(l->io[k].offset % step, 0);
			assert_true(l->io[k].offset / step < places);
			count[l->io[k].offset / step]++;
		}
	}
	/* The counter began at 0. */
	for (unsigned i = 0; i < places; i++)
		assert_int_equal(count[i], all / places + (i < all % places));
	ds_outcome_fini(&o);
}

static void test_interlocked(void **state)
{
	(void)state;
	interlocked("-W0 -d1 -b4K -o1 -si -t2 -c18K f", 2, 4 * K, 4);
	interlocked("-W0 -d1 -b4K -o2 -si8K -t3 -c40K f", 3, 8 * K, 5);
	interlocked("-W0 -d1 -b4K -o1 -si -w50 -t2 -c18K f", 2, 4 * K, 4);
	interlocked("-W0 -d1 -b4K -o2 -si -F2 -c18K f", 2, 4 * K, 4);
}

/* Rules 1 and 2 under -F: a number in flight to each target, with a pointer per thread and target. */
static void test_each_target(void **state)
{
	struct ds_outcome o;

	(void)state;
	ds_run_line(&o, "-W0 -d1 -b4K -F2 -o2 -c18K a b c", 10 * MS);
	assert_int_equal(o.log->lanes, 2);
	for (unsigned i = 0; i < 2; i++) {
		const struct timed_lane *l = &o.log->lane[i];
		unsigned begun[3] = { 0 }, at_start[3] = { 0 };

		for (unsigned k = 0; k < l->n; k++) {
			const struct timed_io *io = &l->io[k];

			assert_true(io->target < 3);
			assert_int_equal(io->offset, begun[io->target]++ % 4 * 4 * K);
			at_start[io->target] += io->at_ns == START;
		}
		for (unsigned t = 0; t < 3; t++) {
			assert_int_equal(at_start[t], 2);
			assert_int_equal(begun[t], begun[0]);
		}
		assert_true(begun[0] >= 200);
	}
	ds_outcome_fini(&o);
}

/* -O: a number in flight over all targets, each to a random one; within a target they are sequential. */
static void test_pool(void **state)
{
	unsigned begun[2] = { 0 }, at_start = 0;
	const struct timed_lane *l;
	struct ds_outcome o;

	(void)state;
	ds_run_line(&o, "-W0 -d10 -b4K -F1 -O4 -c18K a b", 20 * MS);
	assert_int_equal(o.log->lanes, 1);
	l = &o.log->lane[0];
	for (unsigned k = 0; k < l->n; k++) {
		assert_true(l->io[k].target < 2);
		assert_int_equal(l->io[k].offset, begun[l->io[k].target]++ % 4 * 4 * K);
		at_start += l->io[k].at_ns == START;
	}
	assert_int_equal(at_start, 4);
	/* 2000 coins: 22 is one deviation. */
	assert_in_range(l->n, 2000, 2004);
	assert_in_range(begun[0], 850, 1150);
	ds_outcome_fini(&o);
}

int unit_diskspd_order(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_order),       cmocka_unit_test(test_same_blocks),
		cmocka_unit_test(test_interlocked), cmocka_unit_test(test_each_target),
		cmocka_unit_test(test_pool),
	};

	ds_virtual();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
