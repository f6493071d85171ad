#include "sweep_points.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "cmd.h"
#include "planning.h"
#include "read.h"
#include "sweep_args.h"
#include "sweep_child.h"
#include "sweep_list.h"

#define PERCENT_MAX 10000

static int no_memory(struct diag *d)
{
	return diag_kind(d, DIAG_RUN, -ENOMEM, "out of memory");
}

static int count_args(char *const *arg)
{
	int n = 0;

	while (arg[n])
		n++;
	return n;
}

/* ---- checks ---- */

/* Returns how long the jobs of a plan run by their run times, and whether they may end earlier. */
static uint64_t planned_ns(const struct plan *plan, bool *estimated)
{
	uint64_t total = 0;

	for (uint32_t wave = 0; wave < plan->nwaves; wave++) {
		uint64_t longest = 0;

		for (uint32_t i = 0; i < plan->njobs; i++) {
			const struct plan_job *j = &plan->jobs[i];
			const struct time_cfg *t = &j->job->opts.time;
			uint64_t ns = j->startdelay_ns + t->ramp_ns + t->runtime_ns + t->cooldown_ns;

			if (j->wave != wave)
				continue;
			*estimated |= !t->runtime_ns || !t->time_based;
			longest = t->runtime_ns && ns > longest ? ns : longest;
		}
		total += longest;
	}
	return total;
}

static void add_notes(struct strbuf *b, const struct notes *notes)
{
	for (size_t i = 0; i < notes->count; i++)
		strbuf_printf(b, "note: %s\n", notes->line[i]);
}

static int keep_notes(struct sweep_points *p, const struct plan *plan, struct diag *d)
{
	struct strbuf b = { 0 };
	bool failed;

	add_notes(&b, &plan->notes);
	add_notes(&b, &plan->overwrite_notes);
	if (b.len)
		p->notes = arena_strdup(&p->sweep->mem, strbuf_str(&b));
	failed = b.failed || (b.len && !p->notes);
	strbuf_fini(&b);
	return failed ? no_memory(d) : 0;
}

static int plan_first(struct sweep_points *p, const struct job_set *set, struct diag *d)
{
	struct planning *plan = calloc(1, sizeof(*plan));
	int err;

	if (!plan)
		return no_memory(d);
	err = planning_init(plan, set, d);
	if (!err) {
		p->duration_ns = planned_ns(&plan->plan, &p->estimated);
		err = keep_notes(p, &plan->plan, d);
	}
	diag_spell(d, set->speller);
	planning_fini(plan);
	free(plan);
	return err;
}

/* Refuses options of the run that the sweep itself sets. */
static int check_run_options(const struct job_set *set, struct diag *d)
{
	const struct run_opts *o = &set->run;

	if (o->output.path || o->nfiles)
		return diag_err(d, -EINVAL,
				"--output=%s: fiord sweep writes a document for each point to the "
				"directory of -d, and its report to -o",
				o->output.path ? o->output.path : o->files[0].path);
	if (o->formats & OUT_TERSE)
		return diag_err(
			d, -EINVAL,
			"--minimal, --append-terse, --output-format=terse: fiord sweep writes a JSON+ "
			"document for each point; leave them out");
	if (o->repeat > 1)
		return diag_err(d, -EINVAL,
				"--repeat=%u: fiord sweep runs each point once; leave --repeat out",
				o->repeat);
	if (o->showcmd || o->parse_only)
		return diag_err(d, -EINVAL, "--%s: use fiord sweep --dry-run, which lists the points",
				o->showcmd ? "showcmd" : "parse-only");
	return 0;
}

/* Returns a copy of the jobs without the line's end. A percentage stands in place of the rate by which its
   jobs were checked. */
static const char *jobs_text(struct sweep_points *p, size_t point, const char *text)
{
	int len = (int)strcspn(text, "\n");
	const char *rate = p->percent < p->sweep->matrix.dims ? strstr(text, SWEEP_ANY_RATE) : NULL;

	if (!rate || rate > text + len)
		return arena_strndup(&p->sweep->mem, text, (size_t)len);
	return arena_printf(&p->sweep->mem, "%.*s%s%.*s", (int)(rate - text), text,
			    p->sweep->point[point].value[p->percent],
			    len - (int)(rate - text) - (int)strlen(SWEEP_ANY_RATE),
			    rate + strlen(SWEEP_ANY_RATE));
}

