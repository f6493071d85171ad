/* overlap.h: keeps I/Os that overlap apart in time (serialize_overlap, trimwrite). */
#ifndef OVERLAP_H
#define OVERLAP_H

struct io;

/* ready: the next I/Os, in order. all: the `depth` I/Os of the queue, those in flight among them. Returns how
   many of the n ready I/Os, counted from the first, overlap neither with an I/O in flight nor with one before
   them. Two reads may overlap. */
unsigned overlap_run(struct io *const *ready, unsigned n, const struct io *all, unsigned depth);
/* Moves those of the n ready I/Os that may be submitted to the front, at most `max`, and returns how many.
   The others are writes that overlap a trim in flight, or a trim before them among the ready ones. */
unsigned overlap_hold_writes(struct io **ready, unsigned n, unsigned max, const struct io *all,
			     unsigned depth);

#endif
