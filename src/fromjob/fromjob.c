/* fromjob.c: translates a job set to time spans and targets. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "profile.h"
#include "fromjob_section.h"
#include "plan.h"
#include "vec.h"

#define TARGETS_MAX 65536u

struct job_range {
	const struct job *v;
	size_t n;
};

/* ---- one section ---- */

/* Returns true if DISKSPD can do this kind of job; if not, `lost` gets the reason. */
static bool has_counterpart(const struct section *s)
{
	const struct engine *e = s->job->engine;

	if (e->caps & (ENG_META | ENG_NOIO | ENG_CHANGES_FILES | ENG_VIRTUAL))
		fromjob_drop(s, "the whole job: ioengine=%s has no counterpart", e->name);
	else if (s->o->files.opendir)
		fromjob_drop(s, "the whole job: opendir=%s has no counterpart; name the files",
			     s->o->files.opendir);
	else if (s->o->offset.rw & RW_TRIM)
		fromjob_drop(s, "the whole job: DISKSPD cannot trim");
	else if (s->o->verify.only)
		fromjob_drop(s, "the whole job: verify_only checks data that DISKSPD would write over");
	else
		return true;
	return false;
}

static bool same_paths(const char **a, const char **b, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++)
		if (strcmp(a[i], b[i]))
			return false;
	return true;
}

static int find_paths(struct section *s)
{
	uint32_t clones = s->o->group.numjobs, n;
	const char **last;

	s->path = plan_paths(&s->f->profile->mem, s->job, 0, &s->npaths);
	last = plan_paths(&s->f->profile->mem, s->job, clones - 1, &n);
	if (!s->path || !last)
		return diag_no_memory(s->f->diag);
	s->shared = n == s->npaths && same_paths(s->path, last, n);
	if (s->npaths > TARGETS_MAX || (!s->shared && (uint64_t)s->npaths * clones > TARGETS_MAX))
		return diag_err(s->f->diag, -EINVAL,
				"%s:%u: [%s] has more files than DISKSPD can have targets (%u)",
				s->job->at.file, s->job->at.line, s->job->name, TARGETS_MAX);
	return 0;
}

static struct ds_target *new_target(struct section *s, const char *path)
{
	struct fromjob *f = s->f;
	struct ds_target t;

	ds_target_init(&t);
	t.path = arena_strdup(&f->profile->mem, path);
	if (!t.path || !VEC_PUSH(&f->targets, t))
		return NULL;
	return &f->targets.v[f->targets.n - 1];
}

/* Divides the job's depth, which is for all files together, among its targets; at least 1 for each. */
static void divide_depth(struct section *s, struct ds_target *t)
{
	if (s->npaths < 2 || s->pool || fromjob_per_file(s))
		return;
	fromjob_drop(s, "iodepth=%u for %u files together: each target has its own depth", t->depth,
		     s->npaths);
	t->depth = t->depth / s->npaths ? t->depth / s->npaths : 1;
}

static int clone_targets(struct section *s, const char **path)
{
	for (uint32_t i = 0; i < s->npaths; i++) {
		struct ds_target *t = new_target(s, path[i]);

		if (!t)
			return diag_no_memory(s->f->diag);
		t->threads = s->shared ? s->o->group.numjobs : 1;
		fromjob_target(s, t);
		divide_depth(s, t);
	}
	return 0;
}

static int section_targets(struct section *s)
{
	uint32_t clones = s->shared ? 1 : s->o->group.numjobs, n;
	int ret = clone_targets(s, s->path);

	for (uint32_t i = 1; i < clones && !ret; i++) {
		const char **path = plan_paths(&s->f->profile->mem, s->job, i, &n);

		ret = path ? clone_targets(s, path) : diag_no_memory(s->f->diag);
	}
	return ret;
}

/* ---- threads that use several targets ---- */

/* Reads thread_group_weight: "3", or "0/5:2/1". Returns false if memory is short. */
static bool weights(struct section *s, struct ds_target *t)
{
	const char *text = s->o->thread_group.weights;
	char *end;

	if (!text)
		return true;
	if (!strchr(text, '/')) {
		t->weight = (unsigned)strtoul(text, NULL, 10);
		return true;
	}
	t->thread_targets = arena_array(&s->f->profile->mem, strlen(text), sizeof(*t->thread_targets));
	if (!t->thread_targets)
		return false;
	while (*text) {
		struct ds_thread_target *tt = &t->thread_targets[t->nthread_targets++];

		tt->thread = (unsigned)strtoul(text, &end, 10);
		if (*end == '/')
			tt->weight = (unsigned)strtoul(end + 1, &end, 10);
		if (tt->weight == t->weight)
			tt->weight = 0; /* 0: the target's weight */
		text = end + (*end == ':');
		if (*end && *end != ':')
			break;
	}
	return true;
}

