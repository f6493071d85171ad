/* When do DISKSPD's I/Os start, and which of them count (reference diskspd.md 1.2, and 1.5 rules 11 and 13)?
   On a virtual clock, with times worked out by hand and exact to the nanosecond. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <string.h>
#include "diskspd_runs.h"

static const struct moments *lat(const struct ds_outcome *o, unsigned dir)
{
	return &o->all.st->dir[dir].lat[LAT_LAT];
}

/* I/Os of 290 ms one after another: the k-th ends at k * 290 ms. With a warm-up of 1 s and 2 s of measurement
   those that end at 1160, 1450 ... 2900 ms count, although the first began earlier; the one that ends at 3190
   does not. */
static void test_windows(void **state)
{
	static const struct {
		const char *line;
		unsigned ios, begun;
	} rows[] = {
		{ "-W1 -d2 -C1 -b4K -o1 -L -c1M f", 7, 14 },
		{ "-W1 -d2 -b4K -o1 -L -c1M f", 7, 11 },
		{ "-W1 -d2 -C3 -b4K -o1 -L -c1M f", 7, 21 },
		{ "-W0 -d2 -C1 -b4K -o1 -L -c1M f", 6, 11 },
		{ "-W1 -d0 -C1 -b4K -o1 -L -c1M f", 0, 7 },
		{ "-W1 -d2 -C1 -b4K -o3 -L -c1M f", 21, 42 },
		{ "-W1 -d2 -C1 -b4K -o1 -t2 -w100 -L -c1M f", 14, 14 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		unsigned dir = strstr(rows[i].line, "-w100") ? 1 : 0;
		struct ds_outcome o;

		ds_run_line(&o, rows[i].line, 290 * MS);
		if (o.all.st->dir[dir].ios != rows[i].ios || o.log->lane[0].n != rows[i].begun)
			fail_msg("%s: %u counted, %u begun", rows[i].line, (unsigned)o.all.st->dir[dir].ios,
				 o.log->lane[0].n);
		assert_int_equal(o.all.st->dir[dir].bytes, rows[i].ios * 4 * K);
		if (rows[i].ios) {
			assert_int_equal(lat(&o, dir)->min, 290 * MS);
			assert_int_equal(lat(&o, dir)->max, 290 * MS);
		}
		ds_outcome_fini(&o);
	}
}

/* I/Os of 1 ms: a burst, divided among the threads, then a rest. */
static void test_bursts(void **state)
{
	static const struct {
		const char *line;
		unsigned lanes, burst, period_ms;
	} rows[] = {
		{ "-W0 -d1 -b4K -o1 -i4 -j10 -c1M f", 1, 4, 14 },
		{ "-W0 -d1 -b4K -o1 -i4 -j10 -t2 -c1M f", 2, 2, 12 },
		{ "-W0 -d1 -b4K -o1 -i6 -j20 -F3 -c1M f", 3, 2, 22 },
		{ "-W0 -d1 -b4K -o1 -i1 -j9 -r -w50 -c1M f", 1, 1, 10 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct ds_outcome o;

		ds_run_line(&o, rows[i].line, MS);
		assert_int_equal(o.log->lanes, rows[i].lanes);
		for (unsigned t = 0; t < rows[i].lanes; t++) {
			const struct timed_lane *l = &o.log->lane[t];

			assert_true(l->n >= 10);
			for (unsigned k = 0; k < l->n; k++) {
				uint64_t want = k / rows[i].burst * rows[i].period_ms + k % rows[i].burst;

				if (l->io[k].at_ns != START + want * MS)
					fail_msg("%s: I/O %u is at %llu ns", rows[i].line, k,
						 (unsigned long long)(l->io[k].at_ns - START));
			}
		}
		ds_outcome_fini(&o);
	}
}

/* The rate of each thread and target in 2 s, reads and writes together, in equal steps. */
static void test_rates(void **state)
{
	static const struct {
		const char *line;
		unsigned lanes, ios; /* in each lane and target */
	} rows[] = {
		{ "-b4K -o1 -g4096 -c1M f", 1, 2000 }, /* bytes in a ms */
		{ "-b8K -o2 -g4096 -c1M f", 1, 1000 },
		{ "-b4K -o4 -g4096 -w50 -c1M f", 1, 2000 },
		{ "-b4K -o1 -g500i -c1M f", 1, 1000 },
		{ "-b64K -o2 -g500i -w30 -r -c10M f", 1, 1000 },
		{ "-b4K -o2 -g500i -t3 -c1M f", 3, 1000 },
		{ "-b4K -o1 -g500i -i10 -j100 -c1M f", 1, 1000 }, /* think time is ignored */
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		char line[128] = "-W0 -d2 ";
		struct ds_outcome o;

		ds_run_line(&o, strcat(line, rows[i].line), MS / 10);
		assert_int_equal(o.log->lanes, rows[i].lanes);
		for (unsigned t = 0; t < rows[i].lanes; t++) {
			const struct timed_lane *l = &o.log->lane[t];
			uint64_t gap = 2 * S / rows[i].ios;

			if (l->n < rows[i].ios - 1 || l->n > rows[i].ios + 1)
				fail_msg("%s: %u I/Os", line, l->n);
			/* With one in flight it waits before each I/O, and no other I/O delays it. */
			if (strstr(line, "-o1") && !strstr(line, "-t3")) {
				assert_in_range(o.all.cnt.due_waits_idle, rows[i].ios - 1, rows[i].ios + 1);
				assert_int_equal(o.all.cnt.due_waits_engine, 0);
			}
			/* It polls about every ms, so none starts early. */
			for (unsigned k = 0; k < l->n; k++) {
				assert_true(l->io[k].at_ns - START >= k * gap);
				assert_true(l->io[k].at_ns - START <= k * gap + MS);
			}
		}
		ds_outcome_fini(&o);
	}
}

int unit_diskspd_pace(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_windows),
		cmocka_unit_test(test_bursts),
		cmocka_unit_test(test_rates),
	};

	ds_virtual();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
