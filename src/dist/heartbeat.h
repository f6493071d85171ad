/* heartbeat.h: during the run, each rank sends its progress to rank 0 once a second. No call blocks: a rank
   skips a record while the one before is still under way. Rank 0 adds the records to its progress line, and
   names the ranks that were silent for ten seconds. */
#ifndef HEARTBEAT_H
#define HEARTBEAT_H

#include <stdbool.h>
#include "comm.h"
#include "progress_meter.h"
#include "strbuf.h"
#include "progress_sum.h"

struct result;
struct run;

/* A rank, as seen by rank 0. */
struct heartbeat_peer {
	uint64_t last_record_ns;  /* clock_ns() of the last record; 0: there was none */
	uint64_t silent_since_ns; /* the silence is counted from here; the time in which rank 0 itself stood
			      still does not count */
	bool silent;
	struct progress_record progress;
};

struct heartbeat {
	struct comm *comm;
	struct progress_meter meter;
	struct run *run;
	struct progress_record own, received; /* the messages */
	MPI_Request send, receive;            /* MPI_REQUEST_NULL: none */
	uint64_t send_ns,
		last_tick_ns; /* when the next record is due, and when heartbeat_tick was last called */
	struct heartbeat_peer *peer; /* for rank 0, by rank */
	struct strbuf states, text;  /* of the progress line */
	struct notes notes;          /* about silent ranks */
};

/* The ranks begin to send. Returns 0 or -ENOMEM; call heartbeat_fini in any case. The struct is zeroed. */
int heartbeat_init(struct heartbeat *h, struct comm *c, struct run *r, const struct plan *p);
void heartbeat_fini(struct heartbeat *h);
/* Sends and receives what is due. Call it every 100 ms or so, also in waits after the run. */
void heartbeat_tick(struct heartbeat *h);
/* For rank 0: returns the seconds until the last rank ends; -1 if that is unknown. */
double heartbeat_remaining_s(const struct heartbeat *h);
/* For rank 0, as the function of struct progress_others: adds the progress of the others. */
void heartbeat_add_progress(void *heartbeat, struct progress *p);
/* For rank 0: adds notes about ranks that were silent. */
void heartbeat_notes(const struct heartbeat *h, struct result *res);

#endif
