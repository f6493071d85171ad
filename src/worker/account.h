/* account.h: counts, continues or fails the I/Os that the engine has completed, for the loop; and the errors,
   priorities, logs and counts of I/Os that only some jobs have. */
#ifndef ACCOUNT_H
#define ACCOUNT_H

#include <stdbool.h>
#include <stdint.h>
#include "worker.h"

struct clone;
struct io;
struct io_queue;
struct observers;
struct per_file_cfg;
struct phase_clock;
struct prio_gen;
struct stats;
struct wstat;
struct wstat_layout;

/* account.c: */

/* Accounts for the first n I/Os of w->q.reaped. I/Os that must be continued are in w->q.ready afterwards. */
void account(struct worker *w, unsigned n);
/* Does the same for the only I/O of a job of depth 1, which completed at `now`. */
void account_one(struct worker *w, struct io *io, uint64_t now);
/* Counts n complete I/Os like `io`, one after the other, of a plain job of depth 1. Their latencies are in
 * the ring. */
void account_row(struct worker *w, const struct io *io, unsigned n, uint64_t now);
/* Counts n completed I/Os, as part of a batch. */
void account_batch(struct worker *w, struct io *const *ios, unsigned n);
/* Gives up an I/O that did not complete: it is idle again and is not counted. */
void account_give_up(struct worker *w, struct io *io);
/* Publishes the live totals for the parent when a phase begins or ends. The caller holds the slot: slot.seq
   is odd. */
void account_publish(struct worker *w);

/* io_errors.c: handles I/Os that fail or take too long. */

/* The I/O failed with err (a positive errno). Counts the error, and fails the job unless the job continues
   after such errors. */
void io_errors_fail(struct worker *w, const struct io *io, int err, const char *reason);
/* The same for an error of a command, which counts as an error of an `op`. text: the whole error line. */
void io_errors_count(struct worker *w, enum io_op op, int err, const char *text);
/* The I/O met a temporary error (EINTR, EAGAIN). Returns true if the worker should try it again. Returns
   false, and fails the job, once no I/O has completed for several seconds. */
bool io_errors_retry(struct worker *w, const struct io *io, int err);
/* Fails the job if one of these I/Os, completed at now_ns, took longer than max_latency. */
void io_errors_check_latency(struct clone *c, struct io *const *ios, unsigned n, uint64_t now_ns);

/* io_prio.c: priorities of single I/Os (the cmdprio options). */

/* Reads the worker's own priority, and sets up those of the I/Os before any file is opened. Returns false
   after clone_fail. */
bool io_prio_init(struct prio_gen *g, struct clone *c, struct wstat *st);
/* Gives each of these I/Os its priority. Only if g->set. */
void io_prio_draw(struct prio_gen *g, struct io **ios, unsigned n);
/* Counts n I/Os, completed at now_ns, by priority. Called before short I/Os are continued. */
void io_prio_account(struct wstat *st, const struct wstat_layout *l, struct io *const *ios, unsigned n,
		     uint64_t now_ns);

/* io_placement.c: gives writes their placement (dataplacement). */

void io_placement_init(struct observers *o, const struct clone *c);
/* Gives each of these I/Os that is a write its placement. Only if o->placement.set. */
void io_placement_draw(struct observers *o, const struct clone *c, struct io **ios, unsigned n);
/* Counts the writes among n completed I/Os. */
void io_placement_account(struct observers *o, struct io *const *ios, unsigned n);

/* log_records.c: writes a record of each I/O for the log. For jobs with observers.log. */

/* Log n I/Os, or one I/O that was cut short, completed at done_ns. Called in the measured phase only. */
void log_records_batch(struct observers *o, const struct clone *c, struct io *const *ios, unsigned n,
		       uint64_t done_ns);
void log_records_one(struct observers *o, const struct clone *c, const struct io *io, uint64_t done_ns);
/* Waits until the ring has room for the next batch. Sets w->clock.now_ns if it had to wait. */
void log_records_wait(struct worker *w);

/* Wakes the reader of a ring, once for each position `tail` of the reader. */
void log_ring_wake_reader(const struct region *r, struct log_ring *ring, uint64_t tail);
/* Waits until at most max_used entries of the ring are in use. Returns the time. */
uint64_t log_ring_wait(struct worker *w, struct log_ring *ring, uint64_t max_used);

/* recorder.c: write_iolog: records each I/O when it is submitted. */

/* Sets clone.recorder if the job records its I/Os. */
void recorder_init(struct worker *w);
/* The functions below need clone.recorder. They wait if the log writer is far behind. */
/* Records n I/Os, except those that are submitted again. Call it before the I/Os are stamped. */
void recorder_ios(struct clone *c, struct io *const *ios, unsigned n, uint64_t start_ns);
void recorder_file(struct clone *c, uint32_t file, enum iolog_action action);

/* step_account.c: counts I/Os by the steps of rate_steps. */

/* Sets o->steps, which is NULL for jobs without steps. */
void step_account_init(struct observers *o, const struct clone *c);
/* Counts a completed I/O in the step in which it was due. Only if w->observers.steps, and while the job is
   measured. */
void step_account_one(struct worker *w, const struct io *io);
/* Does the same for those of the first n I/Os of w->q.reaped that are complete. */
void step_account(struct worker *w, unsigned n);
/* Counts n I/Os that were due at due_ns and did not complete, in the step of that time. due_ns counts from
   the start of the measurement; age_ns is the time from then to its end. */
void step_account_unfinished(struct worker *w, unsigned dir, uint64_t due_ns, uint64_t age_ns, uint64_t n);

/* file_account.c: counts I/Os by file for reports (plan_job.file_stats). */

/* Finds the counts. Called before the ramp; they begin with the measurement. */
void file_stats_account_init(struct observers *o, const struct clone *c);
/* Begins to count: the measurement begins. */
void file_stats_account_begin(struct stats *s, const struct observers *o);

/* The functions below count only if w->stats.files is set. */
/* Counts those of the first n I/Os of w->q.reaped that are complete. Call it before short I/Os are continued.
 */
void file_stats_account(struct worker *w, unsigned n);
/* Counts an I/O of io->total bytes, which is less than it asked for if it ended early. */
void file_stats_account_one(struct worker *w, const struct io *io);
/* Counts that an I/O came back short and is continued. */
void file_stats_account_short(const struct worker *w, const struct io *io);
void file_stats_account_errors(const struct worker *w, uint32_t file, unsigned dir, uint64_t errors);

/* file_account.c: counts I/Os by file and by interval (plan_job.per_file). */

/* Sets up the counts. Called before the ramp. */
void per_file_account_init(struct observers *o, const struct clone *c);
/* Counts the first n I/Os of q->reaped, completed at clock->now_ns, by file. Called in the measured phase
   only, before short I/Os are continued, and only if o->per_file. */
void per_file_account(struct observers *o, const struct per_file_cfg *cfg, const struct io_queue *q,
		      const struct phase_clock *clock, unsigned n);

#endif
