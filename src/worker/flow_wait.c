#include "schedule.h"

#include "clock.h"
#include "flow.h"
#include "io_queue.h"
#include "region_flow.h"
#include "worker.h"

/* A held worker with I/Os in flight waits for these, and looks at the counts of the others this often. */
#define FLOW_POLL_NS 500000

static uint32_t member_of(const struct clone *c)
{
	return c->job->flow - 1;
}

/* Looks at the others. Returns whether the worker may issue an I/O; if not, h says why. */
static bool may_issue(struct worker *w, struct flow_hold *h)
{
	const struct clone *c = &w->clone;
	struct flow_wait *f = &w->flow;

	h->deadline_ns = w->clock.deadline_ns;
	f->allowed = region_flow_allowed(c->region, c->plan, member_of(c), h);
	/* Nothing holds the worker. If another one may still join, it looks again soon, so as to notice. */
	if (f->allowed == UINT64_MAX && region_flow_incomplete(c->region, c->plan, member_of(c)))
		f->allowed = f->ios + c->job->depth;
	return f->ios < f->allowed;
}

/* The storage is not the reason for the time in which the worker was held, so the response times do not
   include it. */
static bool end_hold(struct worker *w, uint64_t now)
{
	struct flow_wait *f = &w->flow;

	if (f->held_since_ns && now > f->held_since_ns)
		schedule_add_lag(&w->sched, now - f->held_since_ns);
	f->held_since_ns = 0;
	return true;
}

/* Waits until the next look at the others. */
static void wait_once(struct worker *w, struct flow_hold *h)
{
	const struct clone *c = &w->clone;
	uint64_t sleep = c->opts->flow.sleep_ns, until = wait_limit(&w->clock, UINT64_MAX);

	if (sleep) {
		uint64_t end = clock_ns() + sleep;

		futex_wait_until(&c->slot->stop, 0, end < until ? end : until);
	} else {
		h->wanted_ios = flow_wanted(w->flow.ios, c->job->depth);
		region_flow_wait(c->region, c->plan, member_of(c), h, until);
	}
	w->clock.now_ns = clock_ns();
}

/* Returns whether the worker may issue an I/O; if not, w->sched.due_ns is the time to call again. It sleeps
   here while none of its I/Os is in flight. */
static bool await_turn(struct worker *w, uint64_t now)
{
	uint64_t poll = w->clone.opts->flow.sleep_ns;
	struct flow_hold h;

	if (may_issue(w, &h))
		return end_hold(w, now);
	if (!w->flow.held_since_ns)
		w->flow.held_since_ns = now;
	if (io_queue_busy(&w->q)) {
		w->sched.due_ns = now + (poll > FLOW_POLL_NS ? poll : FLOW_POLL_NS);
		return false;
	}
	wait_once(w, &h);
	now = w->clock.now_ns;
	w->sched.due_ns = now;
	if (clone_interrupted(&w->clone) || now >= w->clock.deadline_ns || !may_issue(w, &h))
		return false;
	return end_hold(w, now);
}

static enum io_dir next_dir(struct worker *w, uint64_t now, uint64_t *due)
{
	if (w->flow.ios >= w->flow.allowed && !await_turn(w, now))
		return DIR_COUNT;
	if (w->sched.paced == PACED_FLOW)
		return io_source_dir(&w->source);
	return schedule_next(w, w->clock.now_ns, due);
}

static void take_turn(struct worker *w, struct io *io, uint64_t due, uint64_t now)
{
	const struct clone *c = &w->clone;

	io->due_ns = now;
	if (w->sched.paced != PACED_FLOW)
		schedule_take(w, io, due, now);
	region_flow_issued(c->region, c->plan, member_of(c), ++w->flow.ios);
}

void flow_wait_init(struct worker *w)
{
	if (!w->clone.job->flow)
		return;
	w->sched.paced |= PACED_FLOW;
	w->sched.next = next_dir;
	w->sched.take = take_turn;
}

void flow_wait_begin(struct worker *w)
{
	const struct clone *c = &w->clone;

	if (c->job->flow)
		w->flow.ios = w->flow.allowed = region_flow_join(c->region, c->plan, member_of(c));
}

void flow_wait_end(struct worker *w)
{
	const struct clone *c = &w->clone;
	const struct phase_clock *k = &w->clock;
	uint64_t now;
	bool time_up;

	if (!c->job->flow)
		return;
	now = clock_ns();
	time_up = now >= k->deadline_ns && !k->runtime_over && !w->quota.exhausted && !c->failed &&
		  !clone_stopped(c);
	end_hold(w, now);
	region_flow_leave(c->region, c->plan, member_of(c), time_up ? FLOW_TIME_UP : FLOW_LEFT,
			  k->deadline_ns);
}

void flow_wait_leave(const struct clone *c)
{
	if (c->job->flow)
		region_flow_leave(c->region, c->plan, member_of(c), FLOW_LEFT, 0);
}
