/* pace.h: when the next I/O may start. Pure: the caller supplies the time, and the shared word for a rate
   that several jobs share. */
#ifndef PACE_H
#define PACE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include "dir.h"
#include "rng.h"

/* Rates that change at given times (rate_steps). Pure. */

#define PACE_STEPS_MAX 64

struct pace_step {
	uint64_t start_ns;       /* since the measurement began */
	uint64_t rate[DIR_DATA]; /* per second; 0: no I/O */
};

/* The first step starts at 0, and each later one after the one before. The last one lasts until the job
   ends. */
struct pace_steps {
	uint32_t n;    /* 0: the rate does not change */
	bool by_bytes; /* the rates count bytes, not I/Os */
	struct pace_step step[PACE_STEPS_MAX];
};

/* Returns the step at this time. */
static inline uint32_t pace_step_at(const struct pace_steps *s, uint64_t ns)
{
	uint32_t i = 0;

	while (i + 1 < s->n && ns >= s->step[i + 1].start_ns)
		i++;
	return i;
}

/* Returns the end of a step; UINT64_MAX for the last one. */
static inline uint64_t pace_step_end(const struct pace_steps *s, uint32_t step)
{
	return step + 1 < s->n ? s->step[step + 1].start_ns : UINT64_MAX;
}

/* Returns the greatest rate of a direction. */
static inline uint64_t pace_steps_max(const struct pace_steps *s, unsigned dir)
{
	uint64_t max = 0;

	for (uint32_t i = 0; i < s->n; i++)
		max = s->step[i].rate[dir] > max ? s->step[i].rate[dir] : max;
	return max;
}

enum pace_process { PACE_LINEAR, PACE_POISSON };
/* How a worker waits for the next I/O's time. PACE_EXACT hits the time at any cost in CPU. PACE_COARSE
   sleeps for longer and then issues all I/Os that are due. PACE_AUTO is exact if that takes less than half
   a core. */
enum pace_wait { PACE_AUTO, PACE_EXACT, PACE_COARSE };

struct pace_cfg {
	uint64_t rate[DIR_DATA];      /* bytes per second; 0: none */
	uint32_t rate_iops[DIR_DATA]; /* I/Os per second; 0: none */
	unsigned process;             /* enum pace_process */
	unsigned wait;                /* enum pace_wait */
	bool ignore_think;            /* the schedule stands still during think time */
	bool open;                    /* I/Os are issued in order of arrival, and the queue is measured */
	bool total;                   /* all rates are equal and hold for all directions together */
	char *shared;                 /* jobs of this name share one schedule; NULL or "": none */
	struct pace_steps steps;      /* in place of rate and rate_iops */
};

/* Returns whether cfg has a rate for this direction. */
static inline bool pace_has_rate(const struct pace_cfg *c, unsigned dir)
{
	return c->rate[dir] || c->rate_iops[dir] || c->steps.n;
}

__extension__ typedef unsigned __int128 pace_amount; /* 10^-9 of an I/O or byte */

/* One direction's schedule, in ns since the start of the phase. It never depends on when an I/O was issued: a
   stall shows as response time.

   Linear: an I/O is due after the time that all I/Os (or bytes) before it take at the rate. The time is
   computed from the total, so it does not drift. Poisson: the gaps are exponential, seeded, and exact to a
   fraction of a nanosecond; the first I/O comes after the first gap.

   Steps: the rate changes at given times. An I/O belongs to the step in which it is due. If a step ends
   between two I/Os, the rest of the gap passes at the rate of the next step.

   Shared: jobs count in one word. Each job reserves the next place in the schedule and computes when
   it is due; a place is due at the same time for all jobs. */
struct pacer {
	uint64_t rate;          /* per second */
	bool by_bytes;          /* rate counts bytes, not I/Os */
	bool poisson, reserved; /* reserved: this job holds a place of the shared schedule and has not issued
				   its I/O yet */
	bool plain;             /* neither poisson nor shared, and without steps */
	uint32_t gap_bytes;     /* by_bytes: the I/O size that gap_ns and gap_rem are for */
	uint64_t amount;        /* I/Os or bytes so far */
	uint64_t due_ns, rem;   /* linear: due_ns * rate + rem == amount * 10^9, rem < rate */
	uint64_t gap_ns, gap_rem; /* what one I/O adds to due_ns and rem */
	uint64_t seed;
	struct rng rng;
	double mean_ns, frac; /* Poisson: mean time of an I/O or a byte; fraction of a ns that due_ns omits,
				 in [0, 1) */
	_Atomic uint64_t *shared;
	uint32_t unit; /* 1, or the smallest I/O in bytes */
	/* Steps; then poisson is false, and mean_ns is that of the fastest step. */
	const struct pace_steps *steps; /* NULL: none */
	unsigned dir;
	bool poisson_steps;
	uint32_t step; /* the step in which the next I/O is due; `rate` is its rate */
	uint64_t step_end_ns;
	pace_amount in_step; /* amount from the start of the step to the next I/O */
};

