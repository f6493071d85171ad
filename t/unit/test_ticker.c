/* Samples of jobs and groups, from artificial intervals: are sums time-aligned, is silence zero, and are ends
 * right? */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "cmdline.h"
#include "plan.h"
#include "run.h"
#include "ticker.h"

#define LEN   500000000u
#define START 1000000000u

/* Two jobs in one entry of the report: reader (job 0) and writer (job 1). */
struct bench {
	struct job_set set;
	struct plan plan;
	struct facts facts;
	struct run run;
	struct wstat *total[2];
};

static int set_up(void **state)
{
	static char *argv[] = {
		(char *)"fiord",         (char *)"--ioengine=null",   (char *)"--size=1g",
		(char *)"--bs=4k",       (char *)"--group_reporting", (char *)"--name=r",
		(char *)"--rw=randread", (char *)"--name=w",          (char *)"--rw=randwrite"
	};
	struct bench *b = calloc(1, sizeof(*b));
	struct cmdline c = { 0 };
	struct diag d = { 0 };

	assert_int_equal(cmdline_parse(&c, &b->set, 9, argv, &d), 0);
	assert_int_equal(plan_build(&b->plan, &b->set, &b->facts, &d), 0);
	assert_int_equal(b->plan.njobs, 2);
	assert_int_equal(b->plan.nreports, 1);
	b->run.plan = &b->plan;
	assert_int_equal(region_init(&b->run.region, &b->plan, &d), 0);
	b->run.ticker = ticker_new(&b->plan);
	assert_non_null(b->run.ticker);
	atomic_store(&b->run.region.stages[0].start_ns, START);
	for (uint32_t i = 0; i < 2; i++) {
		b->total[i] = slot_stat(run_slot(&b->run, i));
		wstat_init(b->total[i], &b->plan.jobs[i].layout);
		region_set_phase(&b->run.region, i, PHASE_RUN);
	}
	*state = b;
	return 0;
}

static int tear_down(void **state)
{
	struct bench *b = *state;

	ticker_free(b->run.ticker);
	region_fini(&b->run.region);
	plan_fini(&b->plan);
	job_set_fini(&b->set);
	free(b);
	return 0;
}

static struct tracks *tracks(struct bench *b, uint32_t job)
{
	return slot_tracks(run_slot(&b->run, job), &b->plan.jobs[job]);
}

static void begin(struct bench *b, uint32_t job, uint64_t start_ns)
{
	tracks_start(tracks(b, job), &b->plan.jobs[job].tracks, &b->plan.jobs[job].layout, start_ns);
}

static const struct samples *job_iops(struct bench *b, uint32_t job)
{
	return ticker_job(b->run.ticker, TRACK_IOPS, job);
}

static const struct samples *report_iops(struct bench *b)
{
	return ticker_report(b->run.ticker, TRACK_IOPS, 0);
}

/* The job does `ios` I/Os and its clock moves to the end of its n-th interval. */
static void work(struct bench *b, uint32_t job, uint64_t ios, uint64_t n)
{
	struct wstat_dir *d = &b->total[job]->dir[job == 0 ? DIR_READ : DIR_WRITE];

	d->ios += ios;
	d->bytes += ios * 4096;
	tracks_close(tracks(b, job), b->total[job], tracks(b, job)->start_ns + n * LEN);
}

static void done(struct bench *b, uint32_t job, uint64_t ios, uint64_t after_ns)
{
	struct wstat_dir *d = &b->total[job]->dir[job == 0 ? DIR_READ : DIR_WRITE];

	d->ios += ios;
	d->bytes += ios * 4096;
	tracks_finish(tracks(b, job), b->total[job], tracks(b, job)->start_ns + after_ns);
	region_set_phase(&b->run.region, job, PHASE_DONE);
}

static void test_silence_counts(void **state)
{
	struct bench *b = *state;
	const struct samples *iops;

	begin(b, 0, START);
	begin(b, 1, START);
	work(b, 0, 100, 1);
	work(b, 0, 0, 4); /* three intervals without I/O */
	work(b, 0, 300, 5);
	done(b, 0, 0, 5 * (uint64_t)LEN);
	done(b, 1, 0, 5 * (uint64_t)LEN);
	ticker_finish(b->run.ticker, &b->run);
	iops = &job_iops(b, 0)[DIR_READ];
	assert_int_equal(iops->n, 5);
	assert_int_equal(iops->min, 0);
	assert_int_equal(iops->max, 600);
	assert_true(samples_mean(iops) == 160); /* 400 I/Os in 2.5 s */
	assert_int_equal(ticker_job(b->run.ticker, TRACK_BW, 0)[DIR_READ].max, 600 * 4);
	assert_int_equal(job_iops(b, 0)[DIR_WRITE].n, 0);
}

