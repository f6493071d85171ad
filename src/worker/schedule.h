/* schedule.h: when the next I/O of a job may start: rates, shared and open ones, think time, and the least
   that must be done. Part of struct worker. */
#ifndef SCHEDULE_H
#define SCHEDULE_H

#include <stdbool.h>
#include <stdint.h>
#include "floor.h"
#include "pace.h"
#include "think.h"

struct region_rate;

/* In worker.paced, beside the bits of the directions with a rate: the job thinks. */
#define PACED_THINK (1u << DIR_DATA)

enum schedule_rest { REST_NOT, REST_DRAIN, REST_NOW };

/* Times are clock_ns() unless they are of a schedule (rel). */
struct schedule {
	const struct job_opts *o; /* that it follows */
	unsigned paced;           /* as worker.paced, which has the bits of all */
	struct pacer pace[DIR_DATA];
	uint64_t start_ns;            /* when the schedules began */
	bool total;                   /* one schedule for all directions, that of ... */
	unsigned first;               /* ... the first one */
	int pending_dir;              /* drawn but not due yet; -1: none */
	struct region_rate *shared;   /* of the phase at hand; NULL: none */
	uint64_t behind_ns[DIR_DATA]; /* think_due_later */

	struct pacer ahead[DIR_DATA];                 /* rate_open: takes arrivals as time passes */
	uint64_t arrived[DIR_DATA], issued[DIR_DATA]; /* of the phase */

	struct think think;
	uint64_t ios; /* issued so far, for thinking */
	enum schedule_rest rest;
	uint64_t rest_ns, spin_end_ns, rest_end_ns; /* the rest at hand: from, spins until, until */

	struct floor floor;
	uint64_t asked_ns; /* of a file: when it had nothing that was due, ... */
	uint64_t again_ns; /* ... and what pace_due_ns was then */
	bool left;         /* this worker's part in a shared rate is over */
	uint64_t floor_ns; /* when the floor is to be judged; UINT64_MAX: never */
};

/* The schedules of a worker: one, or with iodepth_per_file one for each file. */
struct scheduler {
	/* Bits of the directions with a rate, and PACED_THINK; 0: I/Os come as fast as they can. */
	unsigned paced;
	uint32_t nfiles; /* of per_file; 0: the only one is `single` */
	struct schedule *current;
	struct schedule *per_file;
	struct schedule single;
	uint64_t due_ns; /* when to ask again; 0: when an I/O comes back; UINT64_MAX: never */
	uint64_t gap_ns; /* mean time between the I/Os of all rates; 0: no rate */
};

#endif
