/* plan_targets.c: the files and devices of a plan: which paths are one file, and which may be written. */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include "plan_build.h"

static int compare_path(const void *path, const void *target)
{
	return strcmp(path, ((const struct facts_target *)target)->path);
}

uint32_t plan_targets_find(const struct build *b, const char *path)
{
	const struct facts_target *v = b->f->targets, *t = NULL;

	if (b->f->ntargets)
		t = bsearch(path, v, b->f->ntargets, sizeof(*v), compare_path);
	return t ? (uint32_t)(t - v) : UINT32_MAX;
}

uint32_t plan_targets_next(const struct build *b, const char *path, uint32_t before)
{
	uint32_t next = before + 1; /* of UINT32_MAX: the first */

	if (next < b->f->ntargets && !strcmp(b->f->targets[next].path, path))
		return next;
	return plan_targets_find(b, path);
}

/* What identifies a target. Sorting these needs no access to the facts. */
struct identity {
	dev_t dev;
	ino_t ino;
	uint32_t target;
};

static int by_identity(const void *a, const void *b, void *arg)
{
	const struct plan_target *t = arg;
	const struct identity *x = a, *y = b;

	if (x->dev != y->dev)
		return x->dev < y->dev ? -1 : 1;
	if (x->ino != y->ino)
		return x->ino < y->ino ? -1 : 1;
	if (x->ino)
		return 0;
	return target_missing_cmp(t[x->target].facts, t[x->target].path, t[y->target].facts,
				  t[y->target].path);
}

/* Finds targets that are the same file under several names, and sets `same` to the first of them. */
static bool find_same(struct build *b)
{
	struct plan *p = b->p;
	struct identity *v = calloc(p->ntargets, sizeof(*v));

	if (!v)
		return false;
	for (uint32_t i = 0; i < p->ntargets; i++) {
		const struct target_facts *f = p->targets[i].facts;

		v[i] = (struct identity){ f->dev, f->ino, i };
		p->targets[i].same = i;
	}
	qsort_r(v, p->ntargets, sizeof(*v), by_identity, p->targets);
	for (uint32_t i = 1; i < p->ntargets; i++) {
		struct plan_target *t = &p->targets[v[i].target], *u = &p->targets[v[i - 1].target];

		if (by_identity(&v[i], &v[i - 1], p->targets) == 0)
			t->same = u->same;
	}
	free(v);
	return true;
}

bool plan_targets(struct build *b)
{
	static const struct target_facts nothing = { .type = TARGET_OTHER };
	struct plan *p = b->p;

	p->ntargets = (uint32_t)b->f->ntargets + 1;
	p->targets = arena_array(&p->arena, p->ntargets, sizeof(*p->targets));
	b->state = arena_array(&p->arena, p->ntargets, sizeof(*b->state));
	if (!p->targets || !b->state)
		return false;
	for (uint32_t i = 0; i + 1 < p->ntargets; i++) {
		p->targets[i].path = b->f->targets[i].path;
		p->targets[i].facts = &b->f->targets[i].facts;
		b->state[i].size = p->targets[i].facts->size;
		b->state[i].exists = p->targets[i].facts->type != TARGET_MISSING;
	}
	p->targets[p->ntargets - 1].path = "(no file)";
	p->targets[p->ntargets - 1].facts = &nothing;
	return find_same(b);
}

bool plan_targets_allow(struct build *b)
{
	struct plan *p = b->p;
	const char **paths = NULL;
	bool *in_use = NULL;
	unsigned n = 0;

	for (size_t i = 0; i < p->set->njobs; i++) {
		struct job named = { .name = "",
				     .opts.files.filename = p->set->jobs[i].opts.files.allow_write };
		uint32_t count;
		const char **more, **all;
		bool *all_in_use;

		if (!named.opts.files.filename || !*named.opts.files.filename)
			continue;
		more = plan_paths(&p->arena, &named, 0, &count);
		all = arena_array(&p->arena, n + count, sizeof(*all));
		all_in_use = arena_array(&p->arena, n + count, sizeof(*all_in_use));
		if (!more || !all || !all_in_use)
			return false;
		if (n) {
			memcpy(all, paths, n * sizeof(*all));
			memcpy(all_in_use, in_use, n * sizeof(*in_use));
		}
		memcpy(all + n, more, count * sizeof(*all));
		memset(all_in_use + n, p->set->jobs[i].opts.files.allow_mounted_write, count);
		paths = all;
		in_use = all_in_use;
		n += count;
	}
	p->allow = (struct target_allow){ paths, n, in_use };
	return true;
}

bool plan_targets_dir_allowed(const struct build *b, const char *path)
{
	struct stat dir, named;

	if (!b->p->allow.count || stat(path, &dir) || !S_ISDIR(dir.st_mode))
		return false;
	for (unsigned i = 0; i < b->p->allow.count; i++) {
		if (!stat(b->p->allow.paths[i], &named) && named.st_dev == dir.st_dev &&
		    named.st_ino == dir.st_ino)
			return true;
	}
	return false;
}
