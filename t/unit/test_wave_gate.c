/* Does a wave wait for its gate while the parent goes on, and do its workers start together at the time that
   the gate names? The expected values follow from the contract in run.h. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <errno.h>
#include <string.h>
#include "clock.h"
#include "cmdline.h"
#include "plan.h"
#include "run.h"

#define AHEAD_NS 20000000u
#define TICKS    3
#define WAVES    2

struct gate {
	unsigned asked[WAVES], ticks, ticks_at_ask, opened[WAVES];
	uint64_t start_ns[WAVES];
	bool early;   /* a worker ran before its gate was open */
	bool end;     /* the gate ends the run */
	bool at_once; /* the gate opens when it is asked first */
};

static void count_tick(void *ctx, struct run *r)
{
	struct gate *g = ctx;

	(void)r;
	g->ticks++;
}

static void count_open(void *ctx, const struct run *r, uint32_t wave)
{
	struct gate *g = ctx;

	(void)r;
	g->opened[wave]++;
}

static void look_for_early_workers(struct gate *g, const struct run *r, uint32_t wave)
{
	for (uint32_t i = 0; i < r->plan->njobs; i++)
		if (r->plan->jobs[i].wave == wave && run_phase(r, i) > PHASE_READY &&
		    run_phase(r, i) < PHASE_DONE)
			g->early = true;
}

/* Opens the gate once the parent has called `tick` TICKS times since the first question. */
static uint64_t ask(void *ctx, struct run *r, uint32_t wave)
{
	struct gate *g = ctx;

	look_for_early_workers(g, r, wave);
	if (!g->asked[wave]++)
		g->ticks_at_ask = g->ticks;
	if (g->end) {
		waves_end_run(r);
		return 0;
	}
	if (!g->at_once && g->ticks < g->ticks_at_ask + TICKS)
		return 0;
	g->start_ns[wave] = clock_ns() + AHEAD_NS;
	return g->start_ns[wave];
}

struct bench {
	struct job_set set;
	struct plan plan;
	struct run run;
	struct run_hooks hooks;
};

/* Two waves of two workers each on the null engine. */
static void begin(struct bench *b, struct gate *g, const char *runtime)
{
	char *argv[] = { (char *)"fiord",       (char *)"--thread=1",   (char *)"--ioengine=null",
			 (char *)"--size=64m",  (char *)"--time_based", (char *)(uintptr_t)runtime,
			 (char *)"--name=a",    (char *)"--numjobs=2",  (char *)"--name=b",
			 (char *)"--stonewall", (char *)"--numjobs=2",  NULL };
	struct cmdline c = { 0 };
	struct facts facts = { 0 };
	struct diag d = { 0 };

	memset(b, 0, sizeof(*b));
	b->hooks = (struct run_hooks){ .ctx = g,
				       .tick_ns = 1000000,
				       .tick = count_tick,
				       .wave_open = count_open,
				       .wave_gate = ask,
				       .gate_poll_ns = 1000000 };
	assert_int_equal(cmdline_parse(&c, &b->set, 11, argv, &d), 0);
	assert_int_equal(plan_build(&b->plan, &b->set, &facts, &d), 0);
	assert_int_equal(b->plan.nwaves, WAVES);
	assert_int_equal(run_plan(&b->run, &b->plan, &b->hooks, &d), 0);
	diag_fini(&d);
}

static void end(struct bench *b)
{
	run_fini(&b->run);
	plan_fini(&b->plan);
	job_set_fini(&b->set);
}

static void check_starts(const struct bench *b, const struct gate *g)
{
	assert_false(g->early);
	for (uint32_t i = 0; i < b->plan.njobs; i++) {
		const struct slot *s = run_slot(&b->run, i);

		assert_int_equal(s->error, 0);
		assert_true(s->run_start_ns >= g->start_ns[b->plan.jobs[i].wave]);
	}
	for (uint32_t w = 0; w < WAVES; w++)
		assert_int_equal(g->opened[w], 1);
}

/* The parent serves its timer between two questions; a parent that waits in the gate would never end. */
static void test_parent_goes_on(void **state)
{
	struct gate g = { 0 };
	struct bench b;

	(void)state;
	begin(&b, &g, "--runtime=10ms");
	check_starts(&b, &g);
	for (uint32_t w = 0; w < WAVES; w++)
		assert_true(g.asked[w] > 1);
	end(&b);
}

/* Workers wait for a start that lies ahead, also when the gate never said no. */
static void test_start_ahead(void **state)
{
	struct gate g = { .at_once = true };
	struct bench b;

	(void)state;
	begin(&b, &g, "--runtime=10ms");
	check_starts(&b, &g);
	end(&b);
}

/* A gate that ends the run: no worker starts. */
static void test_gate_ends_run(void **state)
{
	struct gate g = { .end = true };
	struct bench b;

	(void)state;
	begin(&b, &g, "--runtime=1000");
	assert_int_equal(g.asked[0], 1);
	assert_int_equal(g.asked[1], 0);
	assert_int_equal(g.opened[0], 0);
	for (uint32_t i = 0; i < b.plan.njobs; i++)
		assert_int_equal(run_slot(&b.run, i)->run_start_ns, 0);
	end(&b);
}

int unit_wave_gate(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_parent_goes_on),
		cmocka_unit_test(test_start_ahead),
		cmocka_unit_test(test_gate_ends_run),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
