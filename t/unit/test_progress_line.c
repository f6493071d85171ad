/* What does the progress line show, and does it fit the terminal? */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "progress_sum.h"
#include "report.h"
#include "strbuf.h"

#define MIB (1024u * 1024u)

/* clang-format off */
static const struct { struct progress p; const char *line; } lines[] = {
	{ { .running = 1, .files = 1, .states = "m", .percent_known = true, .percent = 75, .eta_known = true, .eta_s = 1,
	    .bw = { 202 * MIB, 90806682, 0 }, .iops = { 51700, 22200, 0 } },
	  "Jobs: 1 (f=1): [m(1)][75.0%][r=202MiB/s,w=86.6MiB/s][r=51.7k,w=22.2k IOPS][eta 00m:01s]" },
	{ { .running = 3, .files = 3, .states = "rrrP", .percent_known = true, .eta_known = true,
	    .eta_s = 3 * 86400 + 6 * 3600 + 28 * 60 + 14, .rate_iops_hi = 3000,
	    .bw = { 10957619, 0, 0 }, .iops = { 2737, 0, 0 } },
	  "Jobs: 3 (f=3), 0-3000 IOPS: [r(3),P(1)][0.0%][r=10.4MiB/s][r=2737 IOPS][eta 03d:06h:28m:14s]" },
	{ { .running = 3, .files = 3, .states = "m_m_X", .rate_hi = 9216 * 1024, .bw = { 0, 6297600, 0 }, .iops = { 0, 1537, 0 } },
	  "Jobs: 3 (f=3), 0B/s-9216KiB/s: [m(1),_(1),m(1),_(1),X(1)][-.-%][w=6150KiB/s][w=1537 IOPS][eta --m:--s]" },
	{ { .running = 2, .files = 2, .states = "RR", .eta_known = true, .eta_s = 7325 },
	  "Jobs: 2 (f=2): [R(2)][-.-%][0B/s][0 IOPS][eta 02h:02m:05s]" },
	{ { .running = 1, .files = 0, .states = "D", .eta_known = true, .eta_s = 60, .percent_known = true, .percent = 100,
	    .bw = { 0, 0, 1000000 }, .iops = { 0, 0, 250 }, .units.kb_base = 1000 },
	  "Jobs: 1 (f=0): [D(1)][100.0%][t=1000kB/s][t=250 IOPS][eta 01m:00s]" },
	{ { .running = 4, .files = 4, .states = "LLLL", .percent_known = true, .percent = 12.5, .eta_known = true, .eta_s = 9,
	    .layout_done = 15ull << 30, .layout_total = 120ull << 30 },
	  "Jobs: 4 (f=4): [L(4)][layout 15.0GiB of 120GiB][12.5%][eta 00m:09s]" },
	{ { .states = NULL }, "Jobs: 0 (f=0): [][-.-%][0B/s][0 IOPS][eta --m:--s]" },
	{ { .running = 1, .files = 1, .states = "pf/", .rate_iops_lo = 100 },
	  "Jobs: 1 (f=1), 100-0 IOPS: [p(1),f(1),/(1)][-.-%][0B/s][0 IOPS][eta --m:--s]" },
	{ { .running = 2, .files = 2, .states = "mX", .rate_lo = 2048, .rate_hi = 3072 * 1024, .percent_known = true,
	    .percent = 66.7, .eta_known = true, .eta_s = 2, .bw = { 1045504, 2095104 }, .iops = { 255, 511 } },
	  "Jobs: 2 (f=2), 2048B/s-3072KiB/s: [m(1),X(1)][66.7%][r=1021KiB/s,w=2046KiB/s][r=255,w=511 IOPS][eta 00m:02s]" },
	{ { .running = 1, .files = 1, .states = "r", .rate_lo = MIB, .rate_hi = 2 * MIB, .rate_iops_lo = 10, .rate_iops_hi = 20,
	    .bw = { 1, 2, 3 }, .iops = { 1, 2, 3 }, .eta_known = true },
	  "Jobs: 1 (f=1), 1024KiB/s-2048KiB/s, 10-20 IOPS: [r(1)][-.-%][r=1B/s,w=2B/s,t=3B/s][r=1,w=2,t=3 IOPS][eta 00m:00s]" },
};
/* clang-format on */

static void line_is_fios(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++) {
		struct strbuf b = { 0 };

		report_progress(&lines[i].p, &b);
		assert_string_equal(strbuf_str(&b), lines[i].line);
		strbuf_fini(&b);
	}
}

/* A thousand workers in one state take as much room as one. */
static void states_are_run_lengths(void **state)
{
	char states[1001];
	struct strbuf b = { 0 };
	struct progress p = { .running = 1000, .files = 1000, .states = states };

	(void)state;
	for (unsigned i = 0; i < 1000; i++)
		states[i] = i < 999 ? 'w' : 'f';
	states[1000] = '\0';
	report_progress(&p, &b);
	assert_string_equal(strbuf_str(&b),
			    "Jobs: 1000 (f=1000): [w(999),f(1)][-.-%][0B/s][0 IOPS][eta --m:--s]");
	strbuf_fini(&b);
}

/* 500 workers in several states, in a terminal of each width: the line is shorter than it, and the states are
   cut between two of them. */
