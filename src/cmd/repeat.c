#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>
#include "cmd.h"
#include "session.h"
#include "target.h"
#include "vec.h"

struct repeat {
	const struct job_set *set;
	struct planning first;    /* knows which files were missing before the first run */
	VEC(struct result *) res; /* of the runs so far, if a file beside the output has them */
	bool files_written;
	struct notes printed; /* notes that stand on the terminal */
};

static int out_of_memory(struct diag *d)
{
	diag_no_memory(d);
	return EXIT_JOB;
}

/* Keeps the result for the reports of all runs, without the parts that point into the session. */
static int store_result(struct repeat *r, struct result *res)
{
	struct result *copy;

	copy = result_files_any(&r->set->run) ? malloc(sizeof(*copy)) : NULL;
	if (!copy) {
		result_free(res);
		return result_files_any(&r->set->run) ? -ENOMEM : 0;
	}
	*copy = *res;
	copy->statuses = (struct result_statuses){ 0 };
	copy->spans = NULL;
	if (VEC_PUSH(&r->res, copy))
		return 0;
	result_free(copy);
	free(copy);
	return -ENOMEM;
}

static int run_session(struct repeat *r, struct session *s, struct diag *d)
{
	struct result res = { 0 };
	int code;

	if (session_open(s, d) || session_run(s, d)) {
		progress_display_end(&s->display.progress);
		return cmd_refuse(s->planning->set, d->kind == DIAG_OUTPUT ? EXIT_OUTPUT : EXIT_JOB, d);
	}
	session_collect(s, &res, d);
	r->files_written = session_writes_files(s, &res);
	code = session_write(s, &res, d);
	return store_result(r, &res) ? out_of_memory(d) : code;
}

static int run_planned(struct repeat *r, struct planning *planning, unsigned number, struct diag *d)
{
	struct session *s = calloc(1, sizeof(*s));
	unsigned runs = r->set->run.repeat;
	int code;

	if (!s)
		return out_of_memory(d);
	session_init(s, planning);
	if (runs > 1)
		s->repeat = (struct session_runs){ number, runs, (void *)r->res.v, &r->printed };
	code = run_session(r, s, d);
	session_fini(s);
	free(s);
	return code;
}

/* Removes a file that a run has created. A file without fiord's mark may belong to another program that has
   put it there during the run. */
static int remove_file(const char *path, struct diag *d)
{
	int fd = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	bool ours = fd >= 0 && target_has_mark(fd);

	if (fd >= 0)
		close(fd);
	if (!ours)
		return diag_kind(
			d, DIAG_TARGET, -EEXIST,
			"%s: --repeat does not remove this file, because it lacks the mark " TARGET_MARK
			" of files that fiord created; no further run follows",
			path);
	if (unlink(path))
		return diag_kind(d, DIAG_RUN, -errno,
				 "%s: this file of the previous run cannot be removed: %s", path,
				 diag_errno(errno));
	return 0;
}

/* Removes the files that the runs so far have created. */
static int remove_files(const struct plan *p, struct diag *d)
{
	int err = 0;

	for (uint32_t i = 0; i < p->ntargets && !err; i++) {
		const struct plan_target *t = &p->targets[i];
		struct stat st;

		if (t->facts->type == TARGET_MISSING && t->path && !lstat(t->path, &st) &&
		    S_ISREG(st.st_mode))
			err = remove_file(t->path, d);
	}
	return err;
}

static int run_again(struct repeat *r, unsigned number, struct diag *d)
{
	struct planning *planning = calloc(1, sizeof(*planning));
	int code;

	if (!planning)
		return out_of_memory(d);
	if (remove_files(&r->first.plan, d) || planning_init(planning, r->set, d))
		code = cmd_refuse(r->set, cmd_code(d), d);
	else
		code = run_planned(r, planning, number, d);
	planning_fini(planning);
	free(planning);
	return code;
}

/* Writes the files beside the output if no run has done so. */
static void write_files(const struct repeat *r)
{
	struct diag d = { 0 };

	if (!r->files_written && r->res.n && result_files_write(&r->set->run, r->res.v, r->res.n, &d))
		fprintf(stderr, "%s: %s\n", cmd_name(r->set), diag_text(&d));
	diag_fini(&d);
}

static int run_all(struct repeat *r, struct diag *d)
{
	unsigned runs = r->set->run.repeat ? r->set->run.repeat : 1, number = 1;
	int code = run_planned(r, &r->first, number, d);

	while (code == EXIT_OK && number < runs)
		code = run_again(r, ++number, d);
	if (code != EXIT_OK && number < runs)
		fprintf(stderr, "%s: run %u of %u is the last one, because it failed or was interrupted\n",
			cmd_name(r->set), number, runs);
	write_files(r);
	return code;
}

int repeat_run(const struct job_set *set, struct diag *d)
{
	struct repeat *r = calloc(1, sizeof(*r));
	int code;

	if (!r)
		return out_of_memory(d);
	r->set = set;
	if (planning_init(&r->first, set, d))
		code = cmd_refuse(set, cmd_code(d), d);
	else
		code = run_all(r, d);
	for (size_t i = 0; i < r->res.n; i++) {
		result_free(r->res.v[i]);
		free(r->res.v[i]);
	}
	free(r->res.v);
	notes_fini(&r->printed);
	planning_fini(&r->first);
	free(r);
	return code;
}
