/* next_io_by_file.c: fills idle I/Os if each file has its own schedule. */
#include <string.h>
#include "io_source.h"
#include "next_io.h"
#include "worker.h"

/* Fills in the next I/O of this idle I/O's file, if it is due. A file without a due I/O is not checked again
   at the same time. */
static enum next_io_result fill_file_io(struct worker *w, struct io *io)
{
	struct scheduler *s = &w->sched;
	enum next_io_result r;

	s->current = &s->per_file[io_source_file(&w->source, io)];
	if (s->current->not_due_ns == w->clock.now_ns) {
		s->due_ns = s->current->not_due_until_ns;
		return NEXT_WAIT;
	}
	r = next_io(w, io, w->clock.now_ns);
	if (r == NEXT_WAIT) {
		s->current->not_due_ns = w->clock.now_ns;
		s->current->not_due_until_ns = s->due_ns;
	}
	return r;
}

/* Begins with the I/O that is idle longest, so that all positions of a file advance (seq_per_slot). */
unsigned next_io_by_file(struct worker *w, unsigned room)
{
	struct io_queue *q = &w->q;
	unsigned idle = q->nidle, i = 0, n = 0;
	uint64_t soonest = 0;

	q->nidle = 0;
	for (; i < idle && n < room; i++) {
		struct io *io = q->idle[i];
		enum next_io_result r = fill_file_io(w, io);

		if (r == NEXT_END)
			break;
		if (r == NEXT_WAIT) {
			uint64_t due = w->sched.due_ns;

			soonest = due && (!soonest || due < soonest) ? due : soonest;
			q->idle[q->nidle++] = io;
			continue;
		}
		io->start_ns = 0;
		q->ready[q->nready++] = io;
		n++;
	}
	memmove(&q->idle[q->nidle], &q->idle[i], (idle - i) * sizeof(struct io *));
	q->nidle += idle - i;
	w->sched.current = w->sched.per_file;
	w->sched.due_ns = soonest;
	return n;
}