/* Two jobs take turns: the group's sum is constant although each job's is not. */
static void test_group_is_aligned(void **state)
{
	struct bench *b = *state;
	const struct samples *w, *r;

	begin(b, 0, START);
	begin(b, 1, START + LEN + 1000); /* starts one interval later */
	for (uint64_t i = 1; i <= 4; i++)
		work(b, 0, i % 2 ? 50 : 0, i);
	ticker_drain(b->run.ticker, &b->run);
	for (uint64_t i = 1; i <= 2; i++)
		work(b, 1, 70, i);
	ticker_drain(b->run.ticker, &b->run);
	done(b, 0, 0, 4 * (uint64_t)LEN);
	done(b, 1, 0, 2 * (uint64_t)LEN);
	ticker_finish(b->run.ticker, &b->run);
	r = &report_iops(b)[DIR_READ];
	w = &report_iops(b)[DIR_WRITE];
	assert_int_equal(r->n, 4);
	assert_int_equal(r->max, 100);
	assert_true(samples_mean(r) == 50);
	assert_int_equal(w->n, 2); /* the writer has no interval before it began */
	assert_int_equal(w->min, 140);
	assert_int_equal(w->max, 140);
}

/* The records of the member that began first are read last: its first intervals stay separate. */
static void test_late_one_is_taken_first(void **state)
{
	struct bench *b = *state;
	const struct samples *all;

	begin(b, 0, START + 2 * (uint64_t)LEN);
	begin(b, 1, START);
	work(b, 0, 30, 1);
	for (uint64_t i = 1; i <= 4; i++)
		work(b, 1, 10, i);
	done(b, 0, 0, LEN);
	done(b, 1, 0, 4 * (uint64_t)LEN);
	ticker_finish(b->run.ticker, &b->run);
	assert_int_equal(report_iops(b)[DIR_WRITE].n, 4);
	assert_int_equal(report_iops(b)[DIR_WRITE].max, 20);
	assert_int_equal(report_iops(b)[DIR_READ].n, 1);
	all = &report_iops(b)[DIR_DATA];
	assert_int_equal(all->n, 4);
	assert_int_equal(all->min, 20);
	assert_int_equal(all->max, 80);
}

/* The row of a direction ends with the last job that ran in it. */
static void test_row_ends_with_its_jobs(void **state)
{
	struct bench *b = *state;

	begin(b, 0, START);
	begin(b, 1, START);
	work(b, 0, 100, 1);
	work(b, 0, 100, 2);
	done(b, 0, 40, 2 * (uint64_t)LEN + LEN / 2);
	for (uint64_t i = 1; i <= 10; i++)
		work(b, 1, 10, i);
	done(b, 1, 0, 10 * (uint64_t)LEN);
	ticker_finish(b->run.ticker, &b->run);
	assert_int_equal(report_iops(b)[DIR_READ].n, 2);
	assert_int_equal(report_iops(b)[DIR_READ].min, 200);
	assert_int_equal(report_iops(b)[DIR_WRITE].n, 10);
}

static void test_shorter_than_an_interval(void **state)
{
	struct bench *b = *state;

	begin(b, 0, START);
	begin(b, 1, START);
	done(b, 0, 10, 100000000);
	done(b, 1, 20, 200000000);
	ticker_finish(b->run.ticker, &b->run);
	assert_int_equal(job_iops(b, 0)[DIR_READ].n, 1);
	assert_int_equal(job_iops(b, 0)[DIR_READ].max, 100);
	assert_int_equal(report_iops(b)[DIR_WRITE].max, 100);
}