static int parse_point(struct sweep_points *p, size_t point, char **arg, struct diag *d)
{
	struct job_set set = { 0 };
	struct cmdline c = { 0 };
	struct strbuf b = { 0 };
	int err = cmdline_parse(&c, &set, count_args(arg), arg, d);

	if (!err && c.verb != VERB_RUN)
		err = diag_err(d, -EINVAL,
			       "fiord sweep runs jobs; name a job file, or begin a job with --name=NAME");
	if (!err)
		err = check_run_options(&set, d);
	if (!err && p->percent < p->sweep->matrix.dims && set.njobs != 1)
		err = diag_err(d, -EINVAL,
			       "--sweep %s=...%%: percentages need a single job, but there are %zu; "
			       "give rates, or sweep one job at a time",
			       p->sweep->matrix.dim[p->percent].name, (size_t)set.njobs);
	if (!err && point == 0)
		err = plan_first(p, &set, d);
	if (!err) {
		cmdline_show(&set, &b);
		p->run[point].jobs = b.failed ? NULL : jobs_text(p, point, strbuf_str(&b));
		err = p->run[point].jobs ? 0 : no_memory(d);
	}
	strbuf_fini(&b);
	job_set_fini(&set);
	return err;
}

/* Lets a child process translate a preset or a DISKSPD line into jobs. */
static int translate_point(struct sweep_points *p, size_t point, char **arg, struct diag *d)
{
	struct sweep_output out = { -1, -1 };
	struct strbuf b = { 0 };
	struct sweep_wait w;
	int status = 0, err, late;

	sweep_wait_begin(&w);
	err = sweep_child(&p->signal, &w, arg, &status, &out, d);
	late = sweep_wait_end(&w);
	p->signal = p->signal ? p->signal : late;
	if (!err && p->signal)
		err = diag_err(d, -EINTR, "signal %d ended the sweep", p->signal);
	if (!err && status) {
		const char *why = sweep_child_error(&p->sweep->mem, &out, status);

		err = diag_err(d, -EINVAL, "%s", why ? why : "out of memory");
	}
	if (!err && (lseek(out.text, 0, SEEK_SET) || sweep_read_fd(out.text, &b) ||
		     !(p->run[point].jobs = arena_strdup(&p->sweep->mem, strbuf_str(&b)))))
		err = no_memory(d);
	strbuf_fini(&b);
	sweep_output_close(&out);
	return err;
}

static int check_point(struct sweep_points *p, size_t point, struct diag *d)
{
	const char *const extra[] = { sweep_is_verb(p, "diskspd") ? "--to-job" : "--showcmd" };
	bool jobs = !sweep_is_verb(p, "diskspd") && !sweep_is_verb(p, "preset");
	char **arg = sweep_args(p, point, SWEEP_POINT, extra, !jobs);
	int err;

	p->run[point].file = sweep_document(p, point, SWEEP_POINT);
	if (!arg || !p->run[point].file)
		err = no_memory(d);
	else
		err = jobs ? parse_point(p, point, arg, d) : translate_point(p, point, arg, d);
	if (err && p->sweep->points > 1)
		diag_wrap(d, "point %zu", point + 1);
	free(arg);
	return err;
}

static bool is_percentage(const char *text)
{
	char *end;
	double percent = strtod(text, &end);

	return percent >= 0.01 && percent <= PERCENT_MAX && !strcmp(end, "%");
}

static int find_percent(struct sweep_points *p, struct diag *d)
{
	const struct sweep_matrix *m = &p->sweep->matrix;

	for (p->percent = 0; p->percent < m->dims; p->percent++)
		if (m->dim[p->percent].percent && (!strcmp(m->dim[p->percent].name, "rate_iops") ||
						   !strcmp(m->dim[p->percent].name, "rate")))
			break;
	for (size_t k = 0; k < m->dims && p->percent < m->dims; k++)
		for (size_t i = 0; k == p->percent && i < m->dim[k].value.n; i++)
			if (!is_percentage(m->dim[k].value.v[i]))
				return diag_err(d, -EINVAL,
						"--sweep %s: %s: give a percentage from 0.01%% to %d%%",
						m->dim[k].name, m->dim[k].value.v[i], PERCENT_MAX);
	return 0;
}

