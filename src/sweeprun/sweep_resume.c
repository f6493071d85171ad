/* sweep_resume.c: what the directory of a sweep has already. Before anything runs, every file that the sweep
   would write is looked at: it is missing, or with --resume the document of the jobs that the sweep would run
   again. Any other file is refused. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include "read.h"
#include "sweep_list.h"
#include "utf8.h"

#define MOVE_IT "move it away, or name another directory with -d"

/* One of the runs of a sweep. */
struct found {
	struct sweep_points *p;
	size_t point;
	enum sweep_run_kind kind;
	const char *path;           /* of its document */
	const struct result *found; /* what the document has */
};

/* ---- whether a document has the jobs of a run ---- */

static const char *last_value(const struct result_opt *opt, size_t n, const char *name)
{
	while (n-- > 0)
		if (!strcmp(opt[n].name, name))
			return opt[n].value;
	return NULL;
}

static const char *last_text(const struct user_options *l, const char *name)
{
	for (size_t i = l->n; i-- > 0;)
		if (!strcmp(l->v[i].name, name))
			return l->v[i].text ? l->v[i].text : "";
	return NULL;
}

/* Returns an option whose values differ, or NULL. The document has the last value of each option. */
static const char *different(const struct result_opt *opt, size_t n, const struct user_options *l)
{
	for (size_t i = 0; i < l->n; i++) {
		const char *value = last_value(opt, n, l->v[i].name);

		if (!value || !utf8_is_copy(value, last_text(l, l->v[i].name)))
			return l->v[i].name;
	}
	for (size_t i = 0; i < n; i++)
		if (!last_text(l, opt[i].name))
			return opt[i].name;
	return NULL;
}

/* Returns "NAME=VALUE", "NAME" or "no NAME" in the arena. */
static const char *setting(struct arena *mem, const char *name, const char *value)
{
	if (!value)
		return arena_printf(mem, "no %.60s", name);
	return arena_printf(mem, "%.60s%s%.80s", name, *value ? "=" : "", value);
}

static const char *name_of_run(const struct found *f, struct arena *mem)
{
	if (f->kind == SWEEP_PRECONDITION)
		return "the precondition";
	return arena_printf(mem, "%spoint %zu",
			    f->kind == SWEEP_MAXIMUM ? "the maximum of "
			    : f->kind == SWEEP_AGAIN ? "the second run of "
						     : "",
			    f->point + 1);
}

static int refuse_options(const struct found *f, const char *name, const char *value, const char *expected,
			  struct diag *d)
{
	struct arena *mem = &f->p->sweep->mem;
	const char *run = name_of_run(f, mem), *has = setting(mem, name, value),
		   *should = setting(mem, name, expected);

	if (!run || !has || !should)
		return diag_no_memory(d);
	return diag_err(d, -EINVAL,
			"--resume: %s: this is not the document of %s: its jobs have %s where those of the "
			"sweep have "
			"%s; " MOVE_IT,
			f->path, run, has, should);
}

static int check_globals(const struct found *f, const struct job_set *set, struct diag *d)
{
	static const struct user_options none;
	const struct user_options *l = set->has_globals ? &set->globals : &none;
	const struct result *r = f->found;
	const char *name = different(r->globals, r->nglobals, l);

	return name ? refuse_options(f, name, last_value(r->globals, r->nglobals, name), last_text(l, name),
				     d)
		    : 0;
}

/* Checks that an entry has the options of a job. That of a group has those of its last one. */
static int check_entry(const struct found *f, const struct job_set *set, const struct result_job *entry,
		       struct diag *d)
{
	const struct user_options *l = &set->jobs[0].own;
	const char *name;

	for (size_t i = set->njobs; i-- > 0;) {
		if (!different(entry->options, entry->noptions, &set->jobs[i].own))
			return 0;
		if (utf8_is_copy(entry->name, set->jobs[i].name))
			l = &set->jobs[i].own;
	}
	name = different(entry->options, entry->noptions, l);
	return refuse_options(f, name, last_value(entry->options, entry->noptions, name), last_text(l, name),
			      d);
}

static bool same_names(const struct result *r, const struct job_set *set)
{
	for (size_t i = 0; i < r->plan.njobs && i < set->njobs; i++)
		if (!utf8_is_copy(r->plan.jobs[i].name, set->jobs[i].name))
			return false;
	return r->plan.njobs == set->njobs;
}

/* Compares the document with the jobs that the sweep would run. */
static int check_jobs(void *ctx, struct job_set *set, const char *text, struct diag *d)
{
	const struct found *f = ctx;
	int err = 0;

	(void)text;
	if (strcmp(f->found->program, "fiord") != 0 || !same_names(f->found, set))
		return diag_err(
			d, -EINVAL,
			"--resume: %s: this is not a document of the sweep: it has other jobs; " MOVE_IT,
			f->path);
	err = check_globals(f, set, d);
	for (size_t i = 0; i < f->found->njobs && !err; i++)
		err = check_entry(f, set, f->found->jobs[i], d);
	return err;
}

