/* next_io.h: the next I/O of a job: direction, pace, file, offset, size, contents. */
#ifndef NEXT_IO_H
#define NEXT_IO_H

#include <stdint.h>
#include "worker.h"

enum next_io_result {
	NEXT_IO,   /* *io is filled */
	NEXT_WAIT, /* no I/O now: not due (w->sched.due_ns), or I/Os in flight must complete first */
	NEXT_END,  /* the job has issued all its I/Os */
};

/* Called after schedule_init. */
void next_io_init(struct worker *w);
/* Serves every kind of job and checks everything that may be due before the next I/O. next_io
   (next_io_fast.h) is faster if the job is plain. */
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

#endif
