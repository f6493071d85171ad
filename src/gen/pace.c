#include "pace.h"

#include <math.h>
#include <stddef.h>

#define NS_PER_S 1000000000u
/* Up to this many overdue I/Os are visited one by one. Beyond that the mean rate is assumed, and they come in
   this many groups for each step. */
#define COUNTED_MAX (1u << 20)
#define GROUPS      1024u

__extension__ typedef unsigned __int128 u128;

/* This cannot overflow: 2^32 times 10^9 is below 2^62. */
static void set_gap(struct pacer *p, uint64_t amount)
{
	p->gap_ns = amount * NS_PER_S / p->rate;
	p->gap_rem = amount * NS_PER_S % p->rate;
}

void pacer_set_gap(struct pacer *p, uint32_t bytes)
{
	p->gap_bytes = bytes;
	set_gap(p, bytes);
}

static void set_pacer_rate(struct pacer *p, const struct pace_cfg *cfg, enum io_dir dir)
{
	p->by_bytes = cfg->rate_iops[dir] == 0;
	p->rate = p->by_bytes ? cfg->rate[dir] : cfg->rate_iops[dir];
	p->steps = NULL;
	if (!cfg->steps.n)
		return;
	p->steps = &cfg->steps;
	p->dir = dir;
	p->by_bytes = cfg->steps.by_bytes;
	p->rate = pace_steps_max(&cfg->steps, dir);
}

bool pacer_init(struct pacer *p, const struct pace_cfg *cfg, enum io_dir dir, uint32_t bytes, uint64_t seed)
{
	set_pacer_rate(p, cfg, dir);
	if (p->rate == 0)
		return false;
	p->gap_bytes = 0;
	set_gap(p, p->by_bytes ? 0 : 1);
	p->poisson = cfg->process == PACE_POISSON && !p->steps;
	p->poisson_steps = cfg->process == PACE_POISSON && p->steps;
	p->plain = !p->poisson && !p->steps;
	p->mean_ns = 1e9 / (double)p->rate;
	p->seed = seed;
	p->unit = p->by_bytes ? bytes : 1;
	p->shared = NULL;
	pacer_restart(p);
	return true;
}

void pacer_share(struct pacer *p, _Atomic uint64_t *word)
{
	p->shared = word;
	p->plain = false;
	pacer_restart(p);
}

/* Adds an exponential gap to the next I/O. */
static void add_gap(struct pacer *p, uint32_t bytes)
{
	double gap = -log(1 - rng_double(&p->rng)) * p->mean_ns * (p->by_bytes ? bytes : 1);
	double ns = p->frac + gap;

	if (ns >= 0x1p63 || p->due_ns > UINT64_MAX - (uint64_t)ns) {
		p->due_ns = UINT64_MAX;
		return;
	}
	p->due_ns += (uint64_t)ns;
	p->frac = ns - (double)(uint64_t)ns;
}

static void take_poisson(struct pacer *p, uint32_t bytes)
{
	p->amount += p->by_bytes ? bytes : 1;
	add_gap(p, bytes);
}

static uint64_t capped(pace_amount v)
{
	return v > UINT64_MAX ? UINT64_MAX : (uint64_t)v;
}

/* ---- steps ---- */

static void enter_step(struct pacer *p, uint32_t step)
{
	p->step = step;
	p->rate = p->steps->step[step].rate[p->dir];
	p->step_end_ns = pace_step_end(p->steps, step);
}

/* Sets the due time of the I/O that comes after this amount of the current step. If it would be due after the
   end of the step, the rest of the amount belongs to the next steps. */
static void place(struct pacer *p, pace_amount amount)
{
	for (;;) {
		uint64_t start = p->steps->step[p->step].start_ns;
		pace_amount due = p->rate ? start + amount / p->rate : UINT64_MAX;

		if (due < p->step_end_ns || p->step_end_ns == UINT64_MAX) {
			p->in_step = amount;
			p->due_ns = capped(due);
			return;
		}
		amount -= (pace_amount)p->rate * (p->step_end_ns - start);
		enter_step(p, p->step + 1);
	}
}

static pace_amount amount_of(const struct pacer *p, uint32_t bytes)
{
	return (pace_amount)NS_PER_S * (p->by_bytes ? bytes : 1);
}

/* Poisson: the amount before the next I/O is exponential. It may reach over several steps. */
static void add_amount(struct pacer *p, uint32_t bytes)
{
	pace_amount amount = amount_of(p, bytes);

	if (p->poisson_steps)
		amount = (pace_amount)(-log(1 - rng_double(&p->rng)) * (double)amount);
	place(p, p->in_step + amount);
}

static void take_steps(struct pacer *p, uint32_t bytes)
{
	p->amount += p->by_bytes ? bytes : 1;
	add_amount(p, bytes);
}

