/* fill.c: fills idle I/Os where each file has a schedule of its own (iodepth_per_file with a rate). */
#include <string.h>
#include "worker.h"

/* The idle I/O is the next one of its file, if that is due. The one that is idle for longest is asked first
   (seq_per_slot). */
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

unsigned fill_by_file(struct worker *w, unsigned room)
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
