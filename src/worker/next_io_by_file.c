/* next_io_by_file.c: fills idle I/Os if each file has its own schedule (iodepth_per_file with a rate). */
#include <string.h>
#include "next_io.h"
#include "next_io_by_file.h"
#include "next_io_fast.h"
#include "worker.h"

/* Fills in the next I/O of this idle I/O's file, if it is due. The caller begins with the I/O that is idle
   longest (seq_per_slot). A file without a due I/O is not checked again at the same time. */
static enum next_io_result take_of_file(struct worker *w, struct io *io)
{
	uint32_t file = next_io_own_file(w, io);
	enum next_io_result r;

	w->sched.current = &w->sched.per_file[file];
	if (w->sched.current->asked_ns == w->clock.now_ns) {
		w->sched.due_ns = w->sched.current->again_ns;
		return NEXT_WAIT;
	}
	r = next_io(w, io, w->clock.now_ns);
	if (r != NEXT_WAIT)
		return r;
	w->sched.current->asked_ns = w->clock.now_ns;
	w->sched.current->again_ns = w->sched.due_ns;
	return NEXT_WAIT;
}

unsigned next_io_by_file(struct worker *w, unsigned room)
{
	unsigned idle = w->q.nidle, i = 0, n = 0;
	uint64_t soonest = 0;

	w->q.nidle = 0;
	for (; i < idle && n < room; i++) {
		struct io *io = w->q.idle[i];
		enum next_io_result r = take_of_file(w, io);

		if (r == NEXT_END)
			break;
		if (r == NEXT_WAIT) {
			uint64_t due = w->sched.due_ns;

			soonest = due && (!soonest || due < soonest) ? due : soonest;
			w->q.idle[w->q.nidle++] = io;
			continue;
		}
		io->start_ns = 0;
		w->q.ready[w->q.nready++] = io;
		n++;
	}
	memmove(&w->q.idle[w->q.nidle], &w->q.idle[i], (idle - i) * sizeof(struct io *));
	w->q.nidle += idle - i;
	w->sched.current = w->sched.per_file;
	w->sched.due_ns = soonest;
	return n;
}
