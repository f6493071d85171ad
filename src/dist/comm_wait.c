/* comm_wait.c: waits for other ranks, and the names of the ranks that are late. */
#include <errno.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include "comm.h"
#include "ending_signals.h"

#define POLL_MIN_NS 50000
#define POLL_MAX_NS 20000000
#define POLL_SHARE  64 /* polling makes a wait longer by at most 1/64; each poll costs some 50 us */
#define IDLE_NS     100000000u
#define NAMED_MAX   8 /* ranks of one message */
#define ALIVE_NS    1000000000u
/* A rank that gets a signal sends this in place of the number of its step. */
#define INTERRUPTED UINT32_MAX
/* After its own signal mpirun lets the ranks live for this many seconds, 1 by default. Other launchers leave
   more time. */
#define MPIRUN_VARIABLE "OMPI_MCA_odls_base_sigkill_timeout"
#define MPIRUN_MAX_S    8u
#define OTHERS_S        8u
/* How long ranks wait for each other after a signal, for each second that the launcher leaves. The ranks
   other than rank 0 wait longer, because rank 0 writes their results. */
#define SIGNAL_WAIT_NS      600000000u
#define SIGNAL_WAIT_MORE_NS 250000000u

uint64_t comm_now(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (uint64_t)ts.tv_sec * 1000000000u + (uint64_t)ts.tv_nsec;
}

/* Rank 0 waits a little shorter than the others, so that it can tell them who is missing. */
static uint64_t late_ns(const struct comm *c)
{
	bool starts = !c->run_begun && c->timeout_ns < COMM_START_NS;
	uint64_t ns = starts ? COMM_START_NS : c->timeout_ns;

	return c->rank ? ns / 12 * 11 : ns / 6 * 5;
}

static uint64_t later(uint64_t ns, uint64_t by_ns)
{
	return ns > UINT64_MAX - by_ns ? UINT64_MAX : ns + by_ns;
}

/* Small messages are on their way when this returns, and their memory is static. If one is not, the receiver
   is lost. */
static void send_number(struct comm *c, int to, enum comm_tag tag, const uint32_t *number)
{
	MPI_Request req;

	if (!MPI_Isend(number, 1, MPI_UINT32_T, to, (int)tag, c->world, &req))
		MPI_Request_free(&req);
}

void comm_begin_step(struct comm *c, const char *work, uint64_t limit_ns)
{
	/* A message that is under way keeps its number for this many steps. */
	static uint32_t sent[1024];
	uint32_t *number;

	c->step.number++;
	snprintf(c->step.work, sizeof(c->step.work), "%s", work);
	c->step.limit_ns = later(limit_ns, late_ns(c));
	if (!c->rank) {
		c->last_step[0] = c->step.number;
		return;
	}
	number = &sent[c->step.number % (sizeof(sent) / sizeof(*sent))];
	*number = c->step.number;
	send_number(c, 0, TAG_STEP, number);
}

/* ---- the end of the run ---- */

__attribute__((format(printf, 2, 3))) static void add_end_reason(struct comm *c, const char *fmt, ...)
{
	char text[MPI_MAX_ERROR_STRING + HOST_BYTES + 256];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	notes_add(&c->end_reasons, "%s", text);
	fprintf(stderr, "fiord-mpi: %s\n", text);
}

void comm_print(const struct comm *c, const char *text)
{
	fprintf(stderr, "fiord-mpi: %s (rank %d): %s\n", c->host, c->rank, text);
}

static void end_run(struct comm *c)
{
	static const uint32_t none;

	if (c->ended_ns)
		return;
	c->ended_ns = comm_now();
	for (int i = 1; i < c->ranks && !c->rank; i++)
		send_number(c, i, TAG_END, &none);
}

