/* fromjob_pool.c: the threads of -F: file_service_type=random and iodepth_per_file. */
#include <string.h>
#include "fromjob_section.h"
#include "rows.h"

static bool one_file(const struct job_opts *o)
{
	return o->files.nrfiles == 1 && !(o->files.filename && strchr(o->files.filename, ':'));
}

bool fromjob_pools(const struct job *jobs, size_t n)
{
	bool any_random = false;

	for (size_t i = 0; i < n; i++) {
		const struct job_opts *o = &jobs[i].opts;
		bool random = o->files.file_order.kind == FILE_ORDER_RANDOM && !one_file(o);

		if (o->queue.per_file || o->thread_group.name || (!random && !one_file(o)) ||
		    jobs[i].opts.queue.iodepth != jobs[0].opts.queue.iodepth)
			return false;
		any_random = any_random || random;
	}
	return n > 1 && any_random;
}

void fromjob_pool(struct section *s)
{
	s->pool = true;
	s->first_thread = s->span->threads;
	s->span->threads += s->o->group.numjobs;
	if (s->o->queue.per_file)
		return;
	s->span->requests = s->job->opts.queue.iodepth;
	if (s->npaths > 1 && s->o->files.file_order.kind != FILE_ORDER_RANDOM)
		fromjob_drop(s, "file_service_type: -O chooses a file at random for each I/O");
}

/* Sets the targets' weights from file_weights. Returns false if memory is short. */
static bool set_weights(struct section *s)
{
	size_t n = s->f->targets.n - s->first_target;
	uint32_t *v;

	if (!s->o->files.weights)
		return true;
	v = arena_array(&s->f->profile->mem, s->npaths, sizeof(*v));
	if (!v)
		return false;
	if (file_weights_read(s->o->files.weights, v, s->npaths) != s->npaths)
		return true; /* an invalid list, which the plan refuses */
	for (size_t i = 0; i < n; i++)
		s->f->targets.v[s->first_target + i].weight = v[i % s->npaths];
	return true;
}

/* Adds threads with this weight to the target's list. Returns false if memory is short. */
static bool add_threads(struct section *s, struct ds_target *t, unsigned first, unsigned n, unsigned weight)
{
	struct ds_thread_target *v = arena_array(&s->f->profile->mem, t->nthread_targets + n, sizeof(*v));

	if (!v)
		return false;
	if (t->nthread_targets)
		memcpy(v, t->thread_targets, t->nthread_targets * sizeof(*v));
	for (unsigned i = 0; i < n; i++)
		v[t->nthread_targets + i] =
			(struct ds_thread_target){ first + i, weight == t->weight ? 0 : weight };
	t->thread_targets = v;
	t->nthread_targets += n;
	return true;
}

static struct ds_target *same_before(struct section *s, const struct ds_target *t)
{
	for (size_t i = 0; i < s->first_target; i++) {
		struct ds_target *other = &s->f->targets.v[i];

		if (!strcmp(other->path, t->path) && ds_same_load(other, t))
			return other;
	}
	return NULL;
}

bool fromjob_pool_targets(struct section *s)
{
	size_t n = s->f->targets.n, to = s->first_target;

	if (!set_weights(s))
		return false;
	for (size_t i = s->first_target; i < n; i++)
		s->f->targets.v[i].threads = 1;
	if (s->shared && !s->f->share_pool)
		return true;
	for (size_t i = s->first_target; i < n; i++) {
		unsigned clone = (unsigned)((i - s->first_target) / s->npaths);
		struct ds_target t = s->f->targets.v[i], *other = same_before(s, &t);

		if (!add_threads(s, other ? other : &t, s->first_thread + clone,
				 s->shared ? s->o->group.numjobs : 1, t.weight))
			return false;
		if (!other)
			s->f->targets.v[to++] = t;
	}
	s->f->targets.n = to;
	return true;
}
