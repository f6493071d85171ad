/* sweep_check.c: what is checked before the first point: the values, the jobs of all points, and the targets
   of the first. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "strbuf.h"
#include "sweep_list.h"
#include "sweep_points.h"
#include "sweep_snia.h"

#define PERCENT_MAX 10000

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
			*estimated |= !t->runtime_ns || !t->time_based || j->job->opts.steady.duration_ns;
			longest = t->runtime_ns && ns > longest ? ns : longest;
		}
		total += longest;
	}
	return total;
}

static void put_note_lines(struct strbuf *b, const struct notes *notes)
{
	for (size_t i = 0; i < notes->count; i++)
		strbuf_printf(b, "note: %s\n", notes->line[i]);
}

static int keep_notes(struct sweep_points *p, struct plan *plan, struct diag *d)
{
	struct strbuf b = { 0 };
	bool failed;

	notes_spell(&plan->notes, plan->set->speller);
	notes_spell(&plan->overwrite_notes, plan->set->speller);
	put_note_lines(&b, &plan->notes);
	put_note_lines(&b, &plan->overwrite_notes);
	if (b.len)
		p->sweep->plan_notes = arena_strdup(&p->sweep->mem, strbuf_str(&b));
	failed = b.failed || (b.len && !p->sweep->plan_notes);
	strbuf_fini(&b);
	return failed ? diag_no_memory(d) : 0;
}

static int take_first(void *ctx, struct plan *plan, struct diag *d)
{
	struct sweep_points *p = ctx;

	p->duration_ns = planned_ns(plan, &p->duration_is_max);
	return keep_notes(p, plan, d) ? d->err : sweep_snia_take_targets(p, plan, d);
}

/* Each point is a process, which reads the trace again. */
static int refuse_stream(const struct job_set *set, struct diag *d)
{
	return set->streams ? diag_err(d, -EINVAL,
				       "{read_iolog}: each point reads the trace, so it cannot be a stream; "
				       "save it in a file")
			    : 0;
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
	if (o->live || o->prometheus)
		return diag_err(d, -EINVAL,
				"--%s=%s: each point would replace the file; leave the option out",
				o->live ? "live" : "prometheus", o->live ? o->live : o->prometheus);
	if (o->junit)
		return diag_err(d, -EINVAL,
				"--junit=%s: each point would replace the file; use fiord report --assert "
				"--junit on the documents of the points",
				o->junit);
	if (o->showcmd || o->parse_only)
		return diag_err(d, -EINVAL, "--%s: use fiord sweep --dry-run, which lists the points",
				o->showcmd ? "showcmd" : "parse-only");
	return 0;
}

/* Returns a copy of the first line of the jobs. The percentage replaces the rate with which they were
   checked (SWEEP_ANY_RATE). */
static const char *jobs_text(struct sweep_points *p, size_t point, const char *text)
{
	int len = (int)strcspn(text, "\n");
	const char *rate = p->percent < p->sweep->matrix.ndims ? strstr(text, SWEEP_ANY_RATE) : NULL;

	if (!rate || rate > text + len)
		return arena_strndup(&p->sweep->mem, text, (size_t)len);
	return arena_printf(&p->sweep->mem, "%.*s%s%.*s", (int)(rate - text), text,
			    p->sweep->points[point].value[p->percent],
			    len - (int)(rate - text) - (int)strlen(SWEEP_ANY_RATE),
			    rate + strlen(SWEEP_ANY_RATE));
}

/* The point whose jobs are checked. */
struct checked {
	struct sweep_points *p;
	size_t point;
};

static int check_jobs(void *ctx, struct job_set *set, const char *text, struct diag *d)
{
	struct sweep_points *p = ((struct checked *)ctx)->p;
	size_t point = ((struct checked *)ctx)->point;
	struct strbuf b = { 0 };
	int err = check_run_options(set, d);

	err = err ? err : refuse_stream(set, d);
	if (!err && p->percent < p->sweep->matrix.ndims && set->njobs != 1)
		err = diag_err(d, -EINVAL,
			       "--sweep %s=...%%: percentages need a single job, but there are %zu; "
			       "give rates, or sweep one job at a time",
			       p->sweep->matrix.dims[p->percent].name, (size_t)set->njobs);
	if (!err && point == 0) {
		err = p->base.verbs->plan(set, take_first, p, d);
		diag_spell(d, set->speller);
	}
	if (!err) {
		cmdline_show(set, &b);
		if (text)
			p->run[point].jobs = arena_strdup(&p->sweep->mem, text);
		else
			p->run[point].jobs = b.failed ? NULL : jobs_text(p, point, strbuf_str(&b));
		err = p->run[point].jobs ? 0 : diag_no_memory(d);
	}
	strbuf_fini(&b);
	return err;
}

