/* check_outputs.c: refuses outputs of a run that would replace targets, job files or devices. */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "command_output.h"
#include "check_outputs.h"
#include "cmd.h"
#include "replay.h"
#include "trace_paths.h"
#include "iobuf.h"
#include "target.h"
#include "outfile.h"
#include "vec.h"

bool check_is_target(const struct plan *p, const struct target_facts *f, const char *path)
{
	char linked[PATH_MAX];
	struct target_facts there;

	if (f->type == TARGET_MISSING && f->symlink && !target_name_follow(path, linked, sizeof(linked))) {
		target_probe(&there, linked); /* the file that a write through the link would create */
		return check_is_target(p, &there, linked);
	}
	for (uint32_t i = 0; i < p->ntargets; i++) {
		const struct plan_target *t = &p->targets[i];

		if (t->facts->type != f->type)
			continue;
		if (f->type == TARGET_FILE && t->facts->dev == f->dev && t->facts->ino == f->ino)
			return true;
		if (f->type == TARGET_MISSING && t->path && t->facts->dir_ino &&
		    !target_missing_cmp(t->facts, t->path, f, path))
			return true;
	}
	return false;
}

static bool is_job_file(const struct job_set *set, const struct target_facts *f)
{
	struct stat st;

	for (size_t i = 0; i < set->njobs; i++)
		if (!stat(set->jobs[i].at.file, &st) && st.st_dev == f->dev && st.st_ino == f->ino)
			return true;
	return false;
}

/* Returns whether the file is a part of a trace that a job replays. */
static bool is_replayed(const struct job_set *set, const struct target_facts *f)
{
	const struct stat st = { .st_dev = f->dev, .st_ino = f->ino };

	for (size_t i = 0; i < set->njobs; i++) {
		const struct replay_facts *r = set->jobs[i].opts.replay.facts;

		if (r && trace_paths_have(r->source.path, r->source.paths, &st))
			return true;
	}
	return false;
}

/* The files that take the result. */
struct output_file {
	const char *option, *path; /* path: NULL if the option is not given */
	bool replaceable;          /* must be a regular file: it is replaced at once */
	const char *file;          /* what is written: path, or the missing file that its links lead to */
	struct target_facts facts; /* of that file */
	char linked[PATH_MAX];
};
struct output_files {
	struct output_file *file;
	size_t n;
};

static bool same_file(const char *a, const struct target_facts *f, const char *b,
		      const struct target_facts *g)
{
	if (f->type != g->type)
		return false;
	if (f->type == TARGET_FILE)
		return f->dev == g->dev && f->ino == g->ino;
	return f->type == TARGET_MISSING && !target_missing_cmp(f, a, g, b);
}

/* Returns the option whose file this is, or NULL. */
static const char *output_file_option(const struct output_files *r, const char *path,
				      const struct target_facts *f)
{
	for (size_t i = 0; i < r->n; i++)
		if (same_file(r->file[i].file, &r->file[i].facts, path, f))
			return r->file[i].option;
	return NULL;
}

static void probe_output_file(struct output_file *r)
{
	r->file = r->path;
	target_probe(&r->facts, r->path);
	if (r->facts.type == TARGET_MISSING && r->facts.symlink &&
	    !target_name_follow(r->path, r->linked, sizeof(r->linked))) {
		r->file = r->linked;
		target_probe(&r->facts, r->linked);
	}
}

/* Returns whether the path is standard output, which has other text. /dev/null may have everything. */
static bool is_stdout_in_use(const struct run_opts *o, const char *path)
{
	bool lines = o->live && !strcmp(o->live, "-"), report = !o->output.path && o->output.formats;
	struct stat out, st;

	if (!(lines || report) || fstat(STDOUT_FILENO, &out) || stat(path, &st))
		return false;
	return st.st_dev == out.st_dev && st.st_ino == out.st_ino &&
	       (!S_ISCHR(out.st_mode) || isatty(STDOUT_FILENO));
}

