#include "target_storage.h"

#include <stdlib.h>
#include "vec.h"

/* Which targets some job uses as a file, each file once whatever its names. wanted: of which jobs; NULL: of
   all. */
static bool *used_targets(const struct plan *p, bool (*wanted)(const struct plan_job *pj, const void *arg),
			  const void *arg)
{
	bool *used = calloc(p->ntargets + 1, sizeof(*used));

	for (uint32_t i = 0; used && i < p->njobs; i++) {
		if (wanted && !wanted(&p->jobs[i], arg))
			continue;
		for (uint32_t k = 0; k < p->jobs[i].nfiles; k++)
			used[p->targets[p->jobs[i].files[k].target].same] = true;
	}
	return used;
}

static bool place_for(struct target_storage *s, const struct plan_target *t)
{
	for (size_t i = 0; i < s->n; i++) {
		if (s->v[i].first->facts->type == TARGET_CHAR || t->facts->type == TARGET_CHAR)
			continue;
		if (storage_same(s->v[i].first->facts, t->facts)) {
			s->v[i].targets++;
			return true;
		}
	}
	return false;
}

void target_storage_probe(struct target_storage *s, const struct plan *p)
{
	bool *used = used_targets(p, NULL, NULL);

	for (uint32_t i = 0; used && i < p->ntargets; i++) {
		const struct plan_target *t = &p->targets[i];
		struct target_storage_entry a = { .first = t, .targets = 1 };

		if (!used[i] || !t->path || t->facts->type == TARGET_OTHER || place_for(s, t))
			continue;
		storage_probe(&a.storage, t->facts, t->path);
		if (!VEC_PUSH(s, a))
			storage_fini(&a.storage);
	}
	free(used);
}

void target_storage_fini(struct target_storage *s)
{
	for (size_t i = 0; i < s->n; i++)
		storage_fini(&s->v[i].storage);
	free(s->v);
	*s = (struct target_storage){ 0 };
}

static const char *type_of(const struct target_facts *f)
{
	switch (f->type) {
	case TARGET_BLOCK:
		return "block device";
	case TARGET_CHAR:
		return "character device";
	case TARGET_DIR:
		return "directory";
	default:
		return "file";
	}
}

static void tell_target(const struct target_storage_entry *a, struct result *r)
{
	struct result_target t = { .path = a->first->path,
				   .type = type_of(a->first->facts),
				   .files = a->targets };

	t.fs = a->storage.fs;
	t.dev = calloc(a->storage.n + 1, sizeof(*t.dev));
	for (size_t i = 0; t.dev && i < a->storage.n; i++)
		t.dev[i] = (struct result_device){ a->storage.v[i].level, a->storage.v[i].props };
	t.devs = t.dev ? (unsigned)a->storage.n : 0;
	result_add_target(r, &t);
	free(t.dev);
}

static void tell_numbers(const struct plan *p, struct result *r)
{
	r->plan.sections = (unsigned)p->set->njobs;
	r->plan.workers = p->njobs;
	for (uint32_t i = 0; i < p->njobs; i++) {
		if (p->jobs[i].job->opts.group.thread)
			r->plan.threads++;
		else
			r->plan.processes++;
	}
	r->plan.groups = p->ngroups;
	r->plan.waves = p->nwaves;
	r->plan.seed = p->jobs[0].job->opts.offset.randseed;
	r->plan.layout_bytes = p->layout_bytes;
}

static void tell_job(struct result_plan_job *v, const struct plan_job *pj)
{
	const struct job_opts *o = &pj->job->opts;
	struct result_plan_job *j = &v[pj->section];

	if (j->workers++)
		return;
	*j = (struct result_plan_job){ .name = pj->job->name,
				       .group = pj->group,
				       .wave = pj->wave,
				       .stage = pj->stage,
				       .workers = 1,
				       .threads = o->group.thread,
				       .repeat = o->offset.randrepeat,
				       .randseed = o->offset.randseed,
				       .seed = pj->seed };
}

static void messages_plan(const struct plan *p, struct result *r)
{
	struct result_plan_job *v = calloc(p->set->njobs + 1, sizeof(*v));

	for (uint32_t i = 0; v && i < p->set->njobs; i++)
		v[i].name = p->set->jobs[i].name; /* a thread_group may leave one without workers */
	for (uint32_t i = 0; v && i < p->njobs; i++) {
		const struct plan_job *pj = &p->jobs[i];

		for (uint32_t k = 0; k < pj->nmembers; k++)
			tell_job(v, &pj->members[k]);
		if (!pj->nmembers)
			tell_job(v, pj);
	}
	if (v)
		result_plan_jobs(r, v, p->set->njobs);
	free(v);
}

static void tell_space(const struct plan *p, struct result *r)
{
	for (uint32_t i = 0; i < p->nspaces; i++) {
		const struct plan_space *s = &p->spaces[i];
		const struct result_plan_space told = { .path = s->path,
							.fstype = s->fstype,
							.need_bytes = s->need_bytes,
							.most_bytes = s->most_bytes,
							.free_bytes = s->free_bytes };

		if (s->most_bytes)
			result_plan_space(r, &told);
	}
}

static void tell_overwrites(const struct plan *p, struct result *r)
{
	for (uint32_t i = 0; i < p->ntargets; i++) {
		const struct plan_target *t = &p->targets[i];

		if (t->overwrites)
			result_overwrite(r, &(struct result_overwrite){ .path = t->path,
									.job = t->overwrites->name,
									.size_bytes = t->facts->size,
									.modified_s = t->facts->modified_s });
	}
}

void target_storage_tell(const struct target_storage *s, const struct plan *p, struct result *r)
{
	tell_numbers(p, r);
	messages_plan(p, r);
	tell_space(p, r);
	tell_overwrites(p, r);
	for (size_t i = 0; i < s->n; i++)
		tell_target(&s->v[i], r);
}

/* The device itself says so, or the disk below it. */
static const char *durable(const struct storage *s)
{
	for (size_t i = 0; i < s->n; i++) {
		const char *text = props_str(&s->v[i].props, "durable_writes");

		if (*text)
			return text;
	}
	return NULL;
}

const char *target_storage_durable(const struct target_storage *s, const struct target_facts *f)
{
	for (size_t i = 0; i < s->n; i++)
		if (storage_same(s->v[i].first->facts, f))
			return durable(&s->v[i].storage);
	return NULL;
}

struct diskstat *target_storage_disks(const struct plan *p,
				      bool (*wanted)(const struct plan_job *pj, const void *arg),
				      const void *arg)
{
	dev_t *devs = calloc(p->ntargets + 1, sizeof(*devs));
	bool *used = used_targets(p, wanted, arg);
	struct diskstat *disks = NULL;
	unsigned n = 0;

	for (uint32_t i = 0; devs && used && i < p->ntargets; i++) {
		const struct target_facts *f = p->targets[i].facts;

		if (used[i] && f->type == TARGET_BLOCK)
			devs[n++] = f->rdev;
		else if (used[i] && (f->type == TARGET_FILE || f->type == TARGET_MISSING))
			devs[n++] = f->dev;
	}
	if (n)
		disks = diskstat_begin(devs, n);
	free(used);
	free(devs);
	return disks;
}
