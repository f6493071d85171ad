/* Do the loop and the runner survive an engine that fails? They must not hang or lose an I/O silently, and
 * counts must add up. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "clock.h"
#include "cmdline.h"
#include "engine_fault.h"
#include "plan.h"
#include "run.h"
#include "run_snapshot.h"

#define IOS 1000u

struct outcome {
	struct snapshot snap;
	int error;
	char text[400], lost[160];
	uint64_t hist_total;
	uint64_t clat_late, resp_late; /* I/Os above 50 ms */
};

static uint64_t above_50ms(const struct outcome *o, const struct wstat_layout *l, enum lat_kind kind)
{
	const struct hist *h;

	if (!l->hist[DIR_READ][kind])
		return 0;
	h = &o->snap.st->hist[l->hist[DIR_READ][kind] - 1];
	return hist_total(h) - hist_below(h, 50000000);
}

static void count_late(struct outcome *o, const struct wstat_layout *l)
{
	o->clat_late = above_50ms(o, l, LAT_CLAT);
	o->resp_late = above_50ms(o, l, LAT_RESP);
}

/* Makes the plan of a trimwrite job that of an engine which queues trims. */
static void hold_writes(struct plan_job *pj)
{
	if (!(pj->rw & RW_TRIMWRITE) || pj->depth == 1)
		return;
	pj->single_trims = false;
	pj->queued_trims = pj->held_writes = pj->submit_cut = true;
}

/* Runs IOS reads of 4 KiB through the fault engine at this depth. */
static void run(struct outcome *o, const char *depth, const char *more)
{
	char arg_depth[64], arg_more[64];
	char *argv[] = { (char *)"fiord",
			 (char *)"--name=f",
			 (char *)"--ioengine=null",
			 (char *)"--rw=randread",
			 (char *)"--size=4000k",
			 (char *)"--bs=4k",
			 arg_depth,
			 arg_more };
	static const struct run_hooks hooks;
	struct job_set set = { 0 };
	struct cmdline c = { 0 };
	struct facts facts = { 0 };
	struct plan p = { 0 };
	struct run r = { 0 };
	struct diag d = { 0 };

	snprintf(arg_depth, sizeof(arg_depth), "--iodepth=%s", depth);
	snprintf(arg_more, sizeof(arg_more), "%s", more);
	memset(o, 0, sizeof(*o));
	assert_int_equal(cmdline_parse(&c, &set, 8, argv, &d), 0);
	set.jobs[0].engine = &engine_fault;
	assert_int_equal(plan_build(&p, &set, &facts, &d), 0);
	hold_writes(&p.jobs[0]);
	assert_int_equal(run_plan(&r, &p, &hooks, &d), 0);
	assert_int_equal(run_snapshot(&r, 0, &o->snap), 0);
	o->error = run_slot(&r, 0)->error;
	memcpy(o->text, run_slot(&r, 0)->error_text, sizeof(o->text));
	memcpy(o->lost, run_slot(&r, 0)->lost_reason, sizeof(o->lost));
	if (p.jobs[0].rw & RW_READ)
		o->hist_total = hist_total(&o->snap.st->hist[p.jobs[0].layout.hist[DIR_READ][LAT_CLAT] - 1]);
	count_late(o, &p.jobs[0].layout);
	run_fini(&r);
	plan_fini(&p);
	job_set_fini(&set);
	diag_fini(&d);
}

static const char *const depths[] = { "1", "2", "16", "64" };

static void consistent(const struct outcome *o)
{
	const struct wstat_dir *rd = &o->snap.st->dir[DIR_READ];

	assert_int_equal(rd->bytes, rd->ios * 4096);
	assert_int_equal(o->hist_total, rd->ios);
	assert_int_equal(rd->lat[LAT_CLAT].n, rd->ios);
	assert_int_equal(rd->lat[LAT_LAT].n, rd->ios);
}

