/* schedule.h: when the next I/O of a job may start: rates (also shared and open-loop rates), think time, and
   minimum rates. A job without a rate and think time issues its I/Os without these functions. */
#ifndef SCHEDULE_H
#define SCHEDULE_H

#include <stdbool.h>
#include <stdint.h>
#include "clone.h"
#include "pace.h"
#include "think.h"

struct io;
struct io_source;
struct phase_clock;
struct region_rate;
struct worker;

/* Bits of scheduler.paced, beside the bits of the directions with a rate: the job has think time; it belongs
   to a flow (flow_wait.c). */
#define PACED_THINK  (1u << DIR_DATA)
#define PACED_FLOW   (2u << DIR_DATA)
#define PACED_REPLAY (4u << DIR_DATA) /* the I/Os have the times of a trace (replay.c) */

/* PAUSE_DRAIN: think time begins once the I/Os in flight have completed. */
enum schedule_pause { PAUSE_NONE, PAUSE_DRAIN, PAUSE_THINK };

/* Times are clock_ns(). Times called rel or due count from start_ns. */
struct schedule {
	const struct job_opts *opts; /* the options that define this schedule */
	unsigned paced;              /* as scheduler.paced, which has the bits of all schedules */
	struct pacer pace[DIR_DATA];
	uint64_t start_ns;               /* start of the schedule */
	bool one_pacer;                  /* rate_total: all directions follow pace[first_dir] */
	unsigned first_dir;              /* the first direction with a rate */
	int pending_dir;                 /* direction that was drawn but is not due yet; -1: none */
	struct region_rate *shared;      /* shared rate of the current phase; NULL: none */
	uint64_t think_lag_ns[DIR_DATA]; /* how far I/Os lag behind because of think time (think_shift_due) */

	struct pacer arrival_pace[DIR_DATA];           /* rate_open: counts arrivals as time passes */
	uint64_t arrivals[DIR_DATA], issued[DIR_DATA]; /* I/Os in this phase */

	struct think think;
	struct rng think_rng; /* draws the lengths of pauses */
	uint64_t issued_ios;  /* I/Os issued so far, for the think time */
	uint64_t resumed_ios; /* issued_ios at the end of the last think time; there is an I/O between two */
	enum schedule_pause pause;
	uint64_t pause_start_ns, spin_end_ns, pause_end_ns; /* of the current think time */

	struct rate_min rate_min;
	uint64_t rate_min_check_ns; /* time of the next check of the minimum rate; UINT64_MAX: never */
	uint64_t not_due_ns;        /* per file: when no I/O of the file was due, ... */
	uint64_t not_due_until_ns;  /* ... and scheduler.due_ns at that time */
	bool left_shared;           /* this worker has left its shared rate */
};

/* The schedules of a worker: a single one, or one for each file (iodepth_per_file, thread_group). */
struct scheduler {
	/* Bits of the directions with a rate, PACED_THINK and PACED_FLOW; 0: I/Os start without delay. */
	unsigned paced;
	/* schedule_next and schedule_take, or those of flow_wait.c. */
	enum io_dir (*next)(struct worker *w, uint64_t now, uint64_t *due);
	void (*take)(struct worker *w, struct io *io, uint64_t due, uint64_t now);
	bool ended;      /* schedule_end has counted what was not issued */
	uint32_t nfiles; /* entries of per_file; 0: `single` is the only schedule */
	struct schedule *current;
	struct schedule *per_file;
	struct schedule single;
	uint64_t due_ns; /* time of the next I/O; 0: after the next completion; UINT64_MAX: never */
	uint64_t gap_ns; /* mean time between I/Os, all rates together; 0: no rate */
};

/* per_file: each file has its own I/Os in flight. Returns false if memory is short. */
bool schedule_init(struct scheduler *s, const struct clone *c, bool per_file);
void schedule_fini(struct scheduler *s);
/* A phase begins: resets the schedules. ios: the worker's I/Os. */
void schedule_begin(struct scheduler *s, const struct clone *c, struct io *ios, uint64_t start, bool ramp);
/* For jobs with w->sched.paced. Returns the direction of the next I/O and its due time (ns since
   schedule.start_ns). Returns DIR_COUNT if no I/O is due; w->sched.due_ns is then the time to call again (0:
   after the next completion). */
