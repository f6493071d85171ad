/* comm.h: messages between the ranks, and waits for them. fiord-mpi does not use the waits of MPI: they keep
   a core busy, which the workers of this host need, and they never end if a rank is lost. The waits here poll
   and sleep, and have a time limit.

   All ranks do the same steps in the same order (comm_begin_step). Each rank sends rank 0 the number of the
   step that it has reached, so rank 0 can name the ranks that are missing. Until the ranks touch their
   targets, a missing rank ends the program. Later it ends the run early (comm_ended), and the result has the
   other ranks. */
#ifndef COMM_H
#define COMM_H

#include <mpi.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "diag.h"

struct strbuf;

#define HOST_BYTES 256
/* Environment: how many seconds a rank may be late. */
#define RANK_TIMEOUT_VARIABLE "FIORD_RANK_TIMEOUT"
/* Until the ranks touch their targets, no rank is taken for lost before this time. Launchers start ranks one
   after the other, and a busy machine takes seconds for what needs milliseconds. */
#define COMM_START_NS 30000000000u

/* A callback that runs during waits. */
struct comm_idle {
	void (*call)(void *ctx); /* at most each 100 ms; NULL: none */
	void *ctx;
	uint64_t next_ns;
};

/* Work that all ranks do before they wait for each other. */
struct comm_step {
	uint32_t number;
	char work[64];     /* in messages, such as "the check of its targets" */
	uint64_t limit_ns; /* comm_now() at which the wait ends; UINT64_MAX: never */
};

struct comm {
	int rank, ranks;
	MPI_Comm world;
	MPI_Comm program; /* the ranks with the same arguments (MPI_APPNUM) */
	int program_number, program_rank;
	char host[HOST_BYTES];
	char name[HOST_BYTES + 16]; /* the host; with the rank if the host has several */
	char (*hosts)[HOST_BYTES];  /* by rank */
	int64_t offset_ns;          /* clock_ns() of rank 0 minus that of this rank */
	int64_t realtime_offset_ns; /* the same for CLOCK_REALTIME */
	uint64_t rtt_ns;            /* the largest round trip of the ranks, as measured by rank 0 */
	uint64_t timeout_ns;        /* RANK_TIMEOUT_VARIABLE */
	bool run_begun;             /* comm_begin_run was called */
	struct comm_idle idle;
	struct comm_step step;
	/* For other ranks: comm_now() of rank 0's last sign of life; 0: none is expected. */
	uint64_t rank_0_alive_ns;
	uint64_t send_alive_ns; /* for rank 0: when to send the next sign of life; 0: never */
	uint32_t *last_step;    /* for rank 0, by rank: the last step it began, or STEP_RESULT_RECEIVED */
	uint64_t ended_ns;      /* comm_now() when rank 0 ended the run early; 0: it has not */
	uint64_t signal_deadline_ns;  /* after a signal no wait goes on beyond this time; 0: there was none */
	uint64_t receive_deadline_ns; /* waits go on until this time at least; see comm_receive */
	struct notes end_reasons;     /* why the run ended early */
	bool result_merged;           /* rank 0 has the result of this rank, and writes it */
	bool rank_0_lost;             /* rank 0 does not answer */
	bool rank_lost;               /* some rank does not answer: MPI_Finalize would wait for it */
};

/* Calls MPI_Init, names the ranks and compares their versions. Returns 0 or -errno with d; rank 0 prints
   the error for all. */
int comm_init(struct comm *c, int *argc, char ***argv, struct diag *d);
/* Splits the program: the ranks with the same color stay together. All of its ranks call it. */
void comm_split(struct comm *c, int color);
/* Returns whether the ranks run on more than one host. */
bool comm_several_hosts(const struct comm *c);
/* Ends MPI. If a rank is lost, all ranks end with this exit code, and the function does not return. */
void comm_fini(struct comm *c, int code);

/* ---- comm_wait.c ---- */

/* CLOCK_MONOTONIC in ns. */
uint64_t comm_now(void);
/* Ends the last step and begins the next one, whose work ranks should have done by limit_ns. The time-out is
   added to this limit. */
void comm_begin_step(struct comm *c, const char *work, uint64_t limit_ns);
/* Sleeps between two polls of a wait that began at since_ns. The longer a wait lasts, the longer it sleeps,
   so that a waiting rank takes hardly any CPU time from the workers of its host. */
void comm_sleep(uint64_t since_ns);
/* Polls until the request has completed. Returns 0, -EIO if MPI has reported an error, or -ETIMEDOUT; the
   request is then lost, and its memory must not be freed. */
