/* Rates, open loop, Poisson, think time and response time: on a virtual clock, with an engine that takes a
   known time. Expected times are worked out by hand and exact to the nanosecond. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "clock.h"
#include "cmdline.h"
#include "engine_timed.h"
#include "plan.h"
#include "run.h"
#include "run_snapshot.h"
#include "summary.h"

#define MS    1000000ull
#define S     1000000000ull
#define START (5 * S)
#define ARGS  16
#define STEPS 4

struct outcome {
	struct summary sum; /* of all jobs */
	struct moments resp[DIR_DATA], lat[DIR_DATA];
	struct step_counts step[STEPS][DIR_DATA]; /* rate_steps of the first job */
	uint64_t ran_ns, seed, rate_sleeps;
	int error;
	char text[400];
};

static void keep(struct outcome *o, const struct run *r, const struct plan *p)
{
	const struct slot *s = run_slot(r, 0);
	struct snapshot all = { 0 }, one = { 0 };

	for (uint32_t i = 0; i < p->njobs; i++) {
		assert_int_equal(run_snapshot(r, i, &one), 0);
		assert_int_equal(snap_add(&all, &one), 0);
		snap_fini(&one);
	}
	summary_from(&o->sum, &all, NULL);
	o->rate_sleeps = all.cnt.rate_sleeps;
	for (unsigned d = 0; d < DIR_DATA; d++) {
		o->resp[d] = all.st->dir[d].lat[LAT_RESP];
		o->lat[d] = all.st->dir[d].lat[LAT_LAT];
	}
	snap_fini(&all);
	o->error = s->error;
	memcpy(o->text, s->error_text, sizeof(o->text));
	o->ran_ns = s->run_end_ns - s->run_start_ns;
	o->seed = p->jobs[0].seed;
}

static void keep_steps(struct outcome *o, const struct run *r, const struct plan_job *pj)
{
	const struct step_counts_cfg *c = &pj->step_counts;

	for (uint32_t i = 0; i < c->steps && i < STEPS; i++)
		for (unsigned d = 0; d < DIR_DATA; d++)
			if (c->dirs & 1u << d)
				o->step[i][d] =
					*step_counts_of(slot_part(run_slot(r, 0), pj, SLOT_STEPS), c, i, d);
}

/* Options separated by blanks. */
static void run(struct outcome *o, const char *options)
{
	static const struct run_hooks hooks;
	char text[512], *argv[ARGS] = { (char *)"fiord", (char *)"--name=t", (char *)"--ioengine=null",
					(char *)"--size=64m", (char *)"--bs=4k" };
	struct job_set set = { 0 };
	struct cmdline c = { 0 };
	struct facts facts = { 0 };
	struct plan p = { 0 };
	struct run r = { 0 };
	struct diag d = { 0 };
	int argc = 5;

	strcpy(text, options);
	for (char *at = strtok(text, " "); at; at = strtok(NULL, " "))
		argv[argc++] = at;
	assert_true(argc < ARGS);
	memset(o, 0, sizeof(*o));
	clock_virtual_ns = START;
	assert_int_equal(cmdline_parse(&c, &set, argc, argv, &d), 0);
	set.jobs[0].engine = &engine_timed;
	assert_int_equal(plan_build(&p, &set, &facts, &d), 0);
	assert_int_equal(run_plan(&r, &p, &hooks, &d), 0);
	keep(o, &r, &p);
	keep_steps(o, &r, &p.jobs[0]);
	run_fini(&r);
	plan_fini(&p);
	job_set_fini(&set);
	diag_fini(&d);
}

static void device(uint64_t service_ns)
{
	timed_plan = (struct timed_plan){ .service_ns = service_ns };
}