/* Returns why a run must not write the file, or NULL. */
static const char *why_protected(const struct plan *p, const struct target_facts *f, const char *path)
{
	if (check_is_target(p, f, path))
		return "this is a target of the jobs";
	if (f->type != TARGET_FILE)
		return NULL;
	if (f->in_use)
		return f->refusal;
	if (is_job_file(p->set, f))
		return "this is the job file";
	return is_replayed(p->set, f) ? "this is the trace of a job; name another file" : NULL;
}

static int check_output_file(const struct plan *p, const struct output_file *r, struct diag *d)
{
	const struct target_facts *f = &r->facts;
	const char *why;

	if (f->type == TARGET_MISSING && !f->error && f->in_dev)
		return diag_err(d, -EINVAL, "--%s=%s: no such device, and fiord creates no files below /dev",
				r->option, r->path);
	if (is_stdout_in_use(&p->set->run, r->path))
		return diag_err(
			d, -EINVAL,
			"--%s=%s: this is standard output, which has other text already; name another "
			"file",
			r->option, r->path);
	why = why_protected(p, f, r->file);
	if (why)
		return diag_err(d, -EINVAL, "--%s=%s: %s", r->option, r->path, why);
	if (r->replaceable && f->type != TARGET_FILE && f->type != TARGET_MISSING && f->type != TARGET_DIR)
		return diag_err(d, -EINVAL, "--%s=%s: this is not a regular file", r->option, r->path);
	return outfile_check(r->option, r->path, d);
}

/* Lists the files of the options. Returns 0 or -ENOMEM with d. */
static int list_output_files(const struct plan *p, struct output_files *r, struct diag *d)
{
	const struct run_opts *o = &p->set->run;
	struct output_file *f = r->file = calloc(o->nfiles + p->njobs + 6, sizeof(*r->file));

	if (!f)
		return diag_no_memory(d);
	if (o->output.path)
		*f++ = (struct output_file){ .option = "output", .path = o->output.path };
	for (size_t i = 0; i < o->nfiles; i++)
		*f++ = (struct output_file){ .option = "output", .path = o->files[i].path };
	if (o->report)
		*f++ = (struct output_file){ .option = "report", .path = o->report, .replaceable = true };
	if (o->csv)
		*f++ = (struct output_file){ .option = "csv", .path = o->csv, .replaceable = true };
	if (o->junit)
		*f++ = (struct output_file){ .option = "junit", .path = o->junit, .replaceable = true };
	if (o->live && strcmp(o->live, "-") != 0)
		*f++ = (struct output_file){ .option = "live", .path = o->live };
	if (o->prometheus)
		*f++ = (struct output_file){ .option = "prometheus",
					     .path = o->prometheus,
					     .replaceable = true };
	for (uint32_t i = 0; i < p->njobs; i++)
		if (merged_traces_file(p, i))
			*f++ = (struct output_file){ .option = "merge_blktrace_file",
						     .path = merged_traces_file(p, i),
						     .replaceable = true };
	r->n = (size_t)(f - r->file);
	return 0;
}

/* Checks the files, and compares each with those before it. */
static int check_output_files(const struct plan *p, struct output_files *r, struct diag *d)
{
	struct output_files before = { r->file, 0 };
	int ret = 0;

	for (; before.n < r->n && !ret; before.n++) {
		struct output_file *f = &r->file[before.n];
		const char *other;

		probe_output_file(f);
		other = output_file_option(&before, f->file, &f->facts);
		ret = check_output_file(p, f, d);
		if (!ret && other && other == f->option && !strcmp(other, "output"))
			ret = diag_err(d, -EINVAL,
				       "--%s: %s is the file of two formats; give each a file of its own",
				       f->option, f->path);
		else if (!ret && other)
			ret = diag_err(d, -EINVAL, "--%s=%s: --%s has the same file", f->option, f->path,
				       other);
	}
	return ret;
}

static int check_trigger(const struct plan *p, const struct output_files *files, struct diag *d)
{
	const char *file = p->set->run.trigger.file, *option;
	struct target_facts f;

	if (!file)
		return 0;
	target_probe(&f, file);
	if (check_is_target(p, &f, file))
		return diag_err(d, -EINVAL, "--trigger-file=%s: this is a target of the jobs", file);
	option = output_file_option(files, file, &f);
	if (option)
		return diag_err(d, -EINVAL, "--trigger-file=%s: --%s has the same file", file, option);
	if (f.type == TARGET_MISSING && !f.symlink)
		return 0;
	/* The run removes only a trigger file that appears later. */
	return diag_err(d, -EINVAL,
			"--trigger-file=%s: exists already, and would end the run at once; remove it first",
			file);
}