/* Returns false if cfg sets no limit for this direction; the loop then skips pacing. A job with both rate
   and rate_iops was refused earlier. bytes: the smallest I/O of this job. */
bool pacer_init(struct pacer *p, const struct pace_cfg *cfg, enum io_dir dir, uint32_t bytes, uint64_t seed);
/* Begins a shared schedule; all jobs initialise it with the same cfg and seed. A shared Poisson schedule
   counts I/Os. */
void pacer_share(struct pacer *p, _Atomic uint64_t *word);
/* Begins the schedule anew for a new phase, after the ramp. */
void pacer_restart(struct pacer *p);
/* Makes the first step last forever, until the next pacer_restart: the ramp has its rate. */
void pacer_hold_step(struct pacer *p);
/* Delays the schedule by ns. Not for a shared one. */
void pacer_shift(struct pacer *p, uint64_t ns);
/* Gives the reserved place back, if no other job has reserved a later one. */
void pacer_release(struct pacer *p);

/* Receives n I/Os that are due at due_ns. */
typedef void pacer_visit(void *ctx, uint64_t due_ns, uint64_t n);
/* Visits the I/Os of this size that were due before rel_ns and are not yet issued, the oldest first; on a
   shared schedule, those of all jobs. It visits the first 2^20 one by one. Further ones come in groups with
   their mean due time, evenly spaced also in a Poisson schedule. */
void pacer_overdue(const struct pacer *p, uint64_t rel_ns, uint32_t bytes, pacer_visit *visit, void *ctx);
/* Takes all I/Os of this size that are due at rel_ns; returns how many. */
uint64_t pacer_take_due(struct pacer *p, uint64_t rel_ns, uint32_t bytes);

/* For the functions below only. */
void pacer_set_gap(struct pacer *p, uint32_t bytes);
void pacer_take_other(struct pacer *p, uint32_t bytes);
void pacer_reserve(struct pacer *p);

/* Returns when the next I/O is due, in ns since the start of the phase; UINT64_MAX beyond 584 years. */
static inline uint64_t pacer_due(struct pacer *p)
{
	if (p->shared && !p->reserved)
		pacer_reserve(p);
	return p->due_ns;
}

/* Returns the mean time between two I/Os. */
static inline double pacer_gap_ns(const struct pacer *p)
{
	return p->mean_ns * p->unit;
}

static inline void pacer_take_linear(struct pacer *p, uint32_t bytes)
{
	bool carry;

	if (p->by_bytes && bytes != p->gap_bytes)
		pacer_set_gap(p, bytes);
	p->amount += p->by_bytes ? bytes : 1;
	carry = p->rem >= p->rate - p->gap_rem;
	p->rem = carry ? p->rem - (p->rate - p->gap_rem) : p->rem + p->gap_rem;
	if (__builtin_add_overflow(p->due_ns, p->gap_ns + carry, &p->due_ns))
		p->due_ns = UINT64_MAX;
}

/* Records that the next I/O is issued and has this size. */
static inline void pacer_take(struct pacer *p, uint32_t bytes)
{
	if (p->plain)
		pacer_take_linear(p, bytes);
	else
		pacer_take_other(p, bytes);
}

/* rate_min.c: checks the minimum rates of a job (rate_min, rate_iops_min) in each cycle. Pure. */

/* As in fio a job is not checked for this long after it starts. */
#define RATE_MIN_SETTLE_NS 2000000000u

struct rate_min_cfg {
	uint64_t rate[DIR_DATA]; /* bytes per second; 0: none */
	uint32_t iops[DIR_DATA];
	uint32_t cycle_ms;
};

/* Checks the rates of one worker. Times are in ns since the start of the phase. */
struct rate_min {
	uint64_t from_ns, until_ns; /* the present cycle; from_ns is UINT64_MAX before the first one */
	uint64_t bytes[DIR_DATA], ios[DIR_DATA]; /* totals at its beginning */
};

struct rate_min_miss {
	enum io_dir dir;
	bool iops;                  /* rate_iops_min, not rate_min */
	uint64_t required, reached; /* per second: required, reached */
	uint64_t from_ns, to_ns;
};

bool rate_min_wanted(const struct rate_min_cfg *c);
void rate_min_start(struct rate_min *f);
/* Call when now_ns >= f->until_ns, with the totals of the phase so far. Returns false and fills *miss if
   the cycle that ends now was too slow. */
bool rate_min_check(struct rate_min *f, const struct rate_min_cfg *c, uint64_t now_ns,
		    const uint64_t bytes[DIR_DATA], const uint64_t ios[DIR_DATA], struct rate_min_miss *miss);

#endif
