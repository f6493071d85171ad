/* thread_group.c: the I/Os, mixers and contents of the files of a thread_group. */
#include <stdlib.h>
#include "io_source.h"
#include "schedule.h"
#include "worker.h"

#define NO_FILE UINT32_MAX

struct thread_group {
	const struct plan_job *job;
	struct mixer *mix;        /* by file */
	struct content **content; /* by file; NULL: the file is not written */
	uint32_t *file;           /* by I/O: its file, or NO_FILE */
	bool pool;                /* an idle I/O has no file */
	bool turns; /* fewer I/Os than files: files take turns, and a file that is not due is skipped */
};

static const struct plan_job *section(const struct thread_group *t, uint32_t file)
{
	return t->job->files[file].user;
}

/* Assigns to each file its I/Os, as many as its section's depth. */
static void assign_ios(struct thread_group *t)
{
	uint32_t at = 0;

	for (uint32_t i = 0; i < t->job->nfiles; i++)
		for (uint32_t k = 0; k < section(t, i)->depth && at < t->job->depth; k++)
			t->file[at++] = i;
}

static bool init_file(struct thread_group *t, const struct iobuf *bufs, uint32_t i)
{
	const struct plan_job *pj = section(t, i);
	struct content *c;

	mix_init(&t->mix[i], &pj->job->opts.mix, pj->rw, rng_mix64(t->job->seed + 2 + ((uint64_t)i << 32)));
	if (!(pj->rw & RW_WRITE))
		return true;
	t->content[i] = c = aligned_alloc(_Alignof(struct content), sizeof(*c));
	if (!c)
		return false;
	content_init(c, &pj->job->opts.buffer, &pj->content);
	content_init_buffer(c, bufs->base, bufs->stride);
	return true;
}

bool thread_group_init(struct thread_group **group, const struct clone *c, const struct iobuf *bufs)
{
	uint32_t n = c->job->nfiles;
	struct thread_group *t;

	*group = NULL;
	if (!c->job->members)
		return true;
	*group = t = calloc(1, sizeof(*t));
	if (!t)
		return false;
	t->job = c->job;
	t->mix = calloc(n, sizeof(*t->mix));
	t->content = calloc(n, sizeof(struct content *));
	t->file = calloc(c->job->depth, sizeof(*t->file));
	if (!t->mix || !t->content || !t->file)
		return false;
	for (uint32_t i = 0; i < n; i++)
		if (!init_file(t, bufs, i))
			return false;
	t->turns = !c->job->pool && c->job->depth < n;
	t->pool = c->job->pool || t->turns;
	for (uint32_t i = 0; i < c->job->depth; i++)
		t->file[i] = NO_FILE;
	if (!t->pool)
		assign_ios(t);
	return true;
}

void thread_group_fini(struct thread_group *t)
{
	if (!t)
		return;
	for (uint32_t i = 0; t->content && i < t->job->nfiles; i++)
		free(t->content[i]);
	free(t->mix);
	free(t->content);
	free(t->file);
	free(t);
}

uint32_t thread_group_file(struct thread_group *t, struct file_order *order, const struct io *io)
{
	uint32_t *file = &t->file[io->index];

	if (*file == NO_FILE) {
		*file = order->next;
		file_order_advance(order, order->next);
	}
	return *file;
}

enum io_dir thread_group_try_others(struct worker *w, const struct io *io, uint64_t now, uint64_t *due)
{
	struct io_source *s = &w->source;
	struct scheduler *sched = &w->sched;
	uint32_t n = w->clone.job->nfiles, *file = &s->thread_group->file[io->index];
	uint64_t soonest = sched->due_ns;

	for (uint32_t k = 1; k < n && s->thread_group->turns && sched->nfiles; k++) {
		enum io_dir dir;

		*file = s->current_file = file_order_after(&s->file_order, *file);
		sched->current = &sched->per_file[*file];
		sched->due_ns = 0;
		dir = schedule_next(w, now, due);
		if (dir != DIR_COUNT) {
			file_order_advance(&s->file_order, *file);
			return dir;
		}
		if (sched->due_ns && (!soonest || sched->due_ns < soonest))
			soonest = sched->due_ns;
	}
	sched->due_ns = soonest;
	return DIR_COUNT;
}

struct mixer *thread_group_mix(const struct thread_group *t, uint32_t file)
{
	return &t->mix[file];
}

bool thread_group_take(struct io_source *s, struct io *io, enum io_dir dir)
{
	struct thread_group *t = s->thread_group;
	const struct plan_job *pj = section(t, s->current_file);
	uint32_t i = s->current_file, slot = pj->job->opts.offset.per_slot ? io->index : 0;

	if (!offset_next(io_source_gen(s, i, slot), dir, &io->offset, &io->len))
		return false;
	io->target = i;
	if (dir == DIR_WRITE)
		s->content = t->content[i];
	if (t->job->prios_by_file)
		io->prio = pj->ioprio;
	if (t->pool)
		t->file[io->index] = NO_FILE;
	return true;
}

struct content *thread_group_content(const struct thread_group *t, uint32_t file)
{
	return t->content[file];
}