/* Checks the file that takes the output of `option`. */
static int check_aux(const struct plan *p, const struct plan_job *pj, const char *option, const char *what,
		     struct diag *d)
{
	const struct command_output output = { p->set->run.aux_path, pj->job->name, pj->clone, what,
					       p->set->run.rank_name };
	struct target_facts f;
	char path[PATH_MAX];
	int ret;

	ret = command_output_path(path, sizeof(path), &output);
	if (ret)
		return diag_err(d, ret, "[%.80s]: %s: the name of its output is too long", pj->job->name,
				option);
	target_probe(&f, path);
	if (check_is_target(p, &f, path))
		return diag_err(d, -EINVAL, "[%s]: %s: its output goes to %s, which is a target of the jobs",
				pj->job->name, option, path);
	if (f.symlink)
		return diag_err(d, -ELOOP, "[%s]: %s: its output goes to %s, which is a symbolic link",
				pj->job->name, option, path);
	return f.error ? 0 : target_may_write(&f, path, &p->allow, d);
}

/* fiord does not create the directory. The check comes now so that writes do not fail during the run. */
static int check_aux_path(const struct run_opts *o, struct diag *d)
{
	struct stat st;

	if (!o->aux_path)
		return 0;
	if (stat(o->aux_path, &st))
		return diag_err(d, -errno, "--aux-path=%s: %s", o->aux_path, diag_errno(errno));
	if (!S_ISDIR(st.st_mode))
		return diag_err(d, -ENOTDIR, "--aux-path=%s: is not a directory", o->aux_path);
	return 0;
}

struct seen_log {
	const char *path;
	bool shared; /* jobs may share the file */
	dev_t dev;
	ino_t ino;
};

/* Logs that exist already, to be sorted by inode. */
struct seen_logs {
	struct seen_log *v;
	size_t n, cap;
	const struct output_files *files;
};

static int same_log(const void *a, const void *b)
{
	const struct seen_log *x = a, *y = b;

	if (x->dev != y->dev)
		return x->dev < y->dev ? -1 : 1;
	return x->ino < y->ino ? -1 : x->ino > y->ino;
}

/* Checks a log of a job, or of the whole run if pj is NULL. The run truncates existing files; pipes and
   character devices are allowed. */
static int check_log(const struct plan *p, const struct plan_job *pj, const char *path, bool shared,
		     struct seen_logs *seen, struct diag *d)
{
	const char *owner = pj ? pj->job->name : "--bandwidth-log", *option, *why;
	struct target_facts f;

	target_probe(&f, path);
	if (f.error)
		return diag_err(d, f.error, "[%s]: log %s: %s", owner, path, diag_errno(f.error));
	if (f.type == TARGET_MISSING && f.in_dev)
		return diag_err(d, -EINVAL, "[%s]: log %s: fiord creates no files below /dev", owner, path);
	if (f.type == TARGET_MISSING && f.parent_missing)
		return diag_err(d, -ENOENT, "[%s]: log %s: its directory does not exist", owner, path);
	if (f.type == TARGET_BLOCK || f.type == TARGET_DIR)
		return diag_err(d, -EINVAL, "[%s]: log %s: is a %s", owner, path,
				f.type == TARGET_DIR ? "directory" : "block device");
	if (f.symlink && (f.type == TARGET_FILE || f.type == TARGET_MISSING))
		return diag_err(d, -EINVAL,
				"[%s]: log %s: is a symbolic link, and the file behind it would lose its "
				"content; name the file itself, or remove the link",
				owner, path);
	why = why_protected(p, &f, path);
	if (why)
		return diag_err(d, -EINVAL, "[%s]: log %s: %s", owner, path, why);
	option = output_file_option(seen->files, path, &f);
	if (option)
		return diag_err(d, -EINVAL, "[%s]: log %s: --%s has the same file", owner, path, option);
	if (f.type != TARGET_MISSING && access(path, W_OK))
		return diag_err(d, -errno, "[%s]: log %s: %s", owner, path, diag_errno(errno));
	if (f.type == TARGET_FILE && !VEC_PUSH(seen, (struct seen_log){ path, shared, f.dev, f.ino }))
		return diag_err(d, -ENOMEM, "out of memory");
	return 0;
}

