/* Copies of workers at work: each copy buffer belongs to one worker until the parent takes it back. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>
#include "cmdline.h"
#include "live_copies.h"
#include "live_request.h"
#include "plan.h"
#include "run.h"
#include "snapshot.h"
#include "phase.h"
#include "worker.h"

#define JOBS 20u

struct setting {
	struct job_set set;
	struct plan plan;
	struct run run;
	struct run_job job[JOBS];
	struct live_copies *live;
};

static void begin(struct setting *s)
{
	char *argv[] = { (char *)"fiord", (char *)"--name=a", (char *)"--ioengine=null", (char *)"--size=1m",
			 (char *)"--numjobs=20" };
	struct facts facts = { 0 };
	struct cmdline c = { 0 };
	struct diag d = { 0 };

	assert_int_equal(cmdline_parse(&c, &s->set, 5, argv, &d), 0);
	assert_int_equal(plan_build(&s->plan, &s->set, &facts, &d), 0);
	s->run.plan = &s->plan;
	s->run.job = s->job;
	assert_int_equal(region_init(&s->run.region, &s->plan, &d), 0);
	for (uint32_t i = 0; i < JOBS; i++) {
		struct slot *slot = run_slot(&s->run, i);

		wstat_init(slot_stat(slot), &s->plan.jobs[i].layout);
		slot_stat(slot)->dir[DIR_READ].ios = 100 + i;
		slot->run_start_ns = 1;
		region_set_phase(&s->run.region, i, PHASE_RUN);
	}
	s->live = live_copies_new(&s->plan);
	assert_non_null(s->live);
}

static void end(struct setting *s)
{
	live_copies_free(s->live);
	region_fini(&s->run.region);
	plan_fini(&s->plan);
	job_set_fini(&s->set);
}

static bool asked(const struct setting *s, uint32_t job)
{
	const struct slot *slot = run_slot(&s->run, job);

	return live_request_state(slot->copy_request) == LIVE_REQUEST_SENT && slot->stop & STOP_FOR_COPY;
}

/* As the worker does between two batches. */
static void answer_of(const struct setting *s, uint32_t job)
{
	struct slot *slot = run_slot(&s->run, job);
	struct worker *w = aligned_alloc(_Alignof(struct worker), sizeof(*w));

	assert_non_null(w);
	memset(w, 0, sizeof(*w));
	w->clone.region = &s->run.region;
	w->clone.plan = &s->plan;
	w->clone.job = &s->plan.jobs[job];
	w->clone.opts = &w->clone.job->job->opts;
	w->clone.slot = slot;
	w->stats.st = slot_stat(slot);
	w->stats.cnt = &slot->cnt;
	w->stats.tracks = slot_tracks(slot, w->clone.job);
	live_reply(w);
	free(w);
}

static uint64_t copy_of(const struct setting *s, uint32_t job)
{
	struct snapshot snap = { 0 };
	struct live_times t;
	uint64_t ios;

	assert_int_equal(snap_init(&snap, &s->plan.jobs[job].layout), 0);
	live_copies_take(s->live, &s->run, job, &snap, &t);
	ios = snap.st->dir[DIR_READ].ios;
	snap_fini(&snap);
	return ios;
}

static void test_every_ask_stands(void **state)
{
	struct setting s = { 0 };
	unsigned spares;

	(void)state;
	begin(&s);
	spares = s.run.region.ncopy_buffers;
	assert_in_range(spares, 2, JOBS - 1);
	live_copies_begin(s.live, &s.run);
	for (uint32_t i = 0; i < JOBS; i++) {
		assert_int_equal(asked(&s, i), i < spares);
		for (uint32_t k = 0; k < i && i < spares; k++)
			assert_int_not_equal(live_request_buffer(run_slot(&s.run, i)->copy_request),
					     live_request_buffer(run_slot(&s.run, k)->copy_request));
	}
	/* Answers that are not collected yet stay; the next request gets the free buffer. */
	answer_of(&s, 1);
	answer_of(&s, 0);
	assert_int_equal(copy_of(&s, 0), 100);
	assert_true(asked(&s, spares));
	assert_int_equal(live_request_state(run_slot(&s.run, 1)->copy_request), LIVE_REQUEST_DONE);
	assert_int_equal(copy_of(&s, 1), 101);
	live_copies_end(s.live, &s.run);
	for (uint32_t i = 0; i < JOBS; i++)
		assert_int_equal(run_slot(&s.run, i)->copy_request, 0);
	end(&s);
}

/* A worker that has begun to fill its buffer owns it until it is done or dead. */
static void test_taken(void **state)
{
	struct setting s = { 0 };
	struct slot *slot;
	uint32_t taken;

	(void)state;
	begin(&s);
	slot = run_slot(&s.run, 3);
	live_copies_begin(s.live, &s.run);
	taken = live_request_word(live_request_buffer(slot->copy_request), LIVE_REQUEST_ACCEPTED);
	slot->copy_request = taken;
	live_copies_end(s.live, &s.run);
	live_copies_begin(s.live, &s.run);
	assert_int_equal(slot->copy_request, taken);
	for (uint32_t i = 0; i < JOBS; i++)
		assert_true(i == 3 || !asked(&s, i) ||
			    live_request_buffer(run_slot(&s.run, i)->copy_request) !=
				    live_request_buffer(taken));
	live_copies_end(s.live, &s.run);
	s.job[3].reaped = true;
	region_set_phase(&s.run.region, 3, PHASE_DONE);
	live_copies_begin(s.live, &s.run);
	assert_int_equal(slot->copy_request, 0);
	live_copies_end(s.live, &s.run);
	end(&s);
}

int unit_live(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_every_ask_stands),
		cmocka_unit_test(test_taken),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
