/* next_io.h: the next I/O of a job: direction, pace, file, offset, size, contents. */
#ifndef NEXT_IO_H
#define NEXT_IO_H

#include <stdbool.h>
#include <stdint.h>
#include "thread_group.h"
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

/* The job issues no more I/Os. */
static inline void next_io_stop(struct worker *w)
{
	w->quota.exhausted = true;
	w->source.fast_left = 0;
}

static inline bool next_io_empty(const struct worker *w, uint32_t file)
{
	return w->files.fitted && !io_source_gen(&w->source, file, 0)->len;
}

/* Returns the mixer of the section that issues the next I/O. */
static inline struct mixer *next_io_mix(struct worker *w)
{
	return __builtin_expect(w->source.thread_group != NULL, 0) ? thread_group_mix(w) : &w->source.mix;
}

/* Draws the direction of the next I/O. */
static inline enum io_dir next_io_dir(struct worker *w)
{
	if (__builtin_expect(w->source.runs, 0)) {
		struct offset_gen *g = io_source_gen(&w->source, w->source.turn, 0);

		return offset_has_runs(g) ? offset_draw_run_dir(g, next_io_mix(w)) : mix_next(next_io_mix(w));
	}
	return mix_next(&w->source.mix);
}

/* Returns the file of this idle I/O. For jobs with iodepth_per_file or thread_group. */
static inline uint32_t next_io_own_file(struct worker *w, const struct io *io)
{
	return w->source.thread_group ? thread_group_file(w, io) : io->index / w->source.own_depth;
}

/* Only next_io_done calls this. */
void next_io_count_done(struct worker *w, const struct io *io);
/* The I/O has completed: updates the counts of I/Os in flight. */
static inline void next_io_done(struct worker *w, const struct io *io)
{
	if (__builtin_expect(w->files.count_inflight, 0))
		next_io_count_done(w, io);
}

#endif