int sweep_points_check(struct sweep_points *p, struct diag *d)
{
	int err = 0;

	if (find_percent(p, d))
		return d->err;
	p->run = arena_array(&p->sweep->mem, p->sweep->points, sizeof(*p->run));
	p->maximum = arena_array(&p->sweep->mem, p->sweep->points, sizeof(*p->maximum));
	if (!p->run || !p->maximum)
		return no_memory(d);
	for (size_t i = 0; i < p->sweep->points && !err; i++)
		err = check_point(p, i, d);
	return err;
}

size_t sweep_points_runs(const struct sweep_points *p)
{
	size_t n = p->sweep->points;

	return p->percent < p->sweep->matrix.dims ? n + n / p->sweep->matrix.dim[p->percent].value.n : n;
}

/* ---- sweep= lines of job files ---- */

static bool in_matrix(const struct sweep_matrix *m, const char *line)
{
	size_t len = strcspn(line, "=");

	for (size_t k = 0; k < m->dims; k++)
		if (strlen(m->dim[k].name) == len && !strncmp(m->dim[k].name, line, len))
			return true;
	return false;
}

static int add_job_lines(struct sweep_points *p, const struct job_set *set, struct diag *d)
{
	const char *text = set->njobs ? set->jobs[0].opts.sweep : NULL;
	char *lines, *save = NULL;
	size_t given = p->sweep->matrix.dims;
	int err = 0;

	for (size_t i = 1; i < set->njobs; i++)
		if (strcmp(set->jobs[i].opts.sweep ? set->jobs[i].opts.sweep : "", text ? text : ""))
			return diag_err(
				d, -EINVAL,
				"sweep=: move the line from its section to [global], because all jobs "
				"are swept together");
	if (!text)
		return 0;
	lines = arena_strdup(&p->sweep->mem, text);
	if (!lines)
		return no_memory(d);
	for (char *line = strtok_r(lines, "\n", &save); line && !err; line = strtok_r(NULL, "\n", &save)) {
		struct sweep_matrix first = p->sweep->matrix; /* the options of the command line */

		first.dims = given;
		if (!in_matrix(&first, line))
			err = sweep_matrix_add(&p->sweep->matrix, line, d);
	}
	return err;
}

int sweep_points_add_lines(struct sweep_points *p, struct diag *d)
{
	struct job_set set = { 0 };
	struct cmdline c = { 0 };
	char **arg;
	int err;

	if (sweep_is_verb(p, "diskspd") || sweep_is_verb(p, "preset") || !p->base.args)
		return 0;
	arg = calloc(p->base.args + 2, sizeof(*arg));
	if (!arg)
		return no_memory(d);
	arg[0] = (char *)"fiord";
	memcpy(arg + 1, p->base.arg, p->base.args * sizeof(*arg));
	err = cmdline_parse(&c, &set, count_args(arg), arg, d);
	err = err ? err : add_job_lines(p, &set, d);
	job_set_fini(&set);
	free(arg);
	return err;
}

/* ---- runs ---- */

/* Reads the figures of a document. A point without a readable one has failed. */
static int add_document(struct sweep_points *p, size_t point, struct diag *d)
{
	struct sweep_point *sp = &p->sweep->point[point];
	struct result_set set = { 0 };
	struct diag own = { 0 };
	const char *path = sweep_path(p, p->run[point].file);
	int err = 0;

	sp->source = p->run[point].file;
	if (!path)
		err = no_memory(d);
	else if (!result_read_file(&set, path, &own) && set.n)
		err = sweep_add_result(p->sweep, point, set.res[0], d);
	else if (sp->state == SWEEP_DONE) {
		sp->state = SWEEP_FAILED;
		sp->error = arena_strdup(&p->sweep->mem, diag_text(&own));
	}
	diag_fini(&own);
	result_set_free(&set);
	return err;
}

/* Runs one of the runs of a point. *error is NULL if it ended well. Returns 0 or -errno with d. */
static int run_one(struct sweep_points *p, const struct sweep_wait *w, size_t point, enum sweep_which which,
		   const char *file, const char **error, struct diag *d)
{
	char *path = sweep_path(p, file);
	const char *extra[] = { "--eta=never", "--output-format=json+", "--output", path };
	char **arg = path ? sweep_args(p, point, which, extra, sizeof(extra) / sizeof(*extra)) : NULL;
	struct sweep_output out = { -1, -1 };
	int status = 0;
	int err = arg ? sweep_child(&p->signal, w, arg, &status, &out, d) : no_memory(d);

	*error = NULL;
	if (!err && status) {
		*error = sweep_child_error(&p->sweep->mem, &out, status);
		err = *error ? 0 : no_memory(d);
	}
	sweep_output_close(&out);
	free(arg);
	return err;
}

