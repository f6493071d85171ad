#include "region_flow.h"

#include "flow.h"
#include "region.h"

/* Workers that start together do so within this time, even on a machine that stalls. */
#define FLOW_START_SKEW_NS 1000000000u

static uint64_t ios_of(const struct region_flow *f)
{
	return atomic_load(&f->ios);
}

static enum flow_state flow_state_of(const struct region_flow *f)
{
	return (enum flow_state)atomic_load(&f->state);
}

void region_flow_init(const struct region *r, const struct plan *p)
{
	for (uint32_t i = 0; i < p->nflows; i++)
		atomic_store_explicit(&r->flows[i].state, p->flows[i].joins_later ? FLOW_LATER : FLOW_ACTIVE,
				      memory_order_relaxed);
}

/* Returns whether job k can hold `member`, whose runtime ends at deadline_ns. If the runtime of job k is
   over, it still holds jobs with the same runtime, so that they issue no more than their share. */
static bool holds(const struct region *r, const struct plan *p, uint32_t k, uint32_t member,
		  uint64_t deadline_ns)
{
	switch (flow_state_of(&r->flows[k])) {
	case FLOW_ACTIVE:
		return true;
	case FLOW_TIME_UP:
		return p->flows[k].end_ns == p->flows[member].end_ns &&
		       deadline_ns <= atomic_load_explicit(&r->flows[k].deadline_ns, memory_order_relaxed) +
					      FLOW_START_SKEW_NS;
	case FLOW_LATER:
	case FLOW_LEFT:
		break;
	}
	return false;
}

uint64_t region_flow_allowed(const struct region *r, const struct plan *p, uint32_t member,
			     struct flow_hold *h)
{
	const struct plan_flow *me = &p->flows[member];
	uint64_t least = UINT64_MAX;

	for (uint32_t k = me->first; k < me->first + me->members; k++) {
		uint64_t n;

		if (k == member || !holds(r, p, k, member, h->deadline_ns))
			continue;
		n = flow_allowed(me->weight, me->lead, ios_of(&r->flows[k]), p->flows[k].weight);
		if (n < least) {
			least = n;
			h->holder = k;
		}
	}
	return least;
}

bool region_flow_incomplete(const struct region *r, const struct plan *p, uint32_t member)
{
	const struct plan_flow *me = &p->flows[member];

	for (uint32_t k = me->first; k < me->first + me->members; k++)
		if (flow_state_of(&r->flows[k]) == FLOW_LATER)
			return true;
	return false;
}

/* Returns the job's share of what the slowest active job has issued. */
static uint64_t least_share(const struct region *r, const struct plan *p, uint32_t member)
{
	const struct plan_flow *me = &p->flows[member];
	uint64_t least = UINT64_MAX;

	for (uint32_t k = me->first; k < me->first + me->members; k++) {
		uint64_t n = flow_share(me->weight, ios_of(&r->flows[k]), p->flows[k].weight);

		if (k != member && flow_state_of(&r->flows[k]) == FLOW_ACTIVE && n < least)
			least = n;
	}
	return least == UINT64_MAX ? 0 : least;
}

/* The others may have issued I/Os before they saw this job, so it looks at their counts again afterwards. */
uint64_t region_flow_join(const struct region *r, const struct plan *p, uint32_t member)
{
	struct region_flow *f = &r->flows[member];
	uint64_t ios;

	if (flow_state_of(f) != FLOW_LATER)
		return 0;
	atomic_store(&f->ios, least_share(r, p, member));
	atomic_store(&f->state, FLOW_ACTIVE);
	ios = least_share(r, p, member);
	atomic_store(&f->ios, ios);
	return ios;
}

static void wake(const struct region *r, const struct plan *p, uint32_t member)
{
	_Atomic uint32_t *stop = &region_slot(r, p->flows[member].job)->stop;

	if (!(atomic_fetch_or_explicit(stop, STOP_FLOW, memory_order_release) & STOP_FLOW))
		futex_wake_all(stop);
}

static void wake_all(const struct region *r, const struct plan *p, uint32_t member)
{
	const struct plan_flow *me = &p->flows[member];

	for (uint32_t k = me->first; k < me->first + me->members; k++)
		if (atomic_load(&r->flows[k].waits_for) == 1 + member)
			wake(r, p, k);
}

static void wake_allowed(const struct region *r, const struct plan *p, uint32_t member, uint64_t ios)
{
	const struct plan_flow *me = &p->flows[member];

	for (uint32_t k = me->first; k < me->first + me->members; k++) {
		const struct plan_flow *o = &p->flows[k];

		if (atomic_load(&r->flows[k].waits_for) == 1 + member &&
		    flow_allowed(o->weight, o->lead, ios, me->weight) >= atomic_load(&r->flows[k].wanted_ios))
			wake(r, p, k);
	}
}

void region_flow_issued(const struct region *r, const struct plan *p, uint32_t member, uint64_t ios)
{
	struct region_flow *f = &r->flows[member];

	/* Sequentially consistent, as in region_flow_wait: either this job sees that another one waits, or
	   the waiting job sees the new count. */
	atomic_store(&f->ios, ios);
	if (atomic_load(&f->awaited))
		wake_allowed(r, p, member, ios);
}

void region_flow_wait(const struct region *r, const struct plan *p, uint32_t member,
		      const struct flow_hold *h, uint64_t until_ns)
{
	struct region_flow *f = &r->flows[member], *o = &r->flows[h->holder];
	const struct plan_flow *me = &p->flows[member];
	_Atomic uint32_t *stop = &region_slot(r, me->job)->stop;

	atomic_store(&f->wanted_ios, h->wanted_ios);
	atomic_store(&f->waits_for, 1 + h->holder);
	atomic_fetch_add(&o->awaited, 1);
	if (holds(r, p, h->holder, member, h->deadline_ns) &&
	    flow_allowed(me->weight, me->lead, ios_of(o), p->flows[h->holder].weight) < h->wanted_ios)
		futex_wait_until(stop, 0, until_ns);
	atomic_fetch_sub(&o->awaited, 1);
	atomic_store(&f->waits_for, 0);
	atomic_fetch_and_explicit(stop, ~STOP_FLOW, memory_order_acquire);
}

void region_flow_leave(const struct region *r, const struct plan *p, uint32_t member, enum flow_state state,
		       uint64_t deadline_ns)
{
	struct region_flow *f = &r->flows[member];
	uint32_t old = atomic_load(&f->state);

	if (old == FLOW_TIME_UP || old == FLOW_LEFT)
		return;
	atomic_store(&f->deadline_ns, deadline_ns);
	atomic_store(&f->state, state);
	wake_all(r, p, member);
}