/* Names the ranks that have not done the work of this step. */
static void name_missing(struct comm *c)
{
	double waited = (double)late_ns(c) / 1e9;
	int missing = 0;

	for (int i = 0; i < c->ranks; i++) {
		if (c->last_step[i] >= c->step.number || missing++ >= NAMED_MAX)
			continue;
		add_end_reason(c,
			       "%s (rank %d) has not finished %s in time, nor in %.3g s more "
			       "(" RANK_TIMEOUT_VARIABLE "): it hangs, or its host is lost",
			       c->hosts[i], i, c->step.work, waited);
	}
	if (missing > NAMED_MAX)
		add_end_reason(c, "%d more ranks have not finished %s either", missing - NAMED_MAX,
			       c->step.work);
	if (!missing)
		add_end_reason(c,
			       "MPI has not delivered the messages of some rank in time; check the network");
}

void comm_give_up(struct comm *c)
{
	if (c->ended_ns)
		return;
	if (c->rank) {
		c->rank_0_lost = c->rank_lost = true;
		add_end_reason(c, "%s (rank %d): %s (rank 0) does not answer any more", c->host, c->rank,
			       c->hosts[0]);
	} else {
		name_missing(c);
	}
	end_run(c);
}

void comm_check_silence(struct comm *c, int rank, uint64_t ns)
{
	if (c->ended_ns || ns < late_ns(c) || c->last_step[rank] == STEP_RESULT_RECEIVED)
		return;
	add_end_reason(c,
		       "%s (rank %d) has sent no heartbeat for %.3g s (" RANK_TIMEOUT_VARIABLE
		       "): it hangs, or its host is lost; the run ends",
		       c->hosts[rank], rank, (double)ns / 1e9);
	end_run(c);
}

static unsigned long launcher_waits_s(void)
{
	const char *text = getenv(MPIRUN_VARIABLE);
	unsigned long s = text ? strtoul(text, NULL, 10) : 1;

	if (!getenv("OMPI_COMM_WORLD_RANK"))
		return OTHERS_S;
	return s < 1 ? 1 : s > MPIRUN_MAX_S ? MPIRUN_MAX_S : s;
}

static uint64_t signal_wait_ns(const struct comm *c)
{
	return launcher_waits_s() * (SIGNAL_WAIT_NS + (c->rank ? SIGNAL_WAIT_MORE_NS : 0));
}

void comm_interrupt(struct comm *c, uint64_t when_ns)
{
	static const uint32_t interrupted = INTERRUPTED;

	if (c->signal_deadline_ns)
		return;
	c->signal_deadline_ns = when_ns + signal_wait_ns(c);
	if (c->rank)
		send_number(c, 0, TAG_STEP, &interrupted);
	else
		end_run(c);
}

/* ---- messages about steps and the end ---- */

static void receive_steps(struct comm *c)
{
	MPI_Status status;
	uint32_t number;
	int some = 0;

	while (!MPI_Iprobe(MPI_ANY_SOURCE, TAG_STEP, c->world, &some, &status) && some) {
		if (MPI_Recv(&number, 1, MPI_UINT32_T, status.MPI_SOURCE, TAG_STEP, c->world,
			     MPI_STATUS_IGNORE))
			return;
		if (number == INTERRUPTED)
			end_run(c);
		else if (c->last_step[status.MPI_SOURCE] != STEP_RESULT_RECEIVED)
			c->last_step[status.MPI_SOURCE] = number;
	}
}

static void receive_end(struct comm *c)
{
	uint32_t none;
	int some = 0;

	if (!MPI_Iprobe(0, TAG_END, c->world, &some, MPI_STATUS_IGNORE) && some &&
	    !MPI_Recv(&none, 1, MPI_UINT32_T, 0, TAG_END, c->world, MPI_STATUS_IGNORE))
		end_run(c);
}

/* ---- signs of life of rank 0 ---- */

void comm_begin_run(struct comm *c)
{
	c->run_begun = true;
	if (c->rank)
		c->rank_0_alive_ns = comm_now();
	else
		c->send_alive_ns = comm_now();
}

static void send_alive(struct comm *c)
{
	static const uint32_t none;
	uint64_t now = comm_now();

	if (!c->send_alive_ns || now < c->send_alive_ns)
		return;
	c->send_alive_ns = now + ALIVE_NS;
	for (int i = 1; i < c->ranks; i++)
		send_number(c, i, TAG_ALIVE, &none);
}