/* Takes 100 % from the result of the run without a rate. */
static int take_maximum(struct sweep_points *p, struct sweep_maximum *max, const struct result *res)
{
	bool bytes = !strcmp(p->sweep->matrix.dim[p->percent].name, "rate");

	max->clones = 0;
	for (size_t i = 0; i < res->jobs; i++) {
		max->clones += res->job[i]->members ? res->job[i]->members : 1;
		for (unsigned dir = 0; dir < DIR_DATA; dir++) {
			const struct summary_dir *sd = &res->job[i]->sum.dir[dir];

			max->rate[dir] += bytes ? (double)sd->bw_bytes : sd->iops;
		}
	}
	max->known = max->clones > 0;
	return max->known ? 0 : -ENODATA;
}

/* Finds the maximum that a point's percentage refers to, unless it is known. */
static int find_maximum(struct sweep_points *p, const struct sweep_wait *w, size_t point, struct diag *d)
{
	struct sweep_maximum *max = &p->maximum[sweep_maximum_of(p, point)];
	struct result_set set = { 0 };
	struct diag own = { 0 };
	const char *path;
	int err = 0;

	if (max->known || max->error)
		return 0;
	max->run.file = sweep_document(p, sweep_maximum_of(p, point), SWEEP_MAXIMUM);
	path = max->run.file ? sweep_path(p, max->run.file) : NULL;
	if (!path)
		return no_memory(d);
	if (!p->base.resume || !sweep_document_complete(path))
		err = run_one(p, w, point, SWEEP_MAXIMUM, max->run.file, &max->error, d);
	if (!err && !max->error &&
	    (result_read_file(&set, path, &own) || !set.n || take_maximum(p, max, set.res[0])))
		max->error = "its document has no figures";
	diag_fini(&own);
	result_set_free(&set);
	return err;
}

static int run_point(struct sweep_points *p, const struct sweep_wait *w, size_t point, struct diag *d)
{
	struct sweep_point *sp = &p->sweep->point[point];
	int err = p->percent < p->sweep->matrix.dims ? find_maximum(p, w, point, d) : 0;

	if (err || p->signal)
		return err;
	if (p->percent < p->sweep->matrix.dims && p->maximum[sweep_maximum_of(p, point)].error) {
		sp->error = arena_printf(&p->sweep->mem, "100 %% could not be measured: %s",
					 p->maximum[sweep_maximum_of(p, point)].error);
		err = sp->error ? 0 : no_memory(d);
	} else {
		err = run_one(p, w, point, SWEEP_POINT, p->run[point].file, &sp->error, d);
	}
	if (p->signal)
		sp->error = "interrupted";
	sp->state = sp->error ? SWEEP_FAILED : SWEEP_DONE;
	return err;
}

static void show_progress(const struct sweep_points *p, size_t point)
{
	fprintf(stderr, "\r\033[Kpoint %zu of %zu:", point + 1, p->sweep->points);
	for (size_t k = 0; k < p->sweep->matrix.dims; k++)
		fprintf(stderr, " %s=%s", p->sweep->matrix.dim[k].name, p->sweep->point[point].value[k]);
	fflush(stderr);
}

int sweep_points_run(struct sweep_points *p, struct diag *d)
{
	bool terminal = isatty(STDERR_FILENO);
	struct sweep_wait w;
	int err = 0;

	sweep_wait_begin(&w);
	for (size_t i = 0; i < p->sweep->points && !err; i++) {
		if (p->run[i].complete) {
			p->sweep->point[i].state = SWEEP_DONE;
		} else if (!p->signal) {
			if (terminal)
				show_progress(p, i);
			err = run_point(p, &w, i, d);
		}
		if (!err && p->sweep->point[i].state != SWEEP_WAITING)
			err = add_document(p, i, d);
	}
	if (terminal)
		fputs("\r\033[K", stderr);
	sweep_wait_end(&w);
	return err;
}