int comm_wait(struct comm *c, MPI_Request *request);
/* The same for waits before the ranks touch their targets. It returns only after success. Otherwise it names
   the missing ranks and ends all ranks. */
void comm_wait_or_abort(struct comm *c, MPI_Request *request);
/* Does nothing if err is 0. Otherwise ends all ranks like comm_wait_or_abort. */
void comm_abort_after(struct comm *c, int err);
/* Returns whether the request has completed. An error of MPI ends the run. */
bool comm_test(struct comm *c, MPI_Request *request);
/* Receives messages of other ranks about their steps and the end of the run. Never blocks. */
void comm_poll(struct comm *c);
/* Returns whether the wait for the others has taken too long. */
bool comm_wait_expired(const struct comm *c);
/* Ends the run of all ranks early, because some have not finished the work of this step. */
void comm_give_up(struct comm *c);
/* From now on rank 0 sends a sign of life each second, until it writes the results, and RANK_TIMEOUT_VARIABLE
   counts even if it is less than COMM_START_NS. */
void comm_begin_run(struct comm *c);
/* For rank 0: ends the run of all ranks if this rank was silent for too long. ns: the silence so far. */
void comm_check_silence(struct comm *c, int rank, uint64_t ns);
/* Ends the run of all ranks, because this one got a signal at this comm_now(). */
void comm_interrupt(struct comm *c, uint64_t when_ns);
/* Prints a line to stderr, which begins with the name of this rank. */
void comm_print(const struct comm *c, const char *text);

static inline bool comm_ended(const struct comm *c)
{
	return c->ended_ns != 0;
}

/* ---- comm_bytes.c ---- */

/* Rank 0 sends its text to the other ranks, which append it to theirs. Returns 0 or -ENOMEM. */
int comm_broadcast(struct comm *c, struct strbuf *text);
/* The same within each program: its lowest rank sends. */
int comm_broadcast_program(struct comm *c, struct strbuf *text);
/* Finds whether any rank has an error; d is that of this rank, if it has one. Rank 0 prints the errors of all
   ranks, each with its host. Returns the largest exit code of the ranks; 0 if there is no error. */
int comm_agree(struct comm *c, int code, const struct diag *d);
/* Returns the largest value of all ranks. Values lie below 2^63, because MPICH 4.0 compares them as signed
   numbers. */
uint64_t comm_max(struct comm *c, uint64_t value);
/* Replaces each of n values by the largest one of all ranks, in the same way. */
void comm_max_each(struct comm *c, uint64_t *value, size_t n);
/* Before the ranks touch their targets: sends the text to rank 0. */
void comm_send_or_abort(struct comm *c, const struct strbuf *text);
/* For rank 0: receives the text of a rank. The caller frees it. */
char *comm_receive_or_abort(struct comm *c, int rank, size_t *bytes);
/* Sends the bytes to rank 0. Returns 0, -EIO or -ETIMEDOUT. After an error MPI may still read the
   text, so the caller must not free it. */
int comm_send(struct comm *c, const struct strbuf *text);
/* For rank 0: waits until the rank sends its bytes. Returns false if it does not. */
bool comm_await_bytes(struct comm *c, int rank);
/* For rank 0: receives the bytes of a rank, which has begun to send them; so it gets some time even if a lost
   rank has used up that of all. The caller frees the bytes. Returns 0, -ENOMEM, -EIO or -ETIMEDOUT. */
int comm_receive(struct comm *c, int rank, char **text, size_t *bytes);
/* For rank 0: sends each rank whether the merged result includes that rank's. Rank 0 writes the result next,
   which may take any time, for example if a pager reads it. */
void comm_acknowledge(struct comm *c, bool merged);
/* For the other ranks: waits for comm_acknowledge of rank 0. Returns whether the merged result includes this
 * rank's. */
bool comm_await_acknowledgement(struct comm *c);

/* ---- comm_clocks.c ---- */

/* Measures offset_ns, realtime_offset_ns and rtt_ns. The clock must be calibrated. */
void comm_measure_clocks(struct comm *c);

/* ---- for the files that send messages ---- */

#define STEP_RESULT_RECEIVED (UINT32_MAX - 1)
enum comm_tag {
	TAG_PING = 1,
	TAG_PONG,
	TAG_CLOCK,
	TAG_BYTES,
	TAG_TEXT,
	TAG_STEP,
	TAG_END,
	TAG_ALIVE,
	TAG_MERGED,
	TAG_HEARTBEAT,
	TAG_STATUS_REQUEST,
	TAG_STATUS_REPLY
};
/* Ends all ranks with this exit code, within some seconds. */
_Noreturn void comm_abort(struct comm *c, int code);

#endif
