/* assertion_judge.c: measures the figures of assertions, and compares them with the limits. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include "assertion.h"
#include "exit_code.h"
#include "vec.h"

/* One assertion on one part of the result: a direction of a job, a job, a disk, or the whole run. */
struct judged {
	const struct assertion *a;
	struct result *res;
	size_t index;                 /* of the job */
	const struct result_job *job; /* NULL: not of a job */
	const struct assertion_entry *entry;
	unsigned dir;
	bool mixed;
	enum lat_kind kind;
	const char *why; /* there is no measured value; NULL: there is */
};

static bool compares(double v, enum assertion_op op, double limit)
{
	switch (op) {
	case ASSERTION_LT:
		return v < limit;
	case ASSERTION_LE:
		return v <= limit;
	case ASSERTION_GT:
		return v > limit;
	case ASSERTION_GE:
		return v >= limit;
	case ASSERTION_EQ:
		return v >= limit && v <= limit;
	case ASSERTION_NE:
		return v < limit || v > limit;
	}
	return false;
}

static double measure_percentile(struct judged *j, const struct summary_lat *l)
{
	const struct summary *s = &j->job->sum;

	for (unsigned i = 0; i < s->percentiles && l->percentiles; i++)
		if (fabs(s->percentile[i] - j->a->percentile) < 1e-9)
			return (double)l->value[i];
	j->why = "no percentiles were measured";
	return 0;
}

static double measure_latency(struct judged *j, const struct summary_dir *dir)
{
	const struct summary_lat *l = j->dir == DIR_SYNC ? &j->job->sum.sync : &dir->lat[j->kind];

	if (!l->n && j->a->figure->needs == NEEDS_IO) {
		j->why = "no I/O was measured";
		return 0;
	}
	if (j->a->figure->type == FIGURE_PERCENTILE)
		return measure_percentile(j, l);
	return figure_value(j->a->figure, l);
}

static double measure_dir(struct judged *j, const struct summary_dir *dir)
{
	switch (j->a->figure->needs) {
	case NEEDS_IO:
		j->why = dir->ios ? NULL : "no I/O was measured";
		break;
	case NEEDS_BW_SAMPLE:
		j->why = dir->bw_row.n ? NULL : "the bandwidth was not sampled";
		break;
	case NEEDS_IOPS_SAMPLE:
		j->why = dir->iops_row.n ? NULL : "the IOPS were not sampled";
		break;
	default:
		break;
	}
	return j->why ? 0 : figure_value(j->a->figure, dir);
}

/* Returns why the job has no value, or NULL. */
static const char *job_lacks(const struct result_job *job, const struct figure *figure)
{
	switch (figure->needs) {
	case NEEDS_IO:
		return summary_has_io(&job->sum) ? NULL : "no I/O was measured";
	case NEEDS_TIME:
		return job->sum.job_runtime_ms ? NULL : "the job did not run";
	case NEEDS_CPU:
		return job->sum.self.known ? NULL : "no CPU time was measured";
	case NEEDS_VERIFY:
		return job->verify.on ? NULL : "nothing was verified";
	case NEEDS_STEADY:
		return job->steady.on ? NULL : "steadystate was not judged";
	case NEEDS_STEADY_WINDOW:
	case NEEDS_STEADY_LAT:
		return job->steady.on && job->steady.samples ? NULL : "steadystate has no sample";
	case NEEDS_ATTAINED:
		return job->steady.attained ? NULL : "the job did not become steady";
	case NEEDS_TARGET:
		return job->latency_target.on ? NULL : "no depth was searched";
	default:
		return NULL;
	}
}

/* A job that failed before it counted an error has not shown that it has none. */
static double measure_job(struct judged *j)
{
	const struct figure *f = j->a->figure;

	j->why = job_lacks(j->job, f);
	if (!j->why && f->offset == offsetof(struct result_job, sum.errors) && j->job->error &&
	    !j->job->sum.errors)
		j->why = j->job->error_text ? j->job->error_text : diag_errno(j->job->error);
	return j->why ? 0 : figure_value(f, j->job);
}

static double measure(struct judged *j)
{
	const struct summary_dir *dir;

	if (!j->job)
		return figure_value(j->a->figure, j->res);
	dir = j->mixed && j->job->both ? &j->job->sum_both : &j->job->sum.dir[j->dir % DIR_DATA];
	switch (j->a->figure->of) {
	case FIGURE_LAT:
		return measure_latency(j, dir);
	case FIGURE_DIR:
		return measure_dir(j, dir);
	case FIGURE_SYNC:
		return figure_value(j->a->figure, &j->job->sum);
	default:
		return measure_job(j);
	}
}

/* Writes "p99.9". */
static void percentile_text(char *to, size_t size, double percentile)
{
	int n = snprintf(to, size, "p%.9f", percentile);

	while (to[n - 1] == '0')
		n--;
	to[to[n - 1] == '.' ? n - 1 : n] = '\0';
}

/* Returns "read.clat.p99" or "errors", in the result's memory. Without a job the name has only the parts that
   the assertion gives. */