int sweep_jobs(const struct sweep_points *p, enum sweep_run_kind kind, char *const *arg, sweep_use_jobs *use,
	       void *ctx, struct diag *d)
{
	bool preset = kind != SWEEP_PRECONDITION && sweep_is_verb(p, "preset");
	struct job_set set = { 0 };
	struct cmdline c = { 0 };
	int argc = count_args(arg), err;

	if (sweep_is_verb(p, "diskspd"))
		return p->base.verbs->diskspd(argc, arg, use, ctx, d);
	if (preset && p->base.nargs < 2)
		return diag_err(d, -EINVAL, "fiord sweep needs the name of the preset: preset NAME");
	err = preset ? p->base.verbs->preset(2, VERB_RUN, &c, &set, argc, arg, d)
		     : cmdline_parse(&c, &set, argc, arg, d);
	if (!err && c.verb != VERB_RUN)
		err = diag_err(d, -EINVAL,
			       "fiord sweep runs jobs; name a job file, or begin a job with --name=NAME");
	err = err ? err : use(ctx, &set, NULL, d);
	job_set_fini(&set);
	return err;
}

/* Returns the text without "--set " before a swept option, which the user did not write as --set. */
static const char *without_set(const struct sweep_matrix *m, const char *text)
{
	static const char set[] = "--set ";
	size_t len = sizeof(set) - 1;

	if (strncmp(text, set, len))
		return text;
	for (size_t k = 0; k < m->ndims; k++) {
		size_t name = strlen(m->dims[k].name);

		if (!strncmp(text + len, m->dims[k].name, name) && text[len + name] == '=')
			return text + len;
	}
	return text;
}

/* Sets the error of a point in d. */
static void report_point(const struct sweep_points *p, size_t point, struct diag *own, struct diag *d)
{
	const char *text = without_set(&p->sweep->matrix, diag_text(own));
	const char *sweep = text == diag_text(own) ? "" : "--sweep ";

	if (p->sweep->npoints > 1)
		diag_kind(d, own->kind, own->err, "point %zu: %s%s", point + 1, sweep, text);
	else
		diag_kind(d, own->kind, own->err, "%s%s", sweep, text);
}

/* Adds the conditions of --until to the first point as assertions: its plan refuses figures that the jobs do
   not have. */
static char **check_args(const struct sweep_points *p, size_t point)
{
	size_t n = point ? 0 : p->until.n;
	const char **extra = calloc(2 * n + 1, sizeof(*extra));
	char **arg;

	for (size_t i = 0; extra && i < n; i++) {
		extra[2 * i] = "--assert";
		extra[2 * i + 1] = p->until.v[i].text;
	}
	arg = extra ? sweep_args(p, point, SWEEP_POINT, extra, 2 * n) : NULL;
	free(extra);
	return arg;
}

static int check_point(struct sweep_points *p, size_t point, struct diag *d)
{
	struct checked c = { p, point };
	char **arg = check_args(p, point);
	struct diag own = { 0 };
	int err;

	p->run[point].file = sweep_document(p, point, SWEEP_POINT);
	if (!arg || !p->run[point].file)
		err = diag_no_memory(d);
	else
		err = sweep_jobs(p, SWEEP_POINT, arg, check_jobs, &c, &own);
	if (own.kind == DIAG_RUN && own.err != -ENOMEM)
		own.kind = DIAG_TARGET; /* nothing has run: a DISKSPD line names a target that is missing */
	sweep_until_name_option(&own);
	if (own.err)
		report_point(p, point, &own, d);
	diag_fini(&own);
	free(arg);
	return err;
}

static bool is_percentage(const char *text)
{
	char *end;
	double percent = strtod(text, &end);

	return percent >= 0.01 && percent <= PERCENT_MAX && !strcmp(end, "%");
}

static bool is_rate(const struct sweep_dim *dim)
{
	return !strcmp(dim->name, "rate_iops") || !strcmp(dim->name, "rate");
}

