/* rank_status.h: the statuses of a run (--status-interval, SIGUSR1, a dump-status file) with the results of
   all ranks. Rank 0 requests the results of the others and merges their replies as they arrive. It writes the
   status when it has all replies, or after ten seconds without the missing ones. Nothing blocks. */
#ifndef RANK_STATUS_H
#define RANK_STATUS_H

#include <stdbool.h>
#include "heartbeat.h"
#include "session.h"

struct result_merge;

struct rank_status {
	struct comm *comm;
	const struct heartbeat *heartbeat;
	struct session *session;
	bool bins;                /* every entry keeps its histograms */
	uint32_t request_number;  /* of the last request, from 1 */
	MPI_Request text_request; /* the reply that is sent or received; MPI_REQUEST_NULL: none */
	char *text;
	int bytes;
	/* Of rank 0. */
	const char *cause,
		*next_cause;        /* the causes of this status and of the next one; NULL: there is none */
	struct result_merge *merge; /* NULL: rank 0 waits for no reply */
	uint64_t request_ns;        /* clock_ns() */
	bool *replied;              /* by rank */
	int next_rank;              /* the rank whose reply comes next */
};

/* Call it after session_open. Returns 0 or -ENOMEM; call rank_status_fini in any case. s is zeroed. */
int rank_status_init(struct rank_status *s, const struct heartbeat *h, struct session *session, bool bins);
void rank_status_fini(struct rank_status *s);
/* For rank 0: begins a status, at once or when the one before is complete. Has the arguments of
   session_gate.status. */
void rank_status_begin(struct rank_status *s, struct run *r, const char *by);
/* Sends a reply, or receives replies. Call it every 100 ms or so, and soon again if it returns true. */
bool rank_status_tick(struct rank_status *s, struct run *r);
/* For rank 0: the run of all ranks has ended. Waits a little for replies to the last request, because MPI
   cannot end while one is under way. */
void rank_status_end(struct rank_status *s);

#endif