/* Translates thread_group, whose threads work on all targets. */
static int grouped(struct section *s)
{
	const char *group = s->o->thread_group.name;

	if (s->pool)
		return 0;
	if (!group) {
		if (s->span->threads)
			fromjob_drop(
				s, "its own threads: the threads of the other jobs' thread_group do its I/O");
		return 0;
	}
	if (s->f->group_leader && !thread_group_same(s->f->group_leader, s->job))
		fromjob_drop(s, "thread_group=%s: the threads of [%.80s] do its I/O, too", group,
			     s->f->group_leader->name);
	if (!s->f->group_leader)
		s->f->group_leader = s->job;
	s->span->threads = s->f->group_leader->opts.group.numjobs;
	s->span->requests = s->f->group_leader->opts.thread_group.depth;
	for (size_t i = s->first_target; i < s->f->targets.n; i++)
		if (!weights(s, &s->f->targets.v[i]))
			return diag_no_memory(s->f->diag);
	return 0;
}

/* ---- a time span ---- */

static int add_job(struct fromjob *f, const struct job *job, const struct job_range *all,
		   struct ds_span *span)
{
	struct section s = {
		.f = f, .job = job, .o = &job->opts, .span = span, .first_target = f->targets.n
	};
	int ret;

	s.dirs = s.o->offset.rw & (RW_READ | RW_WRITE);
	if (!has_counterpart(&s))
		return 0;
	if (!f->first_job)
		f->first_job = job;
	ret = find_paths(&s);
	if (ret)
		return ret;
	if (s.o->files.openfiles && s.o->files.openfiles < s.npaths)
		fromjob_drop(&s, "openfiles=%u: DISKSPD keeps all files open", s.o->files.openfiles);
	if (f->share_pool || (all->n == 1 && s.npaths > 1 && !s.o->thread_group.name))
		fromjob_pool(&s);
	ret = section_targets(&s);
	if (!ret && s.pool && !fromjob_pool_targets(&s))
		ret = diag_no_memory(f->diag);
	if (!ret)
		ret = grouped(&s);
	fromjob_span(&s);
	fromjob_drop_others(&s);
	return ret;
}

static int keep_targets(struct fromjob *f, struct ds_span *span)
{
	size_t n = f->targets.n;

	if (!n)
		return 0;
	span->targets = arena_array(&f->profile->mem, n, sizeof(*span->targets));
	if (!span->targets)
		return diag_no_memory(f->diag);
	memcpy(span->targets, f->targets.v, n * sizeof(*span->targets));
	span->ntargets = n;
	for (size_t i = 0; span->threads && i < n; i++)
		span->targets[i].threads = 1;
	f->profile->nspans++;
	return 0;
}

static int add_span(struct fromjob *f, const struct job_range *jobs)
{
	struct ds_span *span = &f->profile->spans[f->profile->nspans];
	int ret = 0;

	ds_span_init(span);
	span->warmup_s = 0;
	f->targets.n = 0;
	f->first_job = f->group_leader = NULL;
	f->has_runtime = false;
	f->share_pool = fromjob_pools(jobs->v, jobs->n);
	for (size_t i = 0; i < jobs->n && !ret; i++)
		ret = add_job(f, &jobs->v[i], jobs, span);
	return ret ? ret : keep_targets(f, span);
}

static bool begins_span(const struct job *job)
{
	return job->opts.group.stonewall || job->first_of_file;
}

static int check_profile(struct fromjob *f)
{
	const struct ds_check_cfg c = { .xml_names = true };

	if (!f->profile->nspans)
		return diag_err(f->diag, -EINVAL, "no job here has a counterpart in DISKSPD%s%s",
				f->losses->count ? ": " : "", f->losses->count ? f->losses->line[0] : "");
	if (ds_profile_check(&c, f->profile, NULL, f->diag))
		return diag_wrap(f->diag, "no DISKSPD profile can express the jobs");
	return 0;
}

int fromjob_profile(struct ds_profile *p, const struct job_set *set, const struct cpuset *cpus,
		    struct notes *lost, struct diag *d)
{
	struct fromjob f = { .profile = p, .set = set, .cpus = cpus, .losses = lost, .diag = d };
	int ret = 0;

	if (!ds_profile_init(p))
		return diag_no_memory(f.diag);
	p->spans = arena_array(&p->mem, set->njobs, sizeof(*p->spans));
	p->nspans = 0;
	if (!p->spans && set->njobs)
		return diag_no_memory(f.diag);
	for (size_t i = 0, n; i < set->njobs && !ret; i += n) {
		for (n = 1; i + n < set->njobs && !begins_span(&set->jobs[i + n]);)
			n++;
		ret = add_span(&f, &(struct job_range){ &set->jobs[i], n });
	}
	free(f.targets.v);
	if (!ret && f.no_memory)
		ret = diag_no_memory(f.diag);
	return ret ? ret : check_profile(&f);
}
