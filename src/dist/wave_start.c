#include "rank.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include "clock.h"
#include "exit_code.h"
#include "strbuf.h"
#include "time_limit.h"

/* Time for every rank to see that all are ready: some polls on a busy machine. */
#define LEAD_NS 30000000u
/* A poll of MPI takes some 0.1 ms on a busy machine, so a rank that waits for long polls rarely. */
#define POLL_MIN_NS 1000000u
#define POLL_MAX_NS (LEAD_NS / 3)
#define POLL_SHARE  64 /* of the time that it has waited */
/* Time for workers to end after a signal. mpirun kills the ranks after one second. */
#define END_SIGNAL_NS 400000000u
/* Jobs without an end of their own hang if they stand still for this many times the time-out: 120 s by
   default. A disk's driver gives up an I/O after 30 s and may try it again, and the kernel reports a task
   that is blocked for 120 s. */
#define STILL_TIMEOUTS 4u
#define WATCH_NS       1000000000u /* between two looks at the workers */

int wave_start_init(struct wave_start *w, struct comm *c, const struct plan *p, struct diag *d)
{
	uint64_t *run, failed;

	w->comm = c;
	w->waves = (uint32_t)comm_max(c, p->nwaves);
	w->work_ns = calloc(w->waves + 1, sizeof(*w->work_ns));
	run = calloc(w->waves + 1, sizeof(*run));
	failed = comm_max(c, !w->work_ns || !run);
	for (uint32_t i = 0; i < p->nwaves && !failed; i++) {
		w->work_ns[i] = time_limit_layout(p, i);
		run[i + 1] = time_limit_run(p, i);
	}
	if (!failed) {
		comm_max_each(c, w->work_ns, w->waves + 1);
		comm_max_each(c, run, w->waves + 1);
	}
	for (uint32_t i = 0; i <= w->waves && !failed; i++)
		w->work_ns[i] = time_limit_add(w->work_ns[i], run[i]);
	free(run);
	w->work_begin_ns = comm_now();
	comm_begin_run(c);
	return failed ? diag_kind(d, DIAG_RUN, -ENOMEM, "out of memory for %u waves", w->waves) : 0;
}

void wave_start_fini(struct wave_start *w)
{
	free(w->work_ns);
	strbuf_fini(&w->hung_text);
}

/* Returns the comm_now() until which the work before the next gate may last. */
static uint64_t limit_ns(const struct wave_start *w)
{
	return time_limit_add(w->work_begin_ns, w->work_ns[w->waves_begun]);
}

static void begin_wait(struct wave_start *w)
{
	char work[64];

	snprintf(work, sizeof(work), "the layout of wave %u", w->waves_begun + 1);
	if (w->waves_begun)
		snprintf(work, sizeof(work), "wave %u or the layout of wave %u", w->waves_begun,
			 w->waves_begun + 1);
	comm_begin_step(w->comm, work, limit_ns(w));
	w->ready_ns = (unsigned long long)((int64_t)clock_ns() + w->comm->offset_ns);
	MPI_Iallreduce(&w->ready_ns, &w->last_ready_ns, 1, MPI_UNSIGNED_LONG_LONG, MPI_MAX, w->comm->world,
		       &w->request);
	w->wait_begin_ns = comm_now();
	w->waiting = true;
}

uint64_t wave_start_poll_ns(const struct wave_start *w)
{
	uint64_t ns = w->waiting ? (comm_now() - w->wait_begin_ns) / POLL_SHARE : 0;

	return ns < POLL_MIN_NS ? POLL_MIN_NS : ns > POLL_MAX_NS ? POLL_MAX_NS : ns;
}

/* Returns when the wave starts, by this rank's clock. */
static uint64_t start_wave(struct wave_start *w)
{
	uint64_t start = w->last_ready_ns + LEAD_NS + 4 * w->comm->rtt_ns;

	w->waiting = false;
	w->waves_begun++;
	w->work_begin_ns = comm_now();
	start = (uint64_t)((int64_t)start - w->comm->offset_ns);
	if (!w->first_start_ns)
		w->first_start_ns = start;
	return start;
}

/* Finds out whether all ranks are ready now. */
static bool poll_ready(struct wave_start *w, uint64_t *start)
{
	if (!w->waiting)
		begin_wait(w);
	if (comm_test(w->comm, &w->request)) {
		*start = start_wave(w);
		return true;
	}
	comm_poll(w->comm);
	if (comm_wait_expired(w->comm))
		comm_give_up(w->comm);
	return false;
}

