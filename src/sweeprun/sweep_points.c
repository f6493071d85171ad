#include "sweep_points.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "read.h"
#include "readable.h"
#include "strbuf.h"
#include "sweep_args.h"
#include "sweep_child.h"
#include "sweep_snia.h"

size_t sweep_points_runs(const struct sweep_points *p)
{
	size_t n = p->sweep->npoints;

	return p->percent < p->sweep->matrix.ndims ? n + n / p->sweep->matrix.dims[p->percent].value.n : n;
}

/* Reads the figures of a document. A point without a readable one has failed. */
static int add_document(struct sweep_points *p, size_t point, struct diag *d)
{
	struct sweep_point *sp = &p->sweep->points[point];
	struct result_set set = { 0 };
	struct diag own = { 0 };
	const char *path = sweep_path(p, p->run[point].file);
	int err = 0;

	sp->source = p->run[point].file;
	if (!path)
		err = diag_no_memory(d);
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
static int run_one(struct sweep_points *p, const struct sweep_wait *w, size_t point, enum sweep_run_kind kind,
		   const char *file, const char **error, struct diag *d)
{
	char *path = sweep_path(p, file);
	const char *extra[] = { "--eta=never", "--output-format=json+", "--output", path };
	char **arg = path ? sweep_args(p, point, kind, extra, sizeof(extra) / sizeof(*extra)) : NULL;
	struct sweep_output out = { -1, -1 };
	int status = 0;
	int err = arg ? sweep_child(&p->signal, w, arg, &status, &out, d) : diag_no_memory(d);

	*error = NULL;
	if (!err && status) {
		*error = sweep_child_error(&p->sweep->mem, &out, status);
		err = *error ? 0 : diag_no_memory(d);
	}
	sweep_output_close(&out);
	free(arg);
	return err;
}

int sweep_take_maximum(const struct sweep_points *p, struct sweep_maximum *max, const struct result *res)
{
	bool bytes = !strcmp(p->sweep->matrix.dims[p->percent].name, "rate");

	max->clones = 0;
	for (size_t i = 0; i < res->njobs; i++) {
		max->clones += res->jobs[i]->members ? res->jobs[i]->members : 1;
		for (unsigned dir = 0; dir < DIR_DATA; dir++) {
			const struct summary_dir *sd = &res->jobs[i]->sum.dir[dir];

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
	int err;

	if (max->known || max->error)
		return 0;
	max->run.file = sweep_document(p, sweep_maximum_of(p, point), SWEEP_MAXIMUM);
	path = max->run.file ? sweep_path(p, max->run.file) : NULL;
	if (!path)
		return diag_no_memory(d);
	err = run_one(p, w, point, SWEEP_MAXIMUM, max->run.file, &max->error, d);
	if (!err && !max->error &&
	    (result_read_file(&set, path, &own) || !set.n || sweep_take_maximum(p, max, set.res[0])))
		max->error = "its document has no figures";
	diag_fini(&own);
	result_set_free(&set);
	return err;
}

static int run_point(struct sweep_points *p, const struct sweep_wait *w, size_t point, struct diag *d)
{
	struct sweep_point *sp = &p->sweep->points[point];
	const char *precondition = p->precondition.error;
	int err = !precondition && p->percent < p->sweep->matrix.ndims ? find_maximum(p, w, point, d) : 0;

	if (err || p->signal)
		return err;
	if (precondition) {
		sp->error = arena_printf(&p->sweep->mem, "the precondition failed: %s", precondition);
		err = sp->error ? 0 : diag_no_memory(d);
	} else if (p->percent < p->sweep->matrix.ndims && p->maximum[sweep_maximum_of(p, point)].error) {
		sp->error = arena_printf(&p->sweep->mem, "100 %% could not be measured: %s",
					 p->maximum[sweep_maximum_of(p, point)].error);
		err = sp->error ? 0 : diag_no_memory(d);
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
	fprintf(stderr, "\r\033[Kpoint %zu of %zu:", point + 1, p->sweep->npoints);
	for (size_t k = 0; k < p->sweep->matrix.ndims; k++)
		fprintf(stderr, " %s=%s", p->sweep->matrix.dims[k].name, p->sweep->points[point].value[k]);
	fflush(stderr);
}

/* Writes the devices before the first point (--snia). */
static int precondition(struct sweep_points *p, const struct sweep_wait *w, struct diag *d)
{
	struct sweep_precondition *pre = &p->precondition;

	if (!p->base.snia || pre->run.complete)
		return 0;
	if (isatty(STDERR_FILENO))
		fputs("\r\033[Kprecondition", stderr);
	if (run_one(p, w, 0, SWEEP_PRECONDITION, pre->run.file, &pre->error, d))
		return d->err;
	if (pre->error)
		p->sweep->conditions = NULL;
	return 0;
}

int sweep_points_run_one(struct sweep_points *p, const struct sweep_wait *w, size_t point, struct diag *d)
{
	int err = 0;

	if (p->run[point].complete) {
		p->sweep->points[point].state = SWEEP_DONE;
	} else if (!p->signal) {
		if (isatty(STDERR_FILENO))
			show_progress(p, point);
		err = run_point(p, w, point, d);
	}
	if (!err && p->sweep->points[point].state != SWEEP_WAITING)
		err = add_document(p, point, d);
	return err;
}

int sweep_points_run_again(struct sweep_points *p, const struct sweep_wait *w, size_t point,
			   const char **error, struct diag *d)
{
	*error = NULL;
	if (p->again[point].complete || p->signal)
		return 0;
	if (isatty(STDERR_FILENO))
		show_progress(p, point);
	return run_one(p, w, point, SWEEP_AGAIN, p->again[point].file, error, d);
}

static int run_all(struct sweep_points *p, const struct sweep_wait *w, struct diag *d)
{
	int err = 0;

	for (size_t i = 0; i < p->sweep->npoints && !err; i++)
		err = sweep_points_run_one(p, w, i, d);
	return err;
}

/* Adds the rate that 100 % stands for, of one combination of the other options. */
static void put_maximum(struct strbuf *b, struct sweep_points *p, size_t point)
{
	static const struct result_units units = { .kb_base = 1024 };
	const struct sweep *s = p->sweep;
	const char *file = sweep_document(p, point, SWEEP_MAXIMUM);
	double rate = 0;

	for (size_t k = 0; k < s->matrix.ndims; k++)
		if (k != p->percent)
			strbuf_printf(b, "%s=%s ", s->matrix.dims[k].name, s->points[point].value[k]);
	for (unsigned dir = 0; dir < DIR_DATA; dir++)
		rate += p->maximum[point].rate[dir];
	if (!strcmp(s->matrix.dims[p->percent].name, "rate"))
		strbuf_puts(b, readable_bytes_rate(rate, &units).text);
	else
		strbuf_printf(b, "%s IOPS", readable_count(rate).text);
	strbuf_printf(b, " (%s)", file ? file : "");
}

/* Tells the reports what 100 % is. */
static int describe_maxima(struct sweep_points *p, struct diag *d)
{
	struct strbuf b = { 0 };
	bool any = false;

	if (p->sweep->conditions)
		strbuf_printf(&b, "%s ", p->sweep->conditions);
	strbuf_puts(&b, "100 % is what the jobs reached without a rate: ");
	for (size_t i = 0; p->percent < p->sweep->matrix.ndims && i < p->sweep->npoints; i++) {
		if (!p->maximum[i].known || sweep_maximum_of(p, i) != i)
			continue;
		strbuf_puts(&b, any ? ", " : "");
		put_maximum(&b, p, i);
		any = true;
	}
	strbuf_putc(&b, '.');
	if (any)
		p->sweep->conditions = strbuf_to_arena(&b, &p->sweep->mem);
	strbuf_fini(&b);
	return any && !p->sweep->conditions ? diag_no_memory(d) : 0;
}

int sweep_points_run(struct sweep_points *p, struct diag *d)
{
	bool terminal = isatty(STDERR_FILENO);
	struct sweep_wait w;
	int err;

	sweep_wait_begin(&w);
	err = precondition(p, &w, d);
	if (!err)
		err = p->until.n ? sweep_until_run(p, &w, d) : run_all(p, &w, d);
	if (terminal)
		fputs("\r\033[K", stderr);
	sweep_wait_end(&w);
	return err ? err : describe_maxima(p, d);
}
