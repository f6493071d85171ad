/* next_io.h: the next I/O of a job: direction, pace, file, offset, size, contents. */
#ifndef NEXT_IO_H
#define NEXT_IO_H

#include <stdbool.h>
#include <stdint.h>
#include "worker.h"

enum next_io_result {
	NEXT_IO,      /* *io is filled */
	NEXT_WAIT,    /* no I/O now: not due (w->sched.due_ns), or I/Os in flight must complete first */
	NEXT_NO_DATA, /* zonemode=zbd: nothing is written yet that could be read. Only within next_io.c */
	NEXT_END,     /* the job has issued all its I/Os */
};

/* Called after schedule_init. */
void next_io_init(struct worker *w);
/* Serves every kind of job and checks everything that may be due before the next I/O. next_io
   (next_io_fast.c) is faster if the job is plain. */
enum next_io_result next_io_any(struct worker *w, struct io *io, uint64_t now);
/* Fills up to `room` idle I/Os and queues them. Returns how many. */
unsigned next_io_batch(struct worker *w, unsigned room);

/* Begins the next loop after quota.between_loops was set. */
void next_io_begin_loop(struct worker *w);

/* The job issues no more I/Os. */
static inline void next_io_stop(struct quota *q, struct io_source *s)
{
	q->exhausted = true;
	s->fast_left = 0;
}

/* Only next_io_done calls this. */
void next_io_count_done(struct worker *w, struct io *io);
/* The I/O has completed: updates the counts of I/Os in flight. */
static inline void next_io_done(struct worker *w, struct io *io)
{
	if (__builtin_expect(w->files.count_inflight, 0))
		next_io_count_done(w, io);
}

/* The I/Os that are ready will not be submitted: takes them from the queue and from the counts of I/Os in
 * flight. */
void next_io_drop_ready(struct worker *w);

/* next_io_fast.c: the fast path of next_io, for plain jobs: the same I/Os as next_io_any, in the same order,
   with fewer instructions.

   Between two I/Os of a plain job only counts decide if something else is due (the end of the loop, fsync=N).
   next_io_fast_left therefore computes in advance how many I/Os need no further check; each of them calls
   only the generators. At the end of a file next_io_any takes over, with the direction that was drawn. */

/* Returns true if the job is plain. */
bool next_io_fast_ok(const struct worker *w);
/* Returns true if consecutive I/Os of a plain job differ in offset and direction only. */
bool next_io_fast_uniform(const struct io_source *s);
/* Returns how many I/Os the fast path may take before next_io_any must be called. Only if next_io_fast_ok. */
uint64_t next_io_fast_left(const struct quota *q, const struct sync_count *sync, const struct clone *c);
/* Takes what is left of a row, or the fast path if it can, and calls next_io_any otherwise. */
enum next_io_result next_io(struct worker *w, struct io *io, uint64_t now);
/* Fills and queues at most n idle I/Os, and no more than fast_left. Returns how many. 0: next_io_any must be
   called. */
unsigned next_io_fast_batch(struct worker *w, unsigned n);
/* For uniform jobs of one direction, of depth 1: fills in what the next I/Os have in common, and draws their
   offsets into w->source.row. Returns how many of them may be issued; 0: next_io must be called. */
unsigned next_io_row(struct worker *w, struct io *io);
/* Counts the first n I/Os of the row as issued. */
void next_io_row_issued(struct worker *w, const struct io *io, unsigned n);

/* Jobs of depth 1 that write zones one after the other: rows, as of plain jobs, in one zone. */

/* Returns whether the job has such rows, which replace the count of I/Os in flight. */
bool next_io_zone_rows(const struct worker *w);
/* Does what next_io does. */
enum next_io_result next_io_zoned(struct worker *w, struct io *io, uint64_t now);
/* Passes the only I/O, which has completed, on to its zone, if it was cut short or in no row. */
void next_io_zone_done(struct worker *w, struct io *io);
/* The loop ends: gives the zone back. */
void next_io_zone_leave(struct worker *w, struct io *io);

/* Completes an I/O that has a file, an offset and a length, and counts it as issued. */
void next_io_fill(struct worker *w, struct io *io, enum io_dir dir);
/* Fills in a sync of the file (enum io_op) and counts it as issued. */
void next_io_fill_sync(struct worker *w, struct io *io, struct file *f, unsigned op);

/* replay.c: the I/Os of a trace (read_iolog), at their times. */

/* Sets w->replay if the job replays a trace. Called before next_io_init. Returns false after clone_fail. */
bool replay_init(struct worker *w);
void replay_fini(struct worker *w);
/* The next I/O of a job with w->replay. */
enum next_io_result replay_next(struct worker *w, struct io *io, uint64_t now);
/* The I/O has completed, or was dropped. */
void replay_done(struct worker *w, struct io *io);
/* Counts a completed I/O that had a due time. */
void replay_count(struct worker *w, const struct io *io);

/* next_io_by_file.c: fills idle I/Os if each file has its own schedule (iodepth_per_file or thread_group with
   a rate). */

/* For jobs with w->sched.nfiles. Fills up to `room` idle I/Os that are due and queues them. Returns how
   many. */
unsigned next_io_by_file(struct worker *w, unsigned room);

#endif
