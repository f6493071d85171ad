#include "job.h"

#include <stdlib.h>
#include <string.h>
#include "trace_saved.h"

void job_set_fini(struct job_set *s)
{
	for (size_t i = 0; i < s->njobs; i++) {
		struct job *job = &s->jobs[i];

		opt_fini(&job_options, &job->opts);
		if (job->engine_opts)
			opt_fini(job->engine->opts, job->engine_opts);
	}
	if (s->streams)
		trace_saved_fini(s->streams);
	free(s->streams);
	notes_fini(&s->notes);
	arena_fini(&s->arena);
	*s = (struct job_set){ 0 };
}

void job_set_as_diskspd(struct job_set *s)
{
	for (size_t i = 0; i < s->njobs; i++) {
		struct job_opts *o = &s->jobs[i].opts;

		o->file.write_only =
			!(job_access(&s->jobs[i]) & RW_READ) && !(s->jobs[i].engine->caps & ENG_MAPPED);
		o->group.exitall_on_error = true;
		o->group.exit_what = EXIT_WHAT_ALL;
		o->time.drop_late = true;
	}
}

unsigned job_access(const struct job *job)
{
	const struct verify_opts *v = &job->opts.verify;
	unsigned rw = job->opts.offset.rw & RW_DIRS;

	if (job->engine->caps & ENG_NOIO)
		return 0;
	if (v->format.kind == VERIFY_NONE)
		return rw;
	if (v->only)
		return RW_READ;
	if (!(rw & RW_WRITE))
		return rw;
	return rw | (v->after_writing ? RW_READ : 0) | (v->trim_percentage ? RW_TRIM : 0);
}

bool job_checks_earlier(const struct job *job)
{
	const struct verify_opts *v = &job->opts.verify;
	unsigned rw = job->opts.offset.rw;

	return v->format.kind != VERIFY_NONE && (v->only || (rw & RW_READ && !(rw & (RW_WRITE | RW_TRIM))));
}

void user_options_remove(struct user_options *l, const char *name)
{
	for (size_t i = 0; i < l->n; i++) {
		if (!strcmp(l->v[i].name, name)) {
			memmove(&l->v[i], &l->v[i + 1], (l->n - i - 1) * sizeof(*l->v));
			l->n--;
			return;
		}
	}
}

const struct user_option *user_options_find(const struct user_options *l, const char *name)
{
	for (size_t i = l->n; i > 0; i--)
		if (!strcmp(l->v[i - 1].name, name))
			return &l->v[i - 1];
	return NULL;
}

/* Puts the earlier value of the option before the text of g. */
static bool join(const struct user_options *l, struct arena *a, struct user_option *g, char separator)
{
	const struct user_option *earlier = user_options_find(l, g->name);

	if (earlier && earlier->text && g->text)
		g->text = arena_printf(a, "%s%c%s", earlier->text, separator, g->text);
	return !earlier || g->text;
}

bool user_options_put(struct user_options *l, struct arena *a, const struct user_option *option, char adds)
{
	struct user_option joined = *option, *g = &joined;

	if (adds && !join(l, a, g, adds))
		return false;
	user_options_remove(l, g->name);
	if (l->n == l->cap) {
		size_t cap = l->cap ? l->cap * 2 : 8;
		struct user_option *v = arena_array(a, cap, sizeof(*v));

		if (!v)
			return false;
		if (l->n)
			memcpy(v, l->v, l->n * sizeof(*v));
		l->v = v;
		l->cap = cap;
	}
	l->v[l->n++] = *g;
	return true;
}

const struct user_option *job_user_option(const struct job *job, const char *name)
{
	const struct user_option *g = user_options_find(&job->own, name);

	return g ? g : user_options_find(&job->inherited, name);
}

bool user_option_equal(const struct user_option *a, const struct user_option *b)
{
	if (!a || !b)
		return a == b;
	return a->text == b->text || (a->text && b->text && !strcmp(a->text, b->text));
}