/* The device is faster than the rate: no I/O waits, and the schedule is exact to the nanosecond. */
static void test_idle(void **state)
{
	static const char *const depths[] = { "--iodepth=1", "--iodepth=4" };
	struct outcome o;

	(void)state;
	for (unsigned i = 0; i < 2; i++) {
		char options[128] = "--rw=read --rate_iops=1000 --number_ios=100 ";

		device(MS / 5);
		run(&o, strcat(options, depths[i]));
		assert_int_equal(o.resp[DIR_READ].n, 100);
		assert_int_equal(o.resp[DIR_READ].min, MS / 5);
		assert_int_equal(o.resp[DIR_READ].max, MS / 5);
		assert_int_equal(o.ran_ns, 99 * MS + MS / 5);
		assert_int_equal(o.sum.dir[DIR_READ].unissued, 0);
	}
}

/* I/Os are due each ms and take 2 ms: the k-th waits for k ms. After 100 ms 50 have been issued, and the
   others have been due for 50, 49, ... 1 ms, which count as response times. */
static void test_overload(void **state)
{
	const struct summary_dir *rd;
	struct outcome o;

	(void)state;
	device(2 * MS);
	run(&o, "--rw=read --rate_iops=1000 --rate_open=1 --runtime=100ms --time_based");
	rd = &o.sum.dir[DIR_READ];
	assert_int_equal(o.ran_ns, 100 * MS);
	assert_int_equal(rd->ios, 50);
	assert_int_equal(o.lat[DIR_READ].max, 2 * MS);
	assert_int_equal(o.resp[DIR_READ].n, 100);
	assert_int_equal(o.resp[DIR_READ].min, MS);
	assert_int_equal(o.resp[DIR_READ].max, 51 * MS);
	assert_int_equal(o.resp[DIR_READ].sum, 1225 * MS + 50 * 2 * MS + 1275 * MS);
	assert_int_equal(rd->in_flight_at_end, 0);
	assert_int_equal(rd->unissued, 50);
	assert_int_equal(rd->unissued_age_ns, 50 * MS);
	assert_int_equal(rd->arrivals, 100);
	assert_int_equal(rd->queue_max, 50);
	assert_true(rd->queue_mean == 25.0); /* (1225 + 1275) ms of waiting in 100 ms */
	assert_int_equal(rd->asked_ios, 100);
	assert_true(rd->asked_iops == 1000);
	/* The last I/O ends late, which changes neither the number that was due nor the time. */
	device(30 * MS);
	run(&o, "--rw=read --rate_iops=1000 --runtime=100ms --time_based");
	assert_int_equal(o.ran_ns, 120 * MS);
	assert_int_equal(rd->ios, 4);
	assert_int_equal(rd->asked_ios, 100);
	assert_int_equal(rd->asked_ns, 100 * MS);
	assert_true(rd->asked_iops == 1000);
}

/* The same after a ramp: lateness from the ramp is forgotten. The I/O that the end of the window cuts was due
   51 ms before, which counts as its response time; it counts nowhere else. */
static void test_ramp(void **state)
{
	const struct summary_dir *rd;
	struct outcome o;

	(void)state;
	device(2 * MS);
	run(&o, "--rw=read --rate_iops=1000 --rate_open=1 --ramp_time=1s --runtime=100ms --time_based");
	rd = &o.sum.dir[DIR_READ];
	assert_int_equal(o.ran_ns, 100 * MS);
	assert_int_equal(rd->ios, 50);
	assert_int_equal(o.resp[DIR_READ].n, 101);
	assert_int_equal(o.resp[DIR_READ].max, 51 * MS);
	assert_int_equal(o.resp[DIR_READ].sum, 1176 * MS + 50 * 2 * MS + 51 * MS + 1275 * MS);
	assert_int_equal(rd->in_flight_at_end, 1);
	assert_int_equal(rd->unissued, 50);
	assert_int_equal(rd->arrivals, 100);
}

/* I/Os of 250 ms, 8 at a time: rounds end at 250, 500 ... ms. With a ramp the I/Os count that complete from
   its end on and before the runtime is over. Without one, or when the job ends with its last I/O, those count
   that begin. */