static const char *figure_text(const struct judged *j)
{
	const struct figure *f = j->a->figure;
	const char *dir = "", *kind = "";
	char percentile[32];

	if (f->of != FIGURE_JOB && j->dir < DIR_COUNT)
		dir = assertion_dir_name[j->mixed ? DIR_COUNT : j->dir];
	if (f->of == FIGURE_LAT && j->kind < LAT_KINDS)
		kind = j->dir == DIR_SYNC ? "lat" : assertion_kind_name[j->kind];
	percentile_text(percentile, sizeof(percentile), j->a->percentile);
	return arena_printf(&j->res->mem, "%s%s%s%s%s", dir, *dir ? "." : "", kind, *kind ? "." : "",
			    f->type == FIGURE_PERCENTILE ? percentile : f->name);
}

/* Returns the name of the job, with a number if earlier jobs have the same name. */
static const char *job_label(const struct judged *j)
{
	unsigned before = result_job_namesakes(j->res, j->index);

	return before ? arena_printf(&j->res->mem, "%s (%u)", j->job->name, before + 1) : j->job->name;
}

static void add_verdict(struct judged *j, const char *of, const char *figure, double measured)
{
	const struct assertion *a = j->a;
	struct result_verdict v = { .assertion = arena_strdup(&j->res->mem, a->text),
				    .of = of,
				    .figure = figure,
				    .op = assertion_op_name[a->op],
				    .unit = a->figure->unit,
				    .limit = a->limit };

	v.measured = measured;
	v.why = j->why ? arena_strdup(&j->res->mem, j->why) : NULL;
	v.passed = !v.why && compares(v.measured, a->op, a->limit);
	if (!v.assertion || !v.figure || (j->why && !v.why) || !result_add_verdict(j->res, &v))
		j->res->failed = true;
}

static void judge_dir(struct judged *j, unsigned dir, bool mixed)
{
	const char *why;

	if (!assertion_possible(j->a, j->entry, dir, mixed, &why))
		return;
	j->dir = dir;
	j->mixed = mixed;
	j->kind = dir < DIR_COUNT ? assertion_kind(j->a, j->entry, dir) : LAT_KINDS;
	j->why = NULL;
	add_verdict(j, job_label(j), figure_text(j), measure(j));
}

static void judge_jobs(const struct assertion *a, const struct assertion_facts *facts, struct result *res)
{
	for (size_t i = 0; i < facts->entries && i < res->jobs; i++) {
		struct judged j = {
			.a = a, .res = res, .index = i, .job = res->job[i], .entry = &facts->entry[i]
		};

		if (!assertion_names(a, j.entry))
			continue;
		if (a->dir != DIR_COUNT || a->figure->of == FIGURE_JOB)
			judge_dir(&j, a->dir, a->mixed);
		else if (j.entry->mixed)
			judge_dir(&j, DIR_READ, true);
		else
			for (unsigned dir = 0; dir < DIR_DATA; dir++)
				judge_dir(&j, dir, false);
	}
}

static void judge_disks(const struct assertion *a, struct result *res)
{
	struct judged j = { .a = a, .res = res };
	size_t had = res->verdicts.n;

	for (size_t i = 0; i < res->disks; i++) {
		const struct result_disk *disk = &res->disk[i];

		if ((a->part && strcmp(a->part, disk->name)) ||
		    (a->figure->needs == NEEDS_MEMBERS && !disk->members))
			continue;
		add_verdict(&j, disk->name, arena_printf(&res->mem, "disk_util.%s", a->figure->name),
			    figure_value(a->figure, disk));
	}
	if (res->verdicts.n > had)
		return;
	j.why = res->disks ? "the run did not watch this disk" : "the run watched no disk";
	add_verdict(&j, a->part ? arena_strdup(&res->mem, a->part) : NULL,
		    arena_printf(&res->mem, "disk_util.%s", a->figure->name), 0);
}

/* The check before the run prevents this, except for documents that are judged without it. */
static void add_missing(const struct assertion *a, struct result *res)
{
	struct judged j = { .a = a, .res = res, .dir = a->dir, .mixed = a->mixed, .kind = a->kind };

	j.why = "the result has no such figure";
	add_verdict(&j, a->part ? arena_strdup(&res->mem, a->part) : NULL, figure_text(&j), 0);
}

int assertion_judge(const struct assertions *list, const struct assertion_facts *facts, struct result *res)
{
	for (size_t i = 0; i < list->n; i++) {
		const struct assertion *a = &list->v[i];
		struct judged run = { .a = a, .res = res };
		size_t had = res->verdicts.n;

		if (a->figure->of == FIGURE_RUN)
			add_verdict(&run, NULL, a->figure->name, figure_value(a->figure, res));
		else if (a->figure->of == FIGURE_DISK)
			judge_disks(a, res);
		else
			judge_jobs(a, facts, res);
		if (res->verdicts.n == had && !res->failed)
			add_missing(a, res);
	}
	for (size_t i = 0; i < res->verdicts.n; i++)
		if (!res->verdicts.v[i].passed)
			result_exit_code(res, EXIT_THRESHOLD);
	return res->failed ? -ENOMEM : 0;
}