static void line_fits(void **state)
{
	static const char kinds[] = "rwRm_";
	char states[501] = "";
	struct progress p = { .running = 500,
			      .files = 500,
			      .states = states,
			      .rate_iops_hi = 50000,
			      .percent_known = true,
			      .percent = 50,
			      .eta_known = true,
			      .bw[0] = MIB,
			      .iops[0] = 256 };
	struct strbuf b = { 0 };

	(void)state;
	for (unsigned i = 0; i < 500; i++)
		states[i] = kinds[i % 5];
	for (p.columns = 1; p.columns < 3000; p.columns++) {
		strbuf_clear(&b);
		report_progress(&p, &b);
		assert_true(b.len < p.columns && b.len == strlen(strbuf_str(&b)));
		if (p.columns < 90)
			continue;
		assert_non_null(strstr(b.text, "Jobs: 500 (f=500), 0-50000 IOPS: ["));
		assert_non_null(strstr(b.text, "][50.0%][r=1024KiB/s][r=256 IOPS][eta 00m:00s]"));
		assert_int_equal(strstr(b.text, ",...]") == NULL, p.columns >= 2580);
	}
	strbuf_fini(&b);
}

/* clang-format off */
static const struct { unsigned columns; const char *states, *line; } fits[] = {
	{ 0, "rw", "Jobs: 0 (f=0): [r(1),w(1)][-.-%][0B/s][0 IOPS][eta --m:--s]" },
	{ 60, "rw", "Jobs: 0 (f=0): [r(1),w(1)][-.-%][0B/s][0 IOPS][eta --m:--s]" },
	{ 59, "rw", "Jobs: 0 (f=0): [r(1),...][-.-%][0B/s][0 IOPS][eta --m:--s]" },
	{ 58, "rw", "Jobs: 0 (f=0): [...][-.-%][0B/s][0 IOPS][eta --m:--s]" },
	{ 65, "rwr", "Jobs: 0 (f=0): [r(1),w(1),r(1)][-.-%][0B/s][0 IOPS][eta --m:--s]" },
	{ 64, "rwr", "Jobs: 0 (f=0): [r(1),w(1),...][-.-%][0B/s][0 IOPS][eta --m:--s]" },
	{ 20, "rw", "Jobs: 0 (f=0): [..." },
	{ 1, "rw", "" },
};
/* clang-format on */

static void states_are_cut(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(fits) / sizeof(fits[0]); i++) {
		struct progress p = { .states = fits[i].states, .columns = fits[i].columns };
		struct strbuf b = { 0 };

		report_progress(&p, &b);
		assert_string_equal(strbuf_str(&b), fits[i].line);
		strbuf_fini(&b);
	}
}

/* The figures are those of the rows, added by hand. */
static void ranks_make_one_line(void **state)
{
	static const struct progress of[] = {
		{ .running = 2,
		  .files = 2,
		  .states = "rw",
		  .eta_known = true,
		  .eta_s = 20,
		  .bw = { 3 * MIB, MIB },
		  .iops = { 300, 100 },
		  .rate_iops_hi = 500 },
		{ .running = 1,
		  .files = 4,
		  .states = "r_",
		  .eta_known = true,
		  .eta_s = 30,
		  .bw = { 2 * MIB },
		  .iops = { 200 } },
		{ .running = 1, .states = "LP", .eta_known = true, .layout_done = 5, .layout_total = 10 },
		{ .states = "EX", .eta_known = true },
		{ .running = 1, .states = "IP", .eta_known = true },
	};
	struct progress_sum sum = { 0 };
	struct progress_record part;
	struct progress p = { 0 };
	struct strbuf states = { 0 }, ranks = { 0 }, line = { 0 };

	(void)state;
	for (size_t i = 0; i < sizeof(of) / sizeof(of[0]); i++) {
		progress_record_set(&part, &of[i]);
		progress_sum_add(&sum, &part);
	}
	progress_sum_put(&sum, 10, &states, &p);
	progress_sum_ranks(&sum, &ranks);
	p.ranks = strbuf_str(&ranks);
	report_progress(&p, &line);
	assert_string_equal(strbuf_str(&line),
			    "Jobs: 5 (f=6), 0-500 IOPS: [r(2),w(1),L(1),I(1),P(2),E(1),_(1),X(1)][25.0%]"
			    "[r=5120KiB/s,w=1024KiB/s][r=500,w=100 IOPS][eta 00m:30s]"
			    "[1 laying out, 1 waiting, 2 running, 1 done]");
	strbuf_fini(&states);
	strbuf_fini(&ranks);
	strbuf_fini(&line);
}

/* While no rank does I/O, the line shows what is laid out. One rank that cannot say how long it takes makes
   the time of all unknown. */
static void layout_of_ranks(void **state)
{
	static const struct progress of[] = {
		{ .states = "L", .eta_known = true, .eta_s = 5, .layout_done = 1, .layout_total = 10 },
		{ .states = "L", .layout_done = 2, .layout_total = 10 },
	};
	struct progress_sum sum = { 0 };
	struct progress_record part;
	struct progress p = { 0 };
	struct strbuf states = { 0 };

	(void)state;
	for (size_t i = 0; i < sizeof(of) / sizeof(of[0]); i++) {
		progress_record_set(&part, &of[i]);
		progress_sum_add(&sum, &part);
	}
	progress_sum_put(&sum, 10, &states, &p);
	assert_int_equal(p.layout_done, 3);
	assert_int_equal(p.layout_total, 20);
	assert_false(p.eta_known);
	assert_false(p.percent_known);
	assert_int_equal(sum.ranks[RANK_LAYOUT], 2);
	strbuf_fini(&states);
}

int unit_progress_line(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(ranks_make_one_line), cmocka_unit_test(layout_of_ranks),
		cmocka_unit_test(line_is_fios),        cmocka_unit_test(states_are_run_lengths),
		cmocka_unit_test(line_fits),           cmocka_unit_test(states_are_cut),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