/* Checks the values of a rate. */
static int check_rate(const struct sweep_points *p, size_t k, struct diag *d)
{
	const struct sweep_dim *dim = &p->sweep->matrix.dims[k];

	if (dim->percent && k != p->percent)
		return diag_err(
			d, -EINVAL,
			"--sweep %s=%s,...: only one rate can be in percent, and %s is; give this one as a "
			"rate",
			dim->name, dim->value.v[0], p->sweep->matrix.dims[p->percent].name);
	for (size_t i = 0; i < dim->value.n; i++) {
		const char *value = dim->value.v[i];

		if (dim->percent && !is_percentage(value))
			return diag_err(d, -EINVAL, "--sweep %s: %s: give a percentage from 0.01%% to %d%%",
					dim->name, value, PERCENT_MAX);
		if (!dim->percent && strchr(value, '%'))
			return diag_err(d, -EINVAL,
					"--sweep %s: %s: give all values of a rate in percent, or none",
					dim->name, value);
	}
	return 0;
}

/* Finds the rate that is swept in percent, and checks the values of all rates. */
static int find_percent(struct sweep_points *p, struct diag *d)
{
	const struct sweep_matrix *m = &p->sweep->matrix;

	for (p->percent = 0; p->percent < m->ndims; p->percent++)
		if (m->dims[p->percent].percent && is_rate(&m->dims[p->percent]))
			break;
	for (size_t k = 0; k < m->ndims; k++)
		if (is_rate(&m->dims[k]) && check_rate(p, k, d))
			return d->err;
	return 0;
}

/* Refuses flags of DISKSPD beside other jobs, and an option that is swept under two of its names. */
static int check_names(const struct sweep_points *p, struct diag *d)
{
	const struct sweep_matrix *m = &p->sweep->matrix;

	for (size_t k = 0; k < m->ndims; k++) {
		const struct opt_row *row = opt_find(&job_options, m->dims[k].name);

		if (m->dims[k].name[0] == '-' && !sweep_is_verb(p, "diskspd"))
			return diag_err(
				d, -EINVAL,
				"--sweep %s=%s,...: only a DISKSPD line has this flag; name an option of a "
				"job, such as iodepth=1..64",
				m->dims[k].name, m->dims[k].value.v[0]);
		for (size_t i = 0; i < k && row; i++)
			if (opt_find(&job_options, m->dims[i].name) == row)
				return diag_err(
					d, -EINVAL,
					"--sweep %s: this is the option %s, which is swept already; give "
					"all its values at once",
					m->dims[k].name, m->dims[i].name);
	}
	return 0;
}

int sweep_points_check(struct sweep_points *p, struct diag *d)
{
	int err;

	if (check_names(p, d) || find_percent(p, d))
		return d->err;
	p->run = arena_array(&p->sweep->mem, p->sweep->npoints, sizeof(*p->run));
	p->maximum = arena_array(&p->sweep->mem, p->sweep->npoints, sizeof(*p->maximum));
	if (p->until.n)
		p->again = arena_array(&p->sweep->mem, p->sweep->npoints, sizeof(*p->again));
	if (!p->run || !p->maximum || (p->until.n && !p->again))
		return diag_no_memory(d);
	err = sweep_snia_check(p, d);
	for (size_t i = 0; i < p->sweep->npoints && !err; i++)
		err = check_point(p, i, d);
	return err ? err : sweep_snia_plan(p, d);
}

/* ---- sweep= lines of job files ---- */

static bool in_matrix(const struct sweep_matrix *m, const char *line)
{
	size_t len = strcspn(line, "=");

	for (size_t k = 0; k < m->ndims; k++)
		if (strlen(m->dims[k].name) == len && !strncmp(m->dims[k].name, line, len))
			return true;
	return false;
}

static int add_job_lines(struct sweep_points *p, const struct job_set *set, struct diag *d)
{
	const char *text = set->njobs ? set->jobs[0].opts.sweep : NULL;
	char *lines, *save = NULL;
	size_t given = p->sweep->matrix.ndims;
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
		return diag_no_memory(d);
	for (char *line = strtok_r(lines, "\n", &save); line && !err; line = strtok_r(NULL, "\n", &save)) {
		struct sweep_matrix first = p->sweep->matrix; /* the options of the command line */

		first.ndims = given;
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

	if (sweep_is_verb(p, "diskspd") || sweep_is_verb(p, "preset") || !p->base.nargs)
		return 0;
	arg = calloc(p->base.nargs + 2, sizeof(*arg));
	if (!arg)
		return diag_no_memory(d);
	arg[0] = (char *)"fiord";
	memcpy(arg + 1, p->base.args, p->base.nargs * sizeof(*arg));
	err = cmdline_parse(&c, &set, count_args(arg), arg, d);
	err = err ? err : refuse_stream(&set, d);
	err = err ? err : add_job_lines(p, &set, d);
	job_set_fini(&set);
	free(arg);
	return err;
}
