/* thread_group.c: a worker of a thread_group. The section of an I/O's file sets its direction, offset and
   contents.

   Either each file has its own I/Os in flight, and an I/O stays with its file; or the I/Os are one pool, and
   each idle I/O draws a file, which it keeps while it waits for that file's rate. */
#include <stdlib.h>
#include "io_source.h"
#include "schedule.h"
#include "thread_group.h"
#include "worker.h"

#define NOBODY UINT32_MAX

struct thread_group {
	struct mixer *mix;        /* by file */
	struct content **content; /* by file; NULL: the file is not written */
	uint32_t *owner;          /* by I/O: its file */
	bool pool, prios;
	bool turns; /* fewer I/Os than files: files take turns, and a file that is not due is skipped */
};

static const struct plan_job *of(const struct worker *w, uint32_t file)
{
	return w->clone.job->files[file].user;
}

/* Assigns to each file its I/Os, as many as its section's depth. */
static void deal_out(struct worker *w)
{
	uint32_t at = 0;

	for (uint32_t i = 0; i < w->clone.job->nfiles; i++)
		for (uint32_t k = 0; k < of(w, i)->depth && at < w->clone.job->depth; k++)
			w->source.thread_group->owner[at++] = i;
}

static bool init_file(struct worker *w, uint32_t i)
{
	const struct plan_job *pj = of(w, i);
	struct thread_group *t = w->source.thread_group;
	struct content *c;

	mix_init(&t->mix[i], &pj->job->opts.mix, pj->rw,
		 rng_mix64(w->clone.job->seed + 2 + ((uint64_t)i << 32)));
	if (!(pj->rw & RW_WRITE))
		return true;
	t->content[i] = c = calloc(1, sizeof(*c));
	if (!c)
		return false;
	content_init(c, &pj->job->opts.buffer, &pj->content);
	content_init_buffer(c, w->q.bufs.base, w->q.bufs.stride);
	return true;
}

bool thread_group_init(struct worker *w)
{
	uint32_t n = w->clone.job->nfiles;
	struct thread_group *t;

	if (!w->clone.job->members)
		return true;
	w->source.thread_group = t = calloc(1, sizeof(*t));
	if (!t)
		return false;
	t->mix = calloc(n, sizeof(*t->mix));
	t->content = calloc(n, sizeof(struct content *));
	t->owner = calloc(w->clone.job->depth, sizeof(*t->owner));
	if (!t->mix || !t->content || !t->owner)
		return false;
	for (uint32_t i = 0; i < n; i++)
		if (!init_file(w, i))
			return false;
	t->prios = w->clone.job->prios_by_file;
	t->turns = !w->clone.job->pool && w->clone.job->depth < n;
	t->pool = w->clone.job->pool || t->turns;
	for (uint32_t i = 0; i < w->clone.job->depth; i++)
		t->owner[i] = NOBODY;
	if (!t->pool)
		deal_out(w);
	return true;
}

void thread_group_fini(struct worker *w)
{
	struct thread_group *t = w->source.thread_group;

	for (uint32_t i = 0; t && t->content && i < w->clone.job->nfiles; i++)
		free(t->content[i]);
	if (t) {
		free(t->mix);
		free(t->content);
		free(t->owner);
	}
	free(t);
	w->source.thread_group = NULL;
}

uint32_t thread_group_file(struct worker *w, const struct io *io)
{
	uint32_t *owner = &w->source.thread_group->owner[io->index];
	struct file_order *s = &w->source.file_order;

	if (*owner == NOBODY) {
		*owner = s->next;
		file_order_advance(s, s->next);
	}
	return *owner;
}

enum io_dir thread_group_other(struct worker *w, const struct io *io, uint64_t now, uint64_t *due)
{
	uint32_t n = w->clone.job->nfiles, *owner = &w->source.thread_group->owner[io->index];
	uint64_t soonest = w->sched.due_ns;

	for (uint32_t k = 1; k < n && w->source.thread_group->turns && w->sched.nfiles; k++) {
		enum io_dir dir;

		*owner = file_order_after(&w->source.file_order, *owner);
		w->source.turn = *owner;
		w->sched.current = &w->sched.per_file[*owner];
		w->sched.due_ns = 0;
		dir = schedule_next(w, now, due);
		if (dir != DIR_COUNT) {
			file_order_advance(&w->source.file_order, *owner);
			return dir;
		}
		if (w->sched.due_ns && (!soonest || w->sched.due_ns < soonest))
			soonest = w->sched.due_ns;
	}
	w->sched.due_ns = soonest;
	return DIR_COUNT;
}

struct mixer *thread_group_mix(struct worker *w)
{
	return &w->source.thread_group->mix[w->source.turn];
}

bool thread_group_take(struct worker *w, struct io *io, enum io_dir dir)
{
	struct io_source *s = &w->source;
	uint32_t i = s->turn, slot = of(w, i)->job->opts.offset.per_slot ? io->index : 0;

	if (!offset_next(io_source_gen(s, i, slot), dir, &io->offset, &io->len))
		return false;
	io->file = &w->files.file[i];
	io->target = i;
	if (dir == DIR_WRITE)
		w->source.content = w->source.thread_group->content[i];
	if (w->source.thread_group->prios)
		io->prio = of(w, i)->ioprio;
	if (w->source.thread_group->pool)
		w->source.thread_group->owner[io->index] = NOBODY;
	return true;
}

struct content *thread_group_content(const struct worker *w, uint32_t file)
{
	return w->source.thread_group->content[file];
}
