/* Which offsets and directions does DISKSPD draw (reference diskspd.md 1.3, and 1.5 rules 7 to 9)? The engine
   records them. Seeds are fixed, so the draws repeat; bounds are four deviations. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <string.h>
#include "diskspd_runs.h"

#define DIR_WRITE 1

static const struct timed_lane *only(const struct ds_outcome *o)
{
	assert_int_equal(o->log->lanes, 1);
	assert_in_range(o->log->lane[0].n, 4000, TIMED_IOS - 1);
	return &o->log->lane[0];
}

/* n successes of so many draws, each with this probability. */
static void near_chance(unsigned n, unsigned of, double p)
{
	double d = n - of * p;

	if (d * d > 16 * of * p * (1 - p))
		fail_msg("%u of %u is not near %.3f of them", n, of, p);
}

static void near(unsigned n, unsigned of, unsigned percent)
{
	near_chance(n, of, percent / 100.0);
}

/* Offsets are aligned relative to the base, a whole block fits, and draws repeat. */
static void test_places(void **state)
{
	static const struct {
		const char *line;
		unsigned first, step, places; /* KiB */
	} rows[] = {
		{ "-b4K -r -c40K f", 0, 4, 10 },
		{ "-b4K -r -c42K f", 0, 4, 10 },
		{ "-b4K -r8K -B2K -f42K -c1M f", 2, 8, 5 },
		{ "-b4K -r8K -B2K -f36K -c1M f", 2, 8, 4 },
		{ "-b8K -r -B4K:22K -c1M f", 4, 8, 2 },
		{ "-b8K -r4K -c20K f", 0, 4, 4 },
		{ "-b4K -r2K -w40 -B1K -c12K f", 1, 2, 4 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		unsigned count[16] = { 0 }, same = 0;
		const struct timed_lane *l;
		struct ds_outcome o;
		char line[128] = "-W0 -d10 ";

		ds_run_line(&o, strcat(line, rows[i].line), 4 * MS);
		l = only(&o);
		for (unsigned k = 0; k < l->n; k++) {
			uint64_t at = l->io[k].offset - rows[i].first * K;

			assert_int_equal(at % (rows[i].step * K), 0);
			assert_true(at / (rows[i].step * K) < rows[i].places);
			count[at / (rows[i].step * K)]++;
			same += k && l->io[k].offset == l->io[k - 1].offset;
		}
		for (unsigned k = 0; k < rows[i].places; k++)
			near_chance(count[k], l->n, 1.0 / rows[i].places);
		near_chance(same, l->n - 1, 1.0 / rows[i].places);
		ds_outcome_fini(&o);
	}
}

/* Each thread draws for itself. */
static void test_threads(void **state)
{
	struct ds_outcome o;
	unsigned same = 0;

	(void)state;
	ds_run_line(&o, "-W0 -d10 -b4K -o1 -t2 -r -w50 -c1G f", 5 * MS);
	assert_int_equal(o.log->lanes, 2);
	for (unsigned k = 0; k < 1000; k++)
		same += o.log->lane[0].io[k].offset == o.log->lane[1].io[k].offset;
	assert_true(same < 5);
	ds_outcome_fini(&o);
}

/* A coin per I/O: the generator does not balance earlier draws. */
static void test_shares(void **state)
{
	static const unsigned percents[] = { 0, 1, 30, 50, 75, 100 };

	(void)state;
	for (size_t i = 0; i < sizeof(percents) / sizeof(*percents); i++) {
		long ahead = 0, most = 0;
		unsigned writes = 0;
		const struct timed_lane *l;
		struct ds_outcome o;
		char line[64];

		snprintf(line, sizeof(line), "-W0 -d10 -b4K -w%u %s -c1G f", percents[i], i % 2 ? "-r" : "");
		ds_run_line(&o, line, 4 * MS);
		l = only(&o);
		for (unsigned k = 0; k < l->n; k++) {
			long off;

			writes += l->io[k].dir == DIR_WRITE;
			ahead += 100 * (l->io[k].dir == DIR_WRITE) - (long)percents[i];
			off = ahead < 0 ? -ahead : ahead;
			most = off > most ? off : most;
		}
		near(writes, l->n, percents[i]);
		if (percents[i] > 1 && percents[i] < 100)
			assert_true(most > 1000);
		ds_outcome_fini(&o);
	}
}

/* A sequential I/O follows the one before it, random or not, and keeps its direction. At random I/Os the
 * direction is drawn again. */
static void test_runs(void **state)
{
	static const unsigned percents[] = { 10, 50, 90 };

	(void)state;
	for (size_t i = 0; i < sizeof(percents) / sizeof(*percents); i++) {
		unsigned jumps = 0, turns = 0, writes = 0;
		const struct timed_lane *l;
		struct ds_outcome o;
		char line[64];

		snprintf(line, sizeof(line), "-W0 -d10 -b4K -rs%u -w40 -c64G f", percents[i]);
		ds_run_line(&o, line, 4 * MS);
		l = only(&o);
		for (unsigned k = 1; k < l->n; k++) {
			bool jump = l->io[k].offset != l->io[k - 1].offset + 4 * K;

			jumps += jump;
			writes += jump && l->io[k].dir == DIR_WRITE;
			turns += jump && l->io[k].dir != l->io[k - 1].dir;
			assert_true(jump || l->io[k].dir == l->io[k - 1].dir);
		}
		near(jumps, l->n - 1, percents[i]);
		near(writes, jumps, 40);
		near(turns, jumps, 48); /* 2 * 0.4 * 0.6 */
		ds_outcome_fini(&o);
	}
}

/* Ranges on a target of 400 KiB; the last one is the rest that the line leaves out. */
static void test_distributions(void **state)
{
	static const struct {
		const char *line;
		struct {
			unsigned blocks;
			double share;
		} range[4];
	} rows[] = {
		{ "-r -rdpct90/10:0/10:5/20", { { 10, 0.9 }, { 10, 0 }, { 20, 0.05 }, { 60, 0.05 } } },
		{ "-r -rdpct60/50:40/50", { { 50, 0.6 }, { 50, 0.4 } } },
		{ "-r -rdabs60/40K:10/80K", { { 10, 0.6 }, { 20, 0.1 }, { 70, 0.3 } } },
		{ "-r -rdabs100/80K", { { 20, 1 }, { 80, 0 } } },
		/* The second range is cut off, the third lies beyond the end: 50 and 25 are all that is left.
		 */
		{ "-r -rdabs50/200K:25/1M:25/1M", { { 50, 2 / 3.0 }, { 50, 1 / 3.0 } } },
		{ "-r -rdabs90/10G:0/10G:5/20G", { { 100, 1 } } },
		/* 32 KiB end within a block of 12. */
		{ "-r -b12K -rdabs80/32K", { { 6, 0.8 }, { 94, 0.2 } } },
		/* The share of a range smaller than a block goes to the next range that has one. */
		{ "-r12K -rdabs30/8K:20/40K:50/352K", { { 12, 0.5 }, { 88, 0.5 } } },
		{ "-r -b20K -rdpct30/4:0/46:70/50", { { 50, 0 }, { 50, 1 } } },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		unsigned count[100] = { 0 };
		const struct timed_lane *l;
		struct ds_outcome o;
		char line[128];

		snprintf(line, sizeof(line), "-W0 -d10 -b4K %s -c400K f", rows[i].line);
		ds_run_line(&o, line, 4 * MS);
		l = only(&o);
		for (unsigned k = 0; k < l->n; k++)
			count[l->io[k].offset / (4 * K)]++;
		for (unsigned k = 0, at = 0; k < 4 && rows[i].range[k].blocks; k++) {
			unsigned sum = 0;

			for (unsigned b = 0; b < rows[i].range[k].blocks; b++)
				sum += count[at++];
			near_chance(sum, l->n, rows[i].range[k].share);
		}
		ds_outcome_fini(&o);
	}
}

int unit_diskspd_chance(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_places),        cmocka_unit_test(test_threads),
		cmocka_unit_test(test_shares),        cmocka_unit_test(test_runs),
		cmocka_unit_test(test_distributions),
	};

	ds_virtual();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
