/* rank.h: what the ranks of fiord-mpi do besides their own session: they compare their options and targets,
   start together, show their progress and send their results to rank 0. Private to this folder. */
#ifndef RANK_H
#define RANK_H

#include <stdbool.h>
#include "comm.h"
#include "cmdline.h"
#include "planning.h"
#include "plan.h"
#include "result.h"
#include "session.h"
#include "progress_meter.h"
#include "strbuf.h"
#include "progress_sum.h"
#include "run.h"

/* rank_options.c: checks the options of the run before the ranks plan: all ranks need the same verb and the
   same output, and some options make no sense on several machines. */

/* Refuses options of the run that do not make sense for several machines, and an output of another program
   that is not that of rank 0. Every rank calls it. Returns 0 or -errno with d; *output becomes the path of
   rank 0's --output for the caller to free, or NULL. */
int rank_options_check(struct comm *c, const struct cmdline *cmdline, const struct run_opts *o, char **output,
		       struct diag *d);

/* rank_program.c: the programs of a run: ranks with the same arguments. Before the ranks run anything, rank 0
   compares their targets, or prints their plans. */

/* Makes each group of ranks with the same arguments a program, which loads its own job files. A launcher may
   have started several groups as one program. */
void rank_program_split(struct comm *c, int argc, char *const *argv);
/* Returns the arguments with ${RANK}, ${NRANKS} and ${HOST} replaced, for the caller to free; NULL if memory
   is short. The environment has these variables. */
char **rank_program_arguments(int argc, char *const *argv);
/* Refuses verbs that fiord-mpi does not have. Returns 0 or -errno with d. */
int rank_program_verb(int argc, char *const *argv, struct diag *d);
/* Returns the facts of the rank for the plan. Every rank calls it. */
struct rank_info rank_program_info(struct comm *c);
/* For rank 0: refuses files that the ranks would damage together (rank_targets.h). Every rank calls it.
   Returns 0 or -errno with d. */
int rank_program_targets(struct comm *c, const struct plan *p, struct diag *d);
/* The verb check: rank 0 prints the plans of all ranks. Every rank calls it. Returns the exit code. */
int rank_program_check(struct comm *c, const struct plan *p, struct diag *d);

/* wave_start.c: the ranks start each wave together. wave_start is the gate of a session (session.h): a
   non-blocking reduction finds the time at which the last rank was ready, and all ranks start a little later,
   by the clock of rank 0. It also limits the time between two gates, and ends the run of a rank that hangs.
 */

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

/* heartbeat.c: during the run, each rank sends its progress to rank 0 once a second. No call blocks: a rank
   skips a record while the one before is still under way. Rank 0 adds the records to its progress line, and
   names the ranks that were silent for ten seconds. */

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

/* rank_status.c: the statuses of a run (--status-interval, SIGUSR1, a dump-status file) with the results of
   all ranks. Rank 0 requests the results of the others and merges their replies as they arrive. It writes the
   status when it has all replies, or after ten seconds without the missing ones. Nothing blocks. */

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

/* rank_monitor.c: rank 0 shows all ranks until the last one has ended: in the progress line (heartbeat.c) and
   in statuses (rank_status.c). */

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

/* rank_host.c: the entry of a rank in fiord.hosts: when its workers began and ended in each wave, counted
   from the common starts, how many bytes it moved, and its first error. */

/* Adds a line about this rank to its result, and names the entries of the result by the rank. So the entries
   of two ranks on one host have different names. first_ns: when the first wave started, by clock_ns(); 0:
   none did. */
void rank_host_add(const struct comm *c, const struct run *r, uint64_t first_ns, struct result *res);
/* Returns the entry of a rank without a result. */
struct result_host rank_host_missing(const struct comm *c, int rank, const char *error);

/* ---- gather.c: sends the results of all ranks to rank 0, which merges them. ---- */

/* Prepares the result of a rank for the merge: converts the start of its series to the clock of rank 0. */
void gather_prepare(const struct comm *c, struct result *res);
/* For all ranks but 0: sends the result; res is NULL if the rank has none. Returns 0, -ENOMEM with d, or
   another -errno if rank 0 does not receive it. */
int gather_send(struct comm *c, const struct result *res, struct diag *d);
/* For rank 0: merges its own result and those of the others into *sum, which names the ranks whose results
   have not arrived in time. bins: the entries keep their histograms. Returns 0 or -errno with d. */
int gather_merge(struct comm *c, const struct result *own, bool bins, struct result *sum, struct diag *d);

/* rank_document.c: each rank writes a document of its own before the ranks exchange their results. If ranks
   are lost, `fiord merge` can combine the documents of the others. With --output=all.json the rank NAME
   writes all.NAME.json. Without --output the ranks write none. */

/* Returns the path for the caller to free; NULL if memory is short. */
char *rank_document_path(const struct comm *c, const char *output);
/* Writes JSON+. Returns 0 or -errno with d. */
int rank_document_write(const char *path, const struct result *res, struct diag *d);

/* mpirun_keepalive.c: finds whether mpirun of Open MPI will notice soon that a host has lost its network. By
   default it takes eight minutes. mpirun reads the setting before any rank starts, so the script fiord-mpirun
   sets it. */

/* Returns advice for the user if the ranks run on several hosts and mpirun has no setting, else NULL. */
const char *mpirun_keepalive_advice(const struct comm *c);

#endif