/* The I/Os of the last batch are counted after an interval was closed: they took no time. */
static void test_ends_with_an_interval(void **state)
{
	struct bench *b = *state;

	begin(b, 0, START);
	begin(b, 1, START);
	work(b, 0, 100, 1);
	done(b, 0, 7, LEN);
	done(b, 1, 0, LEN);
	ticker_finish(b->run.ticker, &b->run);
	assert_int_equal(job_iops(b, 0)[DIR_READ].n, 1);
	assert_int_equal(job_iops(b, 0)[DIR_READ].max, 200);
	assert_int_equal(report_iops(b)[DIR_READ].n, 1);
}

/* More silence than the ring or the group's memory can hold. */
static void test_very_long_silence(void **state)
{
	struct bench *b = *state;
	const struct samples *s;

	begin(b, 0, START);
	begin(b, 1, START);
	work(b, 0, 1, 1);
	work(b, 0, 0, 3000000);
	done(b, 0, 0, 3000000 * (uint64_t)LEN);
	done(b, 1, 0, LEN);
	ticker_finish(b->run.ticker, &b->run);
	s = &job_iops(b, 0)[DIR_READ];
	assert_int_equal(s->n, 3000000);
	assert_int_equal(s->max, 2);
}

/* Records the calls of the hooks. */
struct log {
	bool room;
	uint64_t ios, records, spans, longest;
};

static void on_interval(void *ctx, const struct run *r, uint32_t job, unsigned track, const struct ival *rec)
{
	struct log *l = ctx;

	(void)r;
	if (job != 0 || track != 0)
		return;
	assert_int_equal(rec->first, l->spans);
	l->ios += rec->dir[DIR_READ].ios;
	l->spans += rec->intervals;
	l->longest = rec->intervals > l->longest ? rec->intervals : l->longest;
	l->records++;
}

static bool on_room(void *ctx, const struct run *r, uint32_t job, unsigned track)
{
	(void)r;
	return job != 0 || track != 0 || ((struct log *)ctx)->room;
}

/* A consumer without room: its track is not read and folds, other tracks go on, and no I/O is lost. */
static void test_hooks(void **state)
{
	struct bench *b = *state;
	struct log l = { .room = true };
	const struct run_hooks hooks = { .ctx = &l, .interval = on_interval, .has_room = on_room };
	const unsigned many = 20000;

	b->run.hooks = &hooks;
	begin(b, 0, START);
	begin(b, 1, START);
	work(b, 0, 5, 1);
	ticker_drain(b->run.ticker, &b->run);
	assert_int_equal(l.records, 1);
	assert_int_equal(l.ios, 5);
	l.room = false;
	for (unsigned i = 2; i <= many; i++) {
		work(b, 0, 5, i);
		if (i % 50 == 0)
			ticker_drain(b->run.ticker, &b->run);
	}
	assert_int_equal(l.records, 1);
	done(b, 0, 1, many * (uint64_t)LEN + 1);
	ticker_drain(b->run.ticker, &b->run);
	assert_int_equal(l.records, 1);
	done(b, 1, 0, LEN);
	ticker_finish(b->run.ticker, &b->run);
	assert_int_equal(l.ios, 5 * many + 1);
	assert_int_equal(l.spans, many);
	assert_true(l.longest > 1);
	assert_int_equal(job_iops(b, 0)[DIR_READ].n, many);
	assert_true(fabs(samples_mean(&job_iops(b, 0)[DIR_READ]) - 10) < 0.1);
}

/* A killed worker could not close its last intervals: the parent closes them. */
static void test_killed(void **state)
{
	struct bench *b = *state;
	struct log l = { .room = true };
	const struct run_hooks hooks = { .ctx = &l, .interval = on_interval };
	struct run_job jobs[2] = { { .end_ns = START + 3 * (uint64_t)LEN + 1000 } };

	b->run.hooks = &hooks;
	b->run.job = jobs;
	begin(b, 0, START);
	begin(b, 1, START);
	work(b, 0, 5, 1);
	b->total[0]->dir[DIR_READ].ios += 7;
	region_set_phase(&b->run.region, 0, PHASE_DONE);
	done(b, 1, 0, LEN);
	ticker_finish(b->run.ticker, &b->run);
	assert_int_equal(l.ios, 12);
	assert_int_equal(l.spans, 3);
	b->run.job = NULL;
}

int unit_ticker(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_silence_counts, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_group_is_aligned, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_late_one_is_taken_first, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_row_ends_with_its_jobs, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_shorter_than_an_interval, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_ends_with_an_interval, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_very_long_silence, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_hooks, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_killed, set_up, tear_down),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