static void test_windows(void **state)
{
	static const struct {
		const char *options;
		uint64_t ios, ran_ms;
	} rows[] = {
		{ "--runtime=2 --time_based", 64, 2000 },
		{ "--runtime=1900ms --time_based", 64, 2000 },
		{ "--runtime=2 --time_based --cooldown=1", 64, 2000 },
		{ "--runtime=1900ms --time_based --cooldown=1", 64, 2000 },
		{ "--startdelay=1 --runtime=2 --time_based", 64, 2000 },
		{ "--ramp_time=1 --runtime=2 --time_based", 64, 2000 },
		{ "--ramp_time=1100ms --runtime=2 --time_based", 64, 2000 },
		{ "--ramp_time=1100ms --runtime=2 --time_based --cooldown=1", 64, 2000 },
		{ "--ramp_size=100k --runtime=2 --time_based", 64, 2000 },
		{ "--ramp_time=1 --number_ios=100", 68, 2250 },
		{ "--ramp_time=1100ms --number_ios=96", 56, 1900 },
		{ "--ramp_time=1 --runtime=2 --time_based --end_fsync=1", 64, 2000 },
		{ "--ramp_time=1 --runtime=200ms --time_based", 8, 200 },
		{ "--ramp_time=1100ms --runtime=100ms --time_based", 0, 100 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		char options[256] = "--rw=read --iodepth=8 ";
		const struct summary_dir *rd;
		struct outcome o;

		device(250 * MS);
		run(&o, strcat(options, rows[i].options));
		rd = &o.sum.dir[DIR_READ];
		if (rd->ios != rows[i].ios || o.ran_ns != rows[i].ran_ms * MS)
			fail_msg("%s: %u I/Os in %u ms", options, (unsigned)rd->ios,
				 (unsigned)(o.ran_ns / MS));
		assert_int_equal(rd->bytes, rows[i].ios * 4096);
		assert_int_equal(o.lat[DIR_READ].n, rows[i].ios);
		assert_int_equal(o.lat[DIR_READ].sum, rows[i].ios * 250 * MS);
		if (rows[i].ios)
			assert_true(o.sum.depth[0] + o.sum.depth[1] + o.sum.depth[2] + o.sum.depth[3] ==
				    100.0);
	}
}

/* 1000 per second, 0.1 ms each, and the device stalls from 1 s to 3 s. The I/O that it delays takes 2 s and
   0.1 ms. The j-th after it waits 0.9 ms less, until after 2222 of them none waits. */
static void test_two_seconds(void **state)
{
	uint64_t late = 0, seconds = 0;
	struct outcome o;

	(void)state;
	for (uint64_t j = 0; j < 4000; j++) {
		uint64_t resp = j <= 2222 ? 2 * S + MS / 10 - j * (MS - MS / 10) : MS / 10;

		late += resp;
		seconds += resp > S;
	}
	device(MS / 10);
	timed_plan.stall_from_ns = START + S;
	timed_plan.stall_ns = 2 * S;
	run(&o, "--rw=read --rate_iops=1000 --runtime=5s --time_based");
	assert_int_equal(o.sum.dir[DIR_READ].ios, 5000);
	assert_int_equal(o.resp[DIR_READ].max, 2 * S + MS / 10);
	assert_int_equal(o.resp[DIR_READ].sum, 1000 * (MS / 10) + late);
	assert_int_equal(seconds, 1112);
	/* fio's figures: one I/O was slow */
	assert_int_equal(o.lat[DIR_READ].max, 2 * S + MS / 10);
	assert_int_equal(o.lat[DIR_READ].sum, 5000 * (MS / 10) + 2 * S);
}

/* Two at a time, 3 ms each, due each ms: the I/Os 2m and 2m + 1 are issued at 3m and 3m + 1 ms, after m ms.
 */
static void test_open_depth(void **state)
{
	const struct summary_dir *rd;
	struct outcome o;

	(void)state;
	device(3 * MS);
	run(&o, "--rw=read --rate_iops=1000 --rate_open=1 --iodepth=2 --number_ios=100");
	rd = &o.sum.dir[DIR_READ];
	assert_int_equal(o.ran_ns, 151 * MS);
	assert_int_equal(rd->arrivals, 100);
	assert_int_equal(rd->asked_ns, 100 * MS);
	assert_int_equal(rd->queue_max, 49);
	assert_int_equal(o.resp[DIR_READ].max, 52 * MS);
	assert_int_equal(o.resp[DIR_READ].sum, 2450 * MS + 100 * 3 * MS);
	assert_true(rd->queue_mean == 2450.0 / 151.0);
	/* With enough depth no I/O waits. */
	run(&o, "--rw=read --rate_iops=1000 --rate_open=1 --iodepth=4 --number_ios=100");
	assert_int_equal(o.ran_ns, 102 * MS);
	assert_int_equal(o.resp[DIR_READ].max, 3 * MS);
	assert_int_equal(o.sum.dir[DIR_READ].queue_max, 0);
	assert_true(o.sum.dir[DIR_READ].queue_mean == 0);
}

/* Reads are due at 0, 1, 2, ... ms, writes at 0, 2, 4, ... ms; each takes 1 ms, one at a time, in this order.
   Those that do not begin in 300 ms count with the age that they have then. */
static void test_order_of_arrival(void **state)
{
	uint64_t free_ns = 0, resp[2] = { 0 };
	struct outcome o;

	(void)state;
	for (uint64_t ms = 0; ms < 300; ms++) {
		for (unsigned d = 0; d < 2; d++) {
			if (d == DIR_WRITE && ms % 2)
				continue;
			if (free_ns >= 300 * MS) {
				resp[d] += (300 - ms) * MS;
				continue;
			}
			free_ns = (free_ns > ms * MS ? free_ns : ms * MS) + MS;
			resp[d] += free_ns - ms * MS;
		}
	}
	device(MS);
	run(&o, "--rw=rw --rate_iops=1000,500 --rate_open=1 --runtime=300ms --time_based");
	assert_int_equal(o.sum.dir[DIR_READ].ios, 200);
	assert_int_equal(o.sum.dir[DIR_WRITE].ios, 100);
	assert_int_equal(o.resp[DIR_READ].sum, resp[DIR_READ]);
	assert_int_equal(o.resp[DIR_WRITE].sum, resp[DIR_WRITE]);
	assert_int_equal(o.sum.dir[DIR_READ].arrivals, 300);
	assert_int_equal(o.sum.dir[DIR_WRITE].arrivals, 150);
	assert_true(o.sum.dir[DIR_READ].asked_iops == 1000 && o.sum.dir[DIR_WRITE].asked_iops == 500);
}

/* One server and random arrivals: each I/O ends its service time after its arrival, or after the I/O before
 * it, whichever is later. */
static void test_poisson(void **state)
{
	const struct pace_cfg cfg = { .rate_iops = { 800 }, .process = PACE_POISSON };
	uint64_t finish = 0, sum = 0, max = 0, due[1000];
	struct pacer p;
	struct outcome o;

	(void)state;
	device(MS);
	run(&o, "--rw=read --rate_iops=800 --rate_process=poisson --rate_open=1 --number_ios=1000");
	assert_true(pacer_init(&p, &cfg, DIR_READ, 4096, o.seed + 3));
	for (unsigned k = 0; k < 1000; k++, pacer_take(&p, 4096)) {
		uint64_t resp;

		due[k] = pacer_due(&p);
		finish = (finish > due[k] ? finish : due[k]) + MS;
		resp = finish - due[k];
		sum += resp;
		max = resp > max ? resp : max;
	}
	assert_int_equal(o.resp[DIR_READ].sum, sum);
	assert_int_equal(o.resp[DIR_READ].max, max);
	assert_int_equal(o.ran_ns, finish);
	assert_true(o.sum.dir[DIR_READ].queue_max > 0);
	assert_true(o.sum.dir[DIR_READ].queue_max <= max / MS);
}

/* Two jobs share one schedule. Each has its own clock here; together they take the same arrivals. */
static void test_shared(void **state)
{
	struct outcome o;

	(void)state;
	device(MS / 10);
	run(&o,
	    "--rw=read --rate_iops=1000 --rate_shared=x --rate_open=1 --numjobs=3 --runtime=1s --time_based");
	assert_int_equal(o.sum.dir[DIR_READ].arrivals, 1000);
	assert_int_equal(o.sum.dir[DIR_READ].ios + o.sum.dir[DIR_READ].unissued, 1000);
}

/* I/Os of 1 ms and 10 ms of rest. */
static void test_think(void **state)
{
	static const struct {
		const char *options;
		uint64_t ran_ms, ios;
	} rows[] = {
		{ "--thinktime=10ms --number_ios=20", 20 + 19 * 10, 20 },
		{ "--thinktime=10ms --thinktime_spin=10ms --number_ios=20", 20 + 19 * 10, 20 },
		{ "--thinktime=10ms-10ms --number_ios=20", 20 + 19 * 10, 20 },
		{ "--thinktime=10ms --thinktime_blocks=5 --number_ios=20", 20 + 3 * 10, 20 },
		{ "--thinktime=10ms --thinktime_iotime=20ms --runtime=100ms --time_based", 100, 70 },
		{ "--thinktime=10ms --thinktime_iotime=20ms --thinktime_blocks=5 --number_ios=20", 50, 20 },
		{ "--thinktime=10s --thinktime_blocks=7 --runtime=500ms --time_based", 500, 7 },
		/* 8 I/Os pay for two pauses, after one more there are 9, and 8 more are in flight: 1 + 10 + 1
		   + 10 + 1. */
		{ "--thinktime=10ms --thinktime_blocks=4 --iodepth=8 --number_ios=16", 3 + 2 * 10, 16 },
		{ "--thinktime=10ms --iodepth=8 --number_ios=16", 9 + 8 * 10, 16 },
		{ "--thinktime=10ms --thinktime_blocks=4 --iodepth=8 --number_ios=16 "
		  "--thinktime_blocks_type=issue",
		  4 + 3 * 10, 16 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		char options[256] = "--rw=read ";
		struct outcome o;

		device(MS);
		run(&o, strcat(options, rows[i].options));
		assert_int_equal(o.ran_ns, rows[i].ran_ms * MS);
		assert_int_equal(o.sum.dir[DIR_READ].ios, rows[i].ios);
		assert_int_equal(o.resp[DIR_READ].n, 0);
	}
}

/* With a rate the job catches up after its rests, or does not. In both cases only the rests delay its I/Os.
 */
static void test_think_and_rate(void **state)
{
	struct outcome o;

	(void)state;
	device(MS / 10);
	run(&o, "--rw=read --rate_iops=1000 --thinktime=10ms --thinktime_blocks=5 --number_ios=20");
	assert_int_equal(o.resp[DIR_READ].max, MS / 10);
	assert_int_equal(o.ran_ns, 4 * MS + MS / 10 + 3 * 10 * MS + 3 * 5 * (MS / 10));
	run(&o, "--rw=read --rate_iops=1000 --thinktime=10ms --thinktime_blocks=5 --number_ios=20 "
		"--rate_ignore_thinktime=1");
	assert_int_equal(o.resp[DIR_READ].max, MS / 10);
	assert_int_equal(o.ran_ns, 19 * MS + 3 * 10 * MS + MS / 10);
	/* The time is over during the rest: arrivals of the rest are not overdue. */
	run(&o,
	    "--rw=read --rate_iops=1000 --thinktime=1s --thinktime_blocks=50 --runtime=500ms --time_based");
	assert_int_equal(o.sum.dir[DIR_READ].ios, 50);
	assert_int_equal(o.sum.dir[DIR_READ].unissued, 0);
}

/* rate_wait: while no I/O is due the worker sleeps for `nap` at least, and then issues all that are due. */
static void test_naps(void **state)
{
	static const struct {
		const char *options;
		uint64_t gap_ns, nap_ns;
	} rows[] = {
		{ "--rate_iops=100000 --rate_wait=coarse", 10000, 200000 },
		{ "--rate_iops=100 --rate_wait=coarse", 10 * MS, 200000 },
		{ "--rate_iops=100000 --rate_wait=exact", 10000, 0 },
		{ "--rate_iops=200000 --rate_wait=exact", 5000, 0 },
		{ "--rate_iops=200000", 5000, 25000 },
		{ "--rate_iops=50000", 20000, 0 },
		{ "--rate=204800000 --bs=4k", 20000, 0 }, /* 50000 I/Os */
		{ "--rate=819200000 --bs=4k", 5000, 25000 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		uint64_t now = 0, sum = 0, max = 0;
		char options[256] = "--rw=read --number_ios=1000 ";
		struct outcome o;

		for (uint64_t k = 0; k < 1000; k++) {
			uint64_t due = k * rows[i].gap_ns, least = now + rows[i].nap_ns;

			if (due > now)
				now = due > least ? due : least;
			now += 1000;
			sum += now - due;
			max = now - due > max ? now - due : max;
		}
		device(1000);
		run(&o, strcat(options, rows[i].options));
		assert_int_equal(o.resp[DIR_READ].n, 1000);
		assert_int_equal(o.resp[DIR_READ].sum, sum);
		assert_int_equal(o.resp[DIR_READ].max, max);
		assert_int_equal(o.ran_ns, now);
	}
}

/* With I/Os in flight it sleeps in the engine, and no I/O is later than one sleep. Two jobs that share a rate
 * have half of it each. */
static void test_naps_in_flight(void **state)
{
	struct outcome o;

	(void)state;
	device(MS / 10);
	run(&o, "--rw=read --rate_iops=100000 --rate_wait=coarse --iodepth=64 --runtime=100ms --time_based");
	assert_true(o.sum.dir[DIR_READ].ios + o.sum.dir[DIR_READ].unissued >= 9999);
	assert_true(o.sum.dir[DIR_READ].unissued <= 20);
	assert_true(o.lat[DIR_READ].min == MS / 10);
	assert_true(o.resp[DIR_READ].max > MS / 10 && o.resp[DIR_READ].max <= 4 * (MS / 10));
	run(&o, "--rw=read --rate_iops=150000 --iodepth=64 --runtime=10ms --time_based");
	assert_true(o.resp[DIR_READ].max > MS / 10);
	run(&o, "--rw=read --rate_iops=150000 --rate_wait=exact --iodepth=64 --runtime=10ms --time_based");
	assert_int_equal(o.resp[DIR_READ].max, MS / 10);
	device(1000);
	run(&o, "--rw=read --rate_iops=150000 --rate_shared=x --numjobs=2 --runtime=10ms --time_based");
	assert_int_equal(o.rate_sleeps, 0);
	run(&o, "--rw=read --rate_iops=150000 --runtime=10ms --time_based");
	assert_true(o.rate_sleeps > 0);
}

/* Each file has its own rate, rests and queue. */
static void test_per_file(void **state)
{
	struct outcome o;
	uint64_t overdue;

	(void)state;
	device(MS / 10);
	run(&o, "--rw=read --nrfiles=4 --iodepth_per_file=1 --iodepth=2 --rate_iops=1000 --number_ios=400");
	assert_int_equal(o.resp[DIR_READ].n, 400);
	assert_int_equal(o.ran_ns, 99 * MS + MS / 10);
	assert_int_equal(o.resp[DIR_READ].max, MS / 10);
	assert_int_equal(o.sum.dir[DIR_READ].unissued, 0);
	run(&o, "--rw=read --nrfiles=2 --iodepth_per_file=1 --iodepth=1 --thinktime=10ms "
		"--thinktime_blocks=5 --thinktime_blocks_type=issue --number_ios=30");
	assert_int_equal(o.ran_ns, 2 * 10 * MS + 15 * (MS / 10));
	run(&o, "--rw=rw --nrfiles=3 --iodepth_per_file=1 --iodepth=1 --rate_iops=100 --rate_total=1 "
		"--runtime=1s --time_based");
	assert_int_equal(o.sum.dir[DIR_READ].ios + o.sum.dir[DIR_WRITE].ios, 300);
	assert_true(o.sum.dir[DIR_READ].asked_iops + o.sum.dir[DIR_WRITE].asked_iops == 300);
	/* A device that is too slow: each file has as many overdue I/Os as one file alone. */
	device(10 * MS);
	run(&o, "--rw=read --iodepth=1 --rate_iops=110 --runtime=1s --time_based");
	assert_int_equal(o.sum.dir[DIR_READ].ios, 100);
	overdue = o.sum.dir[DIR_READ].unissued;
	run(&o, "--rw=read --nrfiles=2 --iodepth_per_file=1 --iodepth=1 --rate_iops=110 --runtime=1s "
		"--time_based");
	assert_int_equal(o.sum.dir[DIR_READ].ios, 200);
	assert_int_equal(o.sum.dir[DIR_READ].unissued, 2 * overdue);
}

/* 100 I/Os of 4096 bytes per second: exactly enough, and one too few. */
static void test_floor(void **state)
{
	static const struct {
		const char *options, *text;
		uint64_t ran_ms;
	} rows[] = {
		{ "--rate_iops_min=100", "", 5000 },
		{ "--rate_iops_min=101",
		  "rate_iops_min=101 was not met: reads did 100 I/Os per second from 2.000 s to 3.000 s",
		  3000 },
		{ "--rate_min=409600 --rate_cycle=500", "", 5000 },
		{ "--rate_min=409601 --rate_cycle=500",
		  "rate_min=409601 was not met: reads did 409600 bytes per second from 2.000 s to 2.500 s",
		  2500 },
		{ "--rate_iops_min=101 --ramp_time=10", "from 2.000 s to 3.000 s after the start", 3000 },
		{ "--rate_iops_min=,101", "", 5000 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		char options[256] = "--rw=read --runtime=5 --time_based ";
		struct outcome o;

		device(10 * MS);
		run(&o, strcat(options, rows[i].options));
		assert_int_equal(o.error, *rows[i].text ? EIO : 0);
		assert_non_null(strstr(o.text, rows[i].text));
		assert_int_equal(o.ran_ns, rows[i].ran_ms * MS);
	}
}

/* rate_steps: the I/Os of each step, those of them that complete after its end, the I/Os that complete in it,
   the shortest and longest response time in us, and how many I/Os that were due in the step never begin. */
static void test_steps(void **state)
{
	static const struct {
		const char *options;
		uint64_t service_us;
		struct {
			uint64_t ios, late, done, min_us, max_us, unfinished;
		} step[STEPS];
	} rows[] = {
		/* Each I/O takes 0.2 ms. */
		{ "--rate_steps=0s:1000,100ms:200,200ms:0,300ms:500 --runtime=400ms --time_based",
		  200,
		  { { 100, 0, 100, 200, 200 }, { 20, 0, 20, 200, 200 }, { 0 }, { 50, 0, 50, 200, 200 } } },
		{ "--rate_steps=0s:0,100ms:200,200ms:0 --runtime=400ms --time_based",
		  200,
		  { { 0 }, { 20, 0, 20, 200, 200 }, { 0 } } },
		{ "--rate_steps=0s:4000k/s,100ms:800k/s --runtime=200ms --time_based --rate_open=1 "
		  "--iodepth=8",
		  200,
		  { { 100, 0, 100, 200, 200 }, { 20, 0, 20, 200, 200 } } },
		/* The ramp has the rate of the first step. */
		{ "--rate_steps=0s:1000,100ms:200 --ramp_time=150ms --runtime=200ms --time_based",
		  200,
		  { { 100, 0, 100, 200, 200 }, { 20, 0, 20, 200, 200 } } },
		/* The job ends before its last step. */
		{ "--rate_steps=0s:1000,100ms:100,200ms:1000 --number_ios=110",
		  200,
		  { { 100, 0, 100, 200, 200 }, { 10, 0, 10, 200, 200 }, { 0 } } },
		/* I/Os of 2 ms: that of number k is due after k ms and complete after 2 (k + 1) ms, which is
		   less than 100 for 49 of the first step. The first one of the second step is complete after
		   202 ms; from number 13 on they no longer wait. */
		{ "--rate_steps=0s:1000,100ms:100 --runtime=400ms --time_based",
		  2000,
		  { { 100, 51, 49, 2000, 101000 }, { 30, 0, 81, 2000, 102000 } } },
		/* I/Os of 95 ms, due after 0, 10 and 20 ms, are complete after 95, 190 and 285 ms. The third
		   one began before the runtime ended; the other seven of the first step, due from 30 ms on,
		   never begin, nor does that of the second step, due at 100 ms. */
		{ "--rate_steps=0s:100,100ms:10 --runtime=200ms --time_based",
		  95000,
		  { { 3, 2, 1, 95000, 265000, 7 }, { 0, 0, 2, 100000, 100000, 1 } } },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		char options[256] = "--rw=read ";
		struct outcome *o = calloc(1, sizeof(*o));
		uint64_t sum = 0, done = 0;

		assert_non_null(o);
		device(rows[i].service_us * 1000);
		run(o, strcat(options, rows[i].options));
		for (unsigned k = 0; k < STEPS; k++) {
			const struct step_counts *s = &o->step[k][DIR_READ];
			const struct moments *resp = &s->lat[STEP_RESP];

			if (s->ios != rows[i].step[k].ios || s->late_ios != rows[i].step[k].late ||
			    s->done_ios != rows[i].step[k].done || s->bytes != 4096 * s->ios ||
			    s->unfinished != rows[i].step[k].unfinished ||
			    resp->n != s->ios + s->unfinished || resp->min != rows[i].step[k].min_us * 1000 ||
			    resp->max != rows[i].step[k].max_us * 1000)
				fail_msg("%s: step %u: %u I/Os, %u late, %u complete, resp %u to %u us",
					 options, k, (unsigned)s->ios, (unsigned)s->late_ios,
					 (unsigned)s->done_ios, (unsigned)(resp->min / 1000),
					 (unsigned)(resp->max / 1000));
			sum += s->ios;
			done += s->done_ios;
		}
		assert_int_equal(sum, o->sum.dir[DIR_READ].ios);
		assert_int_equal(done, sum);
		free(o);
	}
}

/* Reads pause in the second step while writes go on; a Poisson schedule of both directions adds up. */
static void test_steps_dirs(void **state)
{
	struct outcome *o = calloc(1, sizeof(*o));

	(void)state;
	assert_non_null(o);
	device(MS / 5);
	run(o, "--rw=randrw --rate_steps=0s:1000,500,100ms:0,300 --runtime=200ms --time_based --iodepth=4");
	assert_int_equal(o->step[0][DIR_READ].ios, 100);
	assert_int_equal(o->step[1][DIR_READ].ios, 0);
	assert_int_equal(o->step[0][DIR_WRITE].ios, 50);
	assert_int_equal(o->step[1][DIR_WRITE].ios, 30);
	assert_int_equal(o->step[1][DIR_WRITE].lat[STEP_RESP].max, MS / 5);
	run(o, "--rw=randrw --rate_steps=0s:1000,500,1s:100 --runtime=2 --time_based --iodepth=16 "
	       "--rate_process=poisson");
	for (unsigned d = 0; d < 2; d++) {
		assert_int_equal(o->step[0][d].ios + o->step[1][d].ios, o->sum.dir[d].ios);
		assert_in_range(o->step[0][d].ios, d ? 400 : 850, d ? 600 : 1150);
		assert_in_range(o->step[1][d].ios, 50, 150);
		assert_int_equal(o->step[0][d].lat[STEP_CLAT].max, MS / 5);
	}
	free(o);
}

int unit_rates(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_idle),
		cmocka_unit_test(test_steps),
		cmocka_unit_test(test_steps_dirs),
		cmocka_unit_test(test_overload),
		cmocka_unit_test(test_windows),
		cmocka_unit_test(test_ramp),
		cmocka_unit_test(test_two_seconds),
		cmocka_unit_test(test_open_depth),
		cmocka_unit_test(test_order_of_arrival),
		cmocka_unit_test(test_poisson),
		cmocka_unit_test(test_shared),
		cmocka_unit_test(test_think),
		cmocka_unit_test(test_think_and_rate),
		cmocka_unit_test(test_floor),
		cmocka_unit_test(test_per_file),
		cmocka_unit_test(test_naps),
		cmocka_unit_test(test_naps_in_flight),
	};

	clock_virtual = true;
	return cmocka_run_group_tests(tests, NULL, NULL);
}
