/* rank_monitor.h: rank 0 shows all ranks until the last one has ended: in the progress line (heartbeat.h) and
   in statuses (rank_status.h). */
#ifndef RANK_MONITOR_H
#define RANK_MONITOR_H

#include "heartbeat.h"
#include "rank_status.h"

struct rank_monitor {
	struct comm *comm;
	struct session *session;
	struct heartbeat heartbeat;
	struct rank_status status;
};

/* Call it between session_open and session_run, at all ranks. From now on the waits of comm.h also serve the
   monitor. bins: the entries of statuses keep their histograms. Returns 0 or -ENOMEM with d. */
int rank_monitor_open(struct rank_monitor *m, struct comm *c, struct session *s, bool bins, struct diag *d);
/* Takes a status; has the arguments of session_gate.status. */
void rank_monitor_status(struct rank_monitor *m, struct run *r, const char *by);
/* Call it when the session of this rank has been collected. The progress line of rank 0 shows the ranks that
   still run. */
void rank_monitor_show_others(struct rank_monitor *m);
/* For rank 0: *sum is about to be written. Ends the line, and adds the statuses and notes. */
void rank_monitor_result(struct rank_monitor *m, struct result *sum);
/* Call it before session_fini, in any case if *m was zeroed. */
void rank_monitor_close(struct rank_monitor *m);

#endif
