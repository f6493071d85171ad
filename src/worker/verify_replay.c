/* verify_replay.c: the generators of next_io.c without files, time and queue. */
#include <stdlib.h>
#include "clone.h"
#include "verify_replay.h"

bool verify_replay_init(struct verify_replay *r, const struct clone *c)
{
	r->done = calloc(c->job->nfiles, 1);
	mix_init(&r->source.mix, &c->opts->mix, c->job->rw, c->job->seed + 2);
	return r->done && io_source_init(&r->source, c);
}

void verify_replay_fini(struct verify_replay *r)
{
	free(r->done);
	io_source_fini(&r->source);
}

/* Draws an I/O in direction dir, from the next file that still has one. */
static bool draw(struct verify_replay *r, enum io_dir dir, struct replayed_write *to)
{
	struct file_order *order = &r->source.file_order;
	uint32_t i = order->next;

	for (uint32_t tried = 0; tried < order->files; tried++) {
		if (r->done[i]) {
			i = file_order_after(order, i);
		} else if (offset_next(io_source_gen(&r->source, i, 0), dir, &to->offset, &to->bytes)) {
			to->file = i;
			file_order_advance(order, i);
			return true;
		} else {
			r->done[i] = true;
			i = file_order_done(order, i);
		}
	}
	return false;
}

bool verify_replay_next(struct verify_replay *r, struct replayed_write *write)
{
	enum io_dir dir;

	do {
		dir = mix_next(&r->source.mix);
		if (!draw(r, dir, write))
			return false;
	} while (dir != DIR_WRITE);
	return true;
}