/* These faults do not change the result. */
static void test_harmless(void **state)
{
	static const struct fault_plan harmless[] = {
		{ 0 },
		{ .again_every = 7 },
		{ .refuse_every = 3 },
		{ .interrupt_every = 5 },
		{ .partial = 1 },
		{ .partial = 3, .refuse_every = 5, .again_every = 11 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(harmless) / sizeof(*harmless); i++) {
		for (size_t k = 0; k < sizeof(depths) / sizeof(*depths); k++) {
			struct outcome o;

			fault_plan = harmless[i];
			run(&o, depths[k], "--thread=0");
			assert_string_equal(o.text, "");
			assert_int_equal(o.error, 0);
			assert_int_equal(o.snap.st->dir[DIR_READ].ios, IOS);
			consistent(&o);
			snap_fini(&o.snap);
		}
	}
}

static void test_short(void **state)
{
	(void)state;
	for (size_t k = 0; k < sizeof(depths) / sizeof(*depths); k++) {
		struct outcome o;

		fault_plan = (struct fault_plan){ .short_every = 5 };
		run(&o, depths[k], "--thread=0");
		assert_int_equal(o.error, 0);
		assert_int_equal(o.snap.st->dir[DIR_READ].ios, IOS);
		assert_true(o.snap.st->dir[DIR_READ].short_ios > 0);
		consistent(&o);
		snap_fini(&o.snap);
	}
}

/* A trim that has to be issued again still comes before the write of its block. */
static void test_trim_again(void **state)
{
	static const char *const orders[] = { "--rw=trimwrite", "--rw=randtrimwrite",
					      "--rw=randtrimwrite:8" };

	(void)state;
	for (size_t i = 0; i < sizeof(orders) / sizeof(*orders); i++) {
		for (unsigned every = 2; every < 8; every++) {
			for (size_t k = 0; k < sizeof(depths) / sizeof(*depths); k++) {
				struct outcome o;

				fault_plan = (struct fault_plan){ .again_every = every, .trim_first = true };
				run(&o, depths[k], orders[i]);
				assert_string_equal(o.text, "");
				assert_int_equal(o.snap.st->dir[DIR_TRIM].ios, IOS);
				assert_int_equal(o.snap.st->dir[DIR_WRITE].ios, IOS);
				snap_fini(&o.snap);
			}
		}
	}
}

static void test_errors(void **state)
{
	static const struct {
		struct fault_plan plan;
		int error;
		const char *text;
	} cases[] = {
		{ { .fail_at = 1, .error = EIO }, EIO, "Input/output error (EIO)" },
		{ { .fail_at = 500, .error = ENOSPC }, ENOSPC, "No space left on device (ENOSPC)" },
		{ { .zero_at = 20 }, EIO, "end of file" },
		{ { .break_submit = 10 }, EIO, "engine fault: " },
		{ { .break_reap = 10 }, EIO, "engine fault: " },
		{ { .fail_init = true }, EIO, "the fault engine does not start" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		for (size_t k = 0; k < sizeof(depths) / sizeof(*depths); k++) {
			struct outcome o;

			fault_plan = cases[i].plan;
			run(&o, depths[k], k % 2 ? "--thread=0" : "--thread=1");
			assert_int_equal(o.error, cases[i].error);
			assert_non_null(strstr(o.text, cases[i].text));
			assert_true(o.snap.st->dir[DIR_READ].ios < IOS);
			consistent(&o);
			snap_fini(&o.snap);
		}
	}
}

/* A stall of 300 ms at 1000 IOPS: one I/O was slow, and about 250 were late. Service time shows only the one.
 */
static void test_stall_shows(void **state)
{
	const struct moments *resp;
	struct outcome o;

	(void)state;
	fault_plan = (struct fault_plan){ .stall_at = 100, .stall_ns = 300000000 };
	run(&o, "1", "--rate_iops=1000");
	resp = &o.snap.st->dir[DIR_READ].lat[LAT_RESP];
	assert_int_equal(o.snap.st->dir[DIR_READ].ios, IOS);
	assert_int_equal(resp->n, IOS);
	assert_true(resp->max >= 299000000);
	assert_true(o.clat_late >= 1);
	assert_true(o.resp_late >= o.clat_late + 200);
	consistent(&o);
	snap_fini(&o.snap);
}

/* Without a rate no I/O is due, so it has no response time. */
static void test_no_rate_no_response(void **state)
{
	struct outcome o;

	(void)state;
	fault_plan = (struct fault_plan){ 0 };
	run(&o, "4", "--thread=0");
	assert_int_equal(o.snap.st->dir[DIR_READ].lat[LAT_RESP].n, 0);
	snap_fini(&o.snap);
}

static void test_killed(void **state)
{
	static const struct fault_plan deaths[] = { { .die_at = 5 }, { .die_at_init = true } };

	(void)state;
	for (size_t i = 0; i < 2; i++) {
		for (int thread = 0; thread < 2; thread++) {
			struct outcome o;

			fault_plan = deaths[i];
			run(&o, "16", thread ? "--thread=1" : "--thread=0");
			assert_int_equal(o.error, ECHILD);
			assert_non_null(strstr(o.lost, "SIGKILL"));
			consistent(&o);
			snap_fini(&o.snap);
		}
	}
}

int unit_loop(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_harmless),    cmocka_unit_test(test_short),
		cmocka_unit_test(test_trim_again),  cmocka_unit_test(test_errors),
		cmocka_unit_test(test_stall_shows), cmocka_unit_test(test_no_rate_no_response),
		cmocka_unit_test(test_killed),
	};

	clock_init();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
