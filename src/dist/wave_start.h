/* wave_start.h: the ranks start each wave together. wave_start is the gate of a session (session.h): a
   non-blocking reduction finds the time at which the last rank was ready, and all ranks start a little later,
   by the clock of rank 0. It also limits the time between two gates, and ends the run of a rank that hangs.
 */
#ifndef WAVE_START_H
#define WAVE_START_H

#include <stdbool.h>
#include "comm.h"
#include "plan.h"
#include "result.h"
#include "session.h"

/* Watches jobs that have no time limit. */
struct wave_watch {
	uint64_t number;   /* run_advance() */
	uint64_t look_ns;  /* comm_now() of the last look */
	uint64_t still_ns; /* how long the number has not changed */
};

struct wave_start {
	struct comm *comm;
	uint32_t waves;         /* the most waves of any rank */
	uint32_t waves_begun;   /* waves that have begun */
	bool waiting;           /* for the reduction of wave `waves_begun` */
	uint64_t wait_begin_ns; /* comm_now() when this rank was ready for it */
	MPI_Request request;
	unsigned long long ready_ns, last_ready_ns; /* by the clock of rank 0 */
	uint64_t first_start_ns;                    /* clock_ns() at which the first wave started */
	/* How long the layout of each wave, and the run of the wave before, may take; and as the last entry
	   the run of the last wave. */
	uint64_t *work_ns;
	uint64_t work_begin_ns; /* comm_now() when the last wave started, or the session began */
	struct wave_watch watch;
	bool hung;               /* the jobs of this rank took so long that they were ended */
	struct strbuf hung_text; /* and why, for people */
};

/* All ranks call it after session_open. Returns 0 or -ENOMEM with d, the same at all ranks. */
int wave_start_init(struct wave_start *w, struct comm *c, const struct plan *p, struct diag *d);
void wave_start_fini(struct wave_start *w);
/* The gate of the session (session_gate.wave_gate). */
uint64_t wave_start_gate(struct wave_start *w, struct run *r, uint32_t wave);
/* Returns the time until the gate should be asked again: the longer the wait, the longer. */
uint64_t wave_start_poll_ns(const struct wave_start *w);
/* The tick of the session: ends the run if rank 0 has ended it, or if the jobs of this rank hang. */
void wave_start_tick(struct wave_start *w, struct run *r);
/* Adds to the result of this rank that its jobs hung, if they did. */
void wave_start_result(const struct wave_start *w, struct result *res);
/* Takes part in the waves that this rank does not run, because it has fewer waves or has ended early. Then
   begins the step of the last results. r has ended. Returns at once if the run of all ranks ended early. */
void wave_start_finish(struct wave_start *w, const struct run *r);

#endif