/* Refuses two names of one file, which would mix the lines of both logs. */
static int check_seen(struct seen_logs *seen, struct diag *d)
{
	if (seen->n)
		qsort(seen->v, seen->n, sizeof(*seen->v), same_log);
	for (size_t i = 1; i < seen->n; i++) {
		const struct seen_log *a = &seen->v[i - 1], *b = &seen->v[i];

		if (same_log(a, b) == 0 && !(a->shared && b->shared && !strcmp(a->path, b->path)))
			return diag_err(d, -EINVAL, "logs %s and %s: are the same file", a->path, b->path);
	}
	return 0;
}

static int check_logs(const struct plan *p, const struct output_files *files, struct diag *d)
{
	struct seen_logs seen = { .files = files };
	int ret = 0;

	for (uint32_t i = 0; i < p->njobs && !ret; i++)
		for (int k = 0; p->jobs[i].logs && k < LOG_KINDS && !ret; k++)
			if (p->jobs[i].logs->path[k])
				ret = check_log(p, &p->jobs[i], p->jobs[i].logs->path[k],
						k == LOG_IOLOG || !p->jobs[i].job->opts.log.per_job, &seen,
						d);
	for (int k = 0; k < DIR_DATA && !ret; k++)
		if (p->bandwidth_log[k])
			ret = check_log(p, NULL, p->bandwidth_log[k], false, &seen, d);
	ret = ret ? ret : check_seen(&seen, d);
	free(seen.v);
	return ret;
}

static int check_memory(const struct plan *p, const struct plan_job *pj, struct diag *d)
{
	const struct mem_source *m = &pj->memory.source;
	struct target_facts f;

	if (!m->file)
		return 0;
	target_probe(&f, m->file);
	if (m->kind == MEM_MMAPSHARED && check_is_target(p, &f, m->file))
		return diag_err(d, -EINVAL, "[%s]: mem=mmapshared:%s: this is a target of the jobs",
				pj->job->name, m->file);
	return memfile_check(&pj->memory, &p->allow, d);
}

static int check_program_output(const struct plan *p, const struct plan_job *pj, struct diag *d)
{
	char option[64];
	int ret;

	snprintf(option, sizeof(option), "ioengine=%s", pj->job->engine->name);
	ret = check_aux(p, pj, option, "stdout", d);
	return ret ? ret : check_aux(p, pj, option, "stderr", d);
}

static int check_job(const struct plan *p, const struct plan_job *pj, struct diag *d)
{
	const struct group_cfg *g = &pj->job->opts.group;
	int ret = 0;

	if (g->exec_prerun)
		ret = check_aux(p, pj, "exec_prerun", "prerun.txt", d);
	if (!ret && g->exec_postrun)
		ret = check_aux(p, pj, "exec_postrun", "postrun.txt", d);
	if (!ret && pj->job->engine->caps & ENG_RUNS_PROGRAM)
		ret = check_program_output(p, pj, d);
	if (!ret)
		ret = check_verify_state(p, pj, d);
	return ret ? ret : check_memory(p, pj, d);
}

int check_outputs(const struct plan *p, struct diag *d)
{
	struct output_files files;
	int ret = list_output_files(p, &files, d);

	if (!ret)
		ret = check_output_files(p, &files, d);
	if (!ret)
		ret = check_aux_path(&p->set->run, d);
	if (!ret)
		ret = check_trigger(p, &files, d);
	for (uint32_t i = 0; i < p->njobs && !ret; i++)
		ret = check_job(p, &p->jobs[i], d);
	ret = ret ? ret : check_logs(p, &files, d);
	ret = ret ? ret : merged_traces_check(p, d);
	free(files.file);
	return ret;
}