enum io_dir schedule_next(struct worker *w, uint64_t now, uint64_t *due);
/* The worker will issue this I/O, which is filled in: the schedule moves on. */
void schedule_take(struct worker *w, struct io *io, uint64_t due, uint64_t now);
/* The worker has issued no I/O for this long: the schedules go on as if that time had not passed. A shared
   rate goes on, but the response times of I/Os that became due meanwhile do not include the pause. */
void schedule_pause(struct scheduler *s, uint64_t length_ns);
/* The worker was held by its flow for this long. As with think time, response times do not include it. */
void schedule_add_lag(struct scheduler *s, uint64_t length_ns);

/* schedule_end.c: */

/* The measurement ends, or the parent stopped the job before: counts the I/Os that were due and not complete,
   with the age that they have reached. Those that were not issued count unless the job has issued all its
   I/Os; those in flight, unless `drains` says that they will count when they complete. */
void schedule_end(struct worker *w, uint64_t end, bool drains);
/* This worker issues no more I/Os, or has never issued any: it leaves its shared rate. */
void schedule_leave(struct scheduler *s, const struct clone *c);

/* Only schedule.c and schedule_end.c call these. */

static inline uint32_t schedule_unit_bytes(const struct schedule *s, unsigned dir)
{
	return bsize_min(&s->opts->offset.bsize, 1u << dir);
}

static inline uint64_t schedule_since_start(const struct schedule *s, uint64_t now)
{
	return now > s->start_ns ? now - s->start_ns : 0;
}

static inline bool schedule_has_rate(const struct schedule *s, unsigned dir)
{
	return s->paced & 1u << dir;
}

/* Returns the direction whose pacer this direction follows. With rate_total all follow the first one. */
static inline unsigned schedule_pacer_dir(const struct schedule *s, unsigned dir)
{
	return s->one_pacer ? s->first_dir : dir;
}

/* Ends the think time that goes on. */
void schedule_end_think(struct schedule *s, uint64_t now);

/* schedule.c: minimum rates. */

/* The worker has issued no I/O for some time: the next cycle of the minimum rates begins now. */
void schedule_restart_rate_min(struct worker *w, uint64_t now);
/* rate_min and rate_iops_min: checks the cycle that has ended, and fails the job if it was too slow. */
void schedule_check_rate_min(struct worker *w, uint64_t now);

/* flow_wait.c: a worker of a flow (flow) waits while it is ahead of the others. The functions take the place
   of schedule_next and schedule_take; a worker of no flow executes none of this. */

struct flow_wait {
	uint64_t ios;           /* issued so far, and the count with which the worker joined */
	uint64_t allowed;       /* when ios reaches this, the worker looks at the others again */
	uint64_t held_since_ns; /* 0: it is not held */
};

/* Sets the functions of the scheduler, if the job belongs to a flow. Called after schedule_init. */
void flow_wait_init(struct worker *w);
/* The worker is about to issue its first I/O: it joins the flow if others have begun before it. */
void flow_wait_begin(struct worker *w);
/* The worker issues no more I/Os of its own; it may still read back what it has written. */
void flow_wait_end(struct worker *w);
/* The worker ends, and may never have begun. */
void flow_wait_leave(const struct clone *c);

/* wait.c: waits of the loop. A worker sleeps for most of a wait, and spins for the rest. Every wait ends when
   the parent sets slot.stop. */

/* Sleeps, then spins, until `until`. Sets k->now_ns, and updates the estimate of the wake-up latency. */
void wait_until(struct phase_clock *k, const struct clone *c, uint64_t until);
/* Spins until `until`. Sets k->now_ns. */
void wait_spin(struct phase_clock *k, const struct clone *c, uint64_t until);
/* Returns the earliest of `until`, the deadline and the next event. */
uint64_t wait_limit(const struct phase_clock *k, uint64_t until);
/* Waits as rate_wait says for the I/O that is due at w->sched.due_ns, or until the next event. Sets
   w->clock.now_ns. */
void wait_due(struct worker *w);
/* Returns how long an engine may sleep until that I/O is due; 0: the worker polls the engine. */
uint64_t wait_due_timeout(struct worker *w);

#endif
