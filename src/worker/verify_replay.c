/* verify_replay.c: the generators of next_io.c without files, time and queue. */
#include <stdlib.h>
#include <string.h>
#include "clone.h"
#include "options.h"
#include "verify_source.h"

bool verify_replay_init(struct verify_replay *r, const struct clone *c)
{
	*r = (struct verify_replay){ .clone = c, .pending = DIR_COUNT };
	r->done = calloc(c->job->nfiles, 1);
	mix_init(&r->source.mix, &c->opts->mix, c->job->rw, c->job->seed + 2);
	quota_set(&r->quota, &c->opts->time, c->job->pass_bytes);
	r->quota.loops_left = c->opts->time.loops ? c->opts->time.loops : 1;
	return r->done && io_source_init(&r->source, c, false);
}

void verify_replay_fini(struct verify_replay *r)
{
	free(r->done);
	io_source_fini(&r->source);
}

/* Draws an I/O in direction dir, from the next file that still has one. Returns false if no file has. */
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
	while (!quota_complete(&r->quota, r->clone->job)) {
		enum io_dir dir = r->pending < DIR_COUNT ? r->pending : mix_next(&r->source.mix);

		r->pending = DIR_COUNT;
		if (!draw(r, dir, write)) {
			r->pending = dir;
			return false;
		}
		quota_add(&r->quota, 1, write->bytes);
		if (dir == DIR_WRITE)
			return true;
	}
	return false;
}

void verify_replay_next_pass(struct verify_replay *r, bool fresh)
{
	const struct clone *c = r->clone;
	bool go_on = !c->opts->time.time_based &&
		     offset_continues(io_source_gen(&r->source, 0, 0), c->job->repeat);

	memset(r->done, 0, c->job->nfiles);
	file_order_restart(&r->source.file_order);
	if (!fresh && !go_on) {
		mix_init(&r->source.mix, &c->opts->mix, c->job->rw, c->job->seed + 2);
		r->pending = DIR_COUNT;
	}
	for (uint32_t i = 0; i < c->job->nfiles; i++) {
		struct offset_gen *g = io_source_gen(&r->source, i, 0);

		if (go_on)
			offset_continue(g);
		else
			offset_restart(g, fresh);
	}
}

bool verify_replay_next_of_job(struct verify_replay *r, struct replayed_write *write)
{
	bool go_on = offset_continues(io_source_gen(&r->source, 0, 0), r->clone->job->repeat);

	for (unsigned empty = 0; empty < 2; empty++) {
		if (verify_replay_next(r, write))
			return true;
		if (quota_complete(&r->quota, r->clone->job) ||
		    (!go_on && quota_end_loop(&r->quota, r->clone->job)))
			return false;
		verify_replay_next_pass(r, false);
	}
	return false;
}