static void receive_alive(struct comm *c)
{
	uint32_t none;
	int some = 0;

	while (!MPI_Iprobe(0, TAG_ALIVE, c->world, &some, MPI_STATUS_IGNORE) && some &&
	       !MPI_Recv(&none, 1, MPI_UINT32_T, 0, TAG_ALIVE, c->world, MPI_STATUS_IGNORE))
		c->rank_0_alive_ns = c->rank_0_alive_ns ? comm_now() : 0;
	if (!c->rank_0_alive_ns || comm_now() - c->rank_0_alive_ns < late_ns(c))
		return;
	comm_give_up(c);
}

/* A session blocks the signals that end it. */
static bool signal_waits(void)
{
	sigset_t ending, pending;

	ending_signals(&ending);
	sigpending(&pending);
	return sigandset(&pending, &pending, &ending) == 0 && !sigisemptyset(&pending);
}

void comm_poll(struct comm *c)
{
	if (c->rank) {
		receive_end(c);
		receive_alive(c);
	} else {
		receive_steps(c);
		send_alive(c);
	}
	if (!c->signal_deadline_ns && signal_waits())
		comm_interrupt(c, comm_now());
	if (c->idle.call && comm_now() >= c->idle.next_ns) {
		c->idle.next_ns = comm_now() + IDLE_NS;
		c->idle.call(c->idle.ctx);
	}
}

/* Once the run has ended early, the ranks have some time to send their results. */
static uint64_t limit_ns(const struct comm *c)
{
	uint64_t limit = c->step.limit_ns;

	if (c->rank_0_lost)
		limit = c->ended_ns;
	else if (c->ended_ns)
		limit = c->ended_ns + (c->rank ? c->timeout_ns / 2 : c->timeout_ns / 6);
	if (c->signal_deadline_ns && c->signal_deadline_ns < limit)
		limit = c->signal_deadline_ns;
	return limit < c->receive_deadline_ns ? c->receive_deadline_ns : limit;
}

bool comm_wait_expired(const struct comm *c)
{
	return comm_now() >= limit_ns(c);
}

/* ---- waits ---- */

/* Returns 1 when the request has completed, 0, or -EIO with a reason for the end. */
static int test(struct comm *c, MPI_Request *request)
{
	char why[MPI_MAX_ERROR_STRING] = "";
	int done = 0, bytes = 0, err = MPI_Test(request, &done, MPI_STATUS_IGNORE);

	if (!err)
		return done;
	MPI_Error_string(err, why, &bytes);
	add_end_reason(c, "%s (rank %d): MPI reports while it waits for %s: %s", c->host, c->rank,
		       c->step.work, why);
	c->rank_lost = true;
	return -EIO;
}

void comm_sleep(uint64_t since_ns)
{
	uint64_t ns = (comm_now() - since_ns) / POLL_SHARE;

	ns = ns < POLL_MIN_NS ? POLL_MIN_NS : ns > POLL_MAX_NS ? POLL_MAX_NS : ns;
	nanosleep(&(struct timespec){ 0, (long)ns }, NULL);
}

bool comm_test(struct comm *c, MPI_Request *request)
{
	int ret = test(c, request);

	if (ret < 0)
		end_run(c);
	return ret > 0;
}

int comm_wait(struct comm *c, MPI_Request *request)
{
	uint64_t since_ns = comm_now();
	int ret;

	while (!(ret = test(c, request))) {
		comm_poll(c);
		if (comm_wait_expired(c))
			return -ETIMEDOUT;
		comm_sleep(since_ns);
	}
	return ret < 0 ? ret : 0;
}

void comm_abort_after(struct comm *c, int err)
{
	if (!err)
		return;
	if (err == -ETIMEDOUT && !c->signal_deadline_ns)
		comm_give_up(c);
	comm_abort(c, 1);
}

void comm_wait_or_abort(struct comm *c, MPI_Request *request)
{
	comm_abort_after(c, comm_wait(c, request));
}