/* Begins the first step. hold: this step never ends. */
static void begin_steps(struct pacer *p, bool hold)
{
	rng_init(&p->rng, p->seed);
	enter_step(p, 0);
	if (hold)
		p->step_end_ns = UINT64_MAX;
	p->in_step = 0;
	if (p->poisson_steps)
		add_amount(p, p->unit);
	else
		place(p, 0);
}

void pacer_hold_step(struct pacer *p)
{
	if (p->steps)
		begin_steps(p, true);
}

static void take_unshared(struct pacer *p, uint32_t bytes)
{
	if (p->poisson)
		take_poisson(p, bytes);
	else
		take_steps(p, bytes);
}

void pacer_take_other(struct pacer *p, uint32_t bytes)
{
	if (!p->shared) {
		take_unshared(p, bytes);
		return;
	}
	if (p->by_bytes && bytes != p->unit)
		atomic_fetch_add_explicit(p->shared, (uint64_t)bytes - p->unit, memory_order_relaxed);
	p->reserved = false;
}

/* Moves the schedule to the I/O after `amount` I/Os or bytes. */
static void seek(struct pacer *p, uint64_t amount)
{
	if (p->poisson) {
		while (p->amount < amount)
			take_poisson(p, p->unit);
		return;
	}
	u128 exact = (u128)amount * NS_PER_S, due = exact / p->rate;

	p->amount = amount;
	p->due_ns = due > UINT64_MAX ? UINT64_MAX : (uint64_t)due;
	p->rem = (uint64_t)(exact % p->rate);
}

void pacer_reserve(struct pacer *p)
{
	seek(p, atomic_fetch_add_explicit(p->shared, p->unit, memory_order_relaxed));
	p->reserved = true;
}

void pacer_release(struct pacer *p)
{
	uint64_t next = p->amount + p->unit;

	if (p->reserved && atomic_compare_exchange_strong(p->shared, &next, p->amount))
		p->reserved = false;
}

void pacer_restart(struct pacer *p)
{
	p->amount = p->due_ns = p->rem = 0;
	p->frac = 0;
	p->reserved = false;
	rng_init(&p->rng, p->seed);
	if (p->poisson)
		add_gap(p, p->unit);
	else if (p->steps)
		begin_steps(p, false);
}

void pacer_shift(struct pacer *p, uint64_t ns)
{
	if (__builtin_add_overflow(p->due_ns, ns, &p->due_ns))
		p->due_ns = UINT64_MAX;
}

/* Visits the n I/Os from the next one on, at the rate of the current step, in groups. */
static void visit_even(const struct pacer *at, u128 n, uint32_t bytes, pacer_visit *visit, void *ctx)
{
	u128 each = amount_of(at, bytes);

	for (unsigned g = 0; g < GROUPS; g++) {
		u128 first = n * g / GROUPS, end = n * (g + 1) / GROUPS;

		if (first < end)
			visit(ctx, capped(at->due_ns + (first + end - 1) * each / at->rate / 2),
			      (uint64_t)(end - first));
	}
}

/* Visits the I/Os that are due before rel_ns, step by step, at the mean rate of each step. */
static void visit_many(struct pacer *at, uint64_t rel_ns, uint32_t bytes, pacer_visit *visit, void *ctx)
{
	while (at->due_ns < rel_ns) {
		uint64_t end = at->steps && at->step_end_ns < rel_ns ? at->step_end_ns : rel_ns;
		u128 each = amount_of(at, bytes);
		u128 n = ((u128)(end - at->due_ns) * at->rate + each - 1) / each;

		visit_even(at, n, bytes, visit, ctx);
		if (!at->steps)
			return;
		place(at, at->in_step + n * each);
	}
}

static void take_any(struct pacer *p, uint32_t bytes)
{
	if (p->poisson || p->steps)
		take_unshared(p, bytes);
	else
		pacer_take_linear(p, bytes);
}

void pacer_overdue(const struct pacer *p, uint64_t rel_ns, uint32_t bytes, pacer_visit *visit, void *ctx)
{
	struct pacer at = *p;

	if (at.shared)
		seek(&at, atomic_load_explicit(at.shared, memory_order_relaxed));
	for (unsigned i = 0; i < COUNTED_MAX && at.due_ns < rel_ns; i++) {
		visit(ctx, at.due_ns, 1);
		take_any(&at, bytes);
	}
	visit_many(&at, rel_ns, bytes, visit, ctx);
}

uint64_t pacer_take_due(struct pacer *p, uint64_t rel_ns, uint32_t bytes)
{
	uint64_t n = 0;

	for (; p->plain && p->due_ns <= rel_ns; n++)
		pacer_take_linear(p, bytes);
	for (; p->due_ns <= rel_ns && p->due_ns != UINT64_MAX; n++)
		take_unshared(p, bytes);
	return n;
}