uint64_t wave_start_gate(struct wave_start *w, struct run *r, uint32_t wave)
{
	uint64_t start = 0;

	/* A wave whose jobs all failed may have ended before its gate opened. */
	while (w->waves_begun <= wave) {
		if (comm_ended(w->comm)) {
			waves_end_run(r);
			return 0;
		}
		if (!poll_ready(w, &start))
			return 0;
	}
	return start;
}

/* Kills the workers that have not ended by then. */
static void limit_end(struct run *r, uint64_t ns)
{
	if (!r->signals.deadline_ns)
		r->signals.deadline_ns = clock_ns() + ns;
}

/* Returns how long the jobs may stand still. */
static uint64_t still_limit_ns(const struct wave_start *w, const struct plan *p)
{
	uint64_t ns = STILL_TIMEOUTS * w->comm->timeout_ns;

	return w->waves_begun ? time_limit_add(ns, time_limit_pause(p, w->waves_begun - 1)) : ns;
}

/* Finds whether the workers stand still for too long. Time in which this process did not run does not count:
   the workers may have been frozen with it. */
static bool stands_still(struct wave_start *w, const struct run *r)
{
	struct wave_watch *watch = &w->watch;
	uint64_t now = comm_now(), ns = now - watch->look_ns, number;

	if (ns < WATCH_NS)
		return false;
	number = run_advance(r);
	watch->still_ns = number == watch->number ? watch->still_ns + (ns < 2 * WATCH_NS ? ns : 0) : 0;
	watch->number = number;
	watch->look_ns = now;
	return watch->still_ns >= still_limit_ns(w, r->plan);
}

static void set_hung(struct wave_start *w, const char *text)
{
	w->hung = true;
	strbuf_printf(&w->hung_text, "%s, so fiord ended them: their storage hangs", text);
	comm_print(w->comm, strbuf_str(&w->hung_text));
}

/* The jobs of this rank hang if they take half of the time-out longer than any healthy run: then rank 0 still
   gets their counts. Without such a limit they hang if they stand still. */
static bool hangs(struct wave_start *w, const struct run *r)
{
	uint64_t limit = limit_ns(w);
	char text[80];

	if (limit == TIME_UNLIMITED) {
		if (!stands_still(w, r))
			return false;
		snprintf(text, sizeof(text),
			 "no I/O of the jobs has completed for %.0f s (" RANK_TIMEOUT_VARIABLE ")",
			 (double)w->watch.still_ns / 1e9);
		set_hung(w, text);
		return true;
	}
	if (comm_now() < time_limit_add(limit, w->comm->timeout_ns / 2))
		return false;
	set_hung(w, "the jobs took far longer than their runtime");
	return true;
}

static void end_run(const struct wave_start *w, struct run *r)
{
	waves_end_run(r);
	limit_end(r, w->comm->timeout_ns / 15);
}

/* Tells the other ranks about a signal. signals.count also counts the end of a time limit. */
static void pass_signal(const struct wave_start *w, const struct run *r)
{
	if (r->signals.first)
		comm_interrupt(w->comm, comm_now() - (clock_ns() - r->signals.first_ns));
}

void wave_start_tick(struct wave_start *w, struct run *r)
{
	struct comm *c = w->comm;

	if (r->end_ns)
		return;
	comm_poll(c);
	pass_signal(w, r);
	if (r->signals.first) {
		limit_end(r, END_SIGNAL_NS);
	} else if (comm_ended(c)) {
		end_run(w, r);
	} else if (!w->waiting && !r->ended_early && hangs(w, r)) {
		end_run(w, r);
	}
}

void wave_start_result(const struct wave_start *w, struct result *res)
{
	if (!w->hung)
		return;
	result_note(res, "%s (rank %d): %s", w->comm->host, w->comm->rank, strbuf_str(&w->hung_text));
	result_exit_code(res, EXIT_JOB);
}

void wave_start_finish(struct wave_start *w, const struct run *r)
{
	uint64_t start, since_ns = comm_now();

	pass_signal(w, r);
	while (w->waves_begun < w->waves && !comm_ended(w->comm))
		if (!poll_ready(w, &start))
			comm_sleep(since_ns);
	comm_begin_step(w->comm, "its run", limit_ns(w));
}