static int check_document(struct found *f, const struct result *found, struct diag *d)
{
	char **arg = sweep_args(f->p, f->point, f->kind, NULL, 0);
	int err;

	f->found = found;
	err = arg ? sweep_jobs(f->p, f->kind, arg, check_jobs, f, d) : diag_no_memory(d);
	free(arg);
	return err;
}

/* ---- the files of the runs ---- */

int sweep_find_file(const char *path, bool *exists, struct diag *d)
{
	struct stat st;

	*exists = !lstat(path, &st);
	if (!*exists)
		return errno == ENOENT || errno == ENOTDIR
			       ? 0
			       : diag_err(d, -errno, "%s: %s", path, diag_errno(errno));
	if (S_ISREG(st.st_mode))
		return 0;
	return diag_err(d, -EINVAL, "%s: this is %s, which fiord sweep neither reads nor replaces; " MOVE_IT,
			path,
			S_ISLNK(st.st_mode)    ? "a symbolic link"
			: S_ISDIR(st.st_mode)  ? "a directory"
			: S_ISFIFO(st.st_mode) ? "a FIFO"
					       : "no regular file");
}

static bool ended_well(const struct result_set *set)
{
	return set->n == 1 && !set->res[0]->exit.code && !set->res[0]->exit.signal;
}

/* Stores in *complete whether the run has a document and need not run again. */
static int take_document(struct found *f, bool *complete, struct diag *d)
{
	struct result_set set = { 0 };
	struct diag own = { 0 };
	int err = result_read_file(&set, f->path, &own);

	if (err)
		diag_err(d, err, "--resume: %s; " MOVE_IT, diag_text(&own));
	diag_fini(&own);
	for (size_t i = 0; i < set.n && !err; i++)
		err = check_document(f, set.res[i], d);
	*complete = !err && ended_well(&set);
	if (*complete && f->kind == SWEEP_MAXIMUM)
		*complete = !sweep_take_maximum(f->p, &f->p->maximum[f->point], set.res[0]);
	result_set_free(&set);
	return err;
}

/* The rate of a point in percent is known only with its maximum. */
static int check_maximum(const struct found *f, struct diag *d)
{
	const struct sweep_points *p = f->p;
	size_t max = p->percent < p->sweep->matrix.ndims ? sweep_maximum_of(p, f->point) : 0;

	if (f->kind == SWEEP_MAXIMUM || f->kind == SWEEP_PRECONDITION ||
	    p->percent == p->sweep->matrix.ndims || p->maximum[max].known)
		return 0;
	return diag_err(
		d, -EINVAL,
		"--resume: %s: the document of its 100 %%, %s, is missing or not complete; put that back, "
		"or remove this one",
		f->path, p->maximum[max].run.file);
}

/* Looks at the file of a run. Without `resume` there must be none. */
static int look_at(struct found *f, bool resume, bool *complete, struct diag *d)
{
	bool exists;
	int err = sweep_find_file(f->path, &exists, d);

	*complete = false;
	if (err || !exists)
		return err;
	if (!resume)
		return diag_err(d, -EEXIST,
				"-d %s: %s exists, but the directory has no list of a sweep (sweep.json), so "
				"the file "
				"is not one of this sweep; " MOVE_IT,
				f->p->base.dir, f->path);
	err = check_maximum(f, d);
	return err ? err : take_document(f, complete, d);
}

static int look_at_run(struct sweep_points *p, size_t point, enum sweep_run_kind kind, struct sweep_run *run,
		       bool resume, struct diag *d)
{
	struct found f = { .p = p, .point = point, .kind = kind };

	run->file = run->file ? run->file : sweep_document(p, point, kind);
	f.path = run->file ? sweep_path(p, run->file) : NULL;
	return f.path ? look_at(&f, resume, &run->complete, d) : diag_no_memory(d);
}

static bool is_maximum(const struct sweep_points *p, size_t point)
{
	return p->percent < p->sweep->matrix.ndims && sweep_maximum_of(p, point) == point;
}

int sweep_check_files(struct sweep_points *p, bool resume, struct diag *d)
{
	int err = p->base.snia ? look_at_run(p, 0, SWEEP_PRECONDITION, &p->precondition.run, resume, d) : 0;

	for (size_t i = 0; i < p->sweep->npoints && !err; i++) {
		if (is_maximum(p, i))
			err = look_at_run(p, i, SWEEP_MAXIMUM, &p->maximum[i].run, resume, d);
		err = err ? err : look_at_run(p, i, SWEEP_POINT, &p->run[i], resume, d);
		if (!err && p->again)
			err = look_at_run(p, i, SWEEP_AGAIN, &p->again[i], resume, d);
	}
	return err;
}
