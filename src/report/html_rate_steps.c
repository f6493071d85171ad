/* html_rate_steps.c: the steps of rate_steps as tables, one for each job that has them. */
#include "html_page.h"

#include <stdio.h>
#include "strbuf.h"

static const char *const columns[] = { "Step",
				       "#From",
				       "#For",
				       "Direction",
				       "#Asked",
				       "#IOPS",
				       "#Bandwidth",
				       "#I/Os",
				       "#Late",
				       "#Mean latency",
				       "#p50",
				       "#p99",
				       "#Maximum",
				       "#Mean response",
				       "#Response p50",
				       "#Response p99",
				       "#Response maximum" };
#define COLUMNS (sizeof(columns) / sizeof(*columns))

static void put_latency_cell(struct strbuf *b, bool known, double ns)
{
	html_number(b, known ? readable_latency(ns).text : "");
}

static void put_lat_cells(struct strbuf *b, const struct step_lat_figures *f)
{
	put_latency_cell(b, f->n, f->mean);
	for (unsigned i = 0; i < STEP_PERCENTILES; i++)
		put_latency_cell(b, f->n && f->percentile[i], (double)f->percentile[i]);
	put_latency_cell(b, f->n, (double)f->max);
}

static void put_asked_cell(struct strbuf *b, const struct result_job *j, uint64_t rate)
{
	if (j->rate_steps.by_bytes)
		html_number(b, readable_bytes_rate((double)rate, &j->units).text);
	else
		html_number(b, readable_count((double)rate).text);
}

static void put_step_row(struct strbuf *b, const struct result_job *j, size_t i, unsigned dir)
{
	const struct result_rate_step *step = &j->rate_steps.steps[i];
	const struct result_step_dir *d = &step->dir[dir];
	char number[24];

	snprintf(number, sizeof(number), "%zu", i + 1);
	html_row(b, number);
	html_number(b, readable_duration((double)step->start_ns / 1e6).text);
	html_number(b, readable_duration((double)step->length_ns / 1e6).text);
	html_cell(b, html_dir_class(dir));
	put_asked_cell(b, j, d->rate);
	html_number(b, readable_count(d->iops).text);
	html_number(b, readable_bytes_rate((double)d->bw_bytes, &j->units).text);
	html_exact(b, d->ios);
	html_exact(b, d->late_ios);
	put_lat_cells(b, &d->lat[STEP_CLAT].sum);
	put_lat_cells(b, &d->lat[STEP_RESP].sum);
	html_row_end(b);
}

static void put_table(struct html_run *h, const struct result_job *j)
{
	const struct result_rate_steps *s = &j->rate_steps;

	html_table(
		h->b,
		html_string(h,
			    "Steps of the rate of %s%s%s; I/Os and latencies are of those that were due in "
			    "the step, IOPS and bandwidth of those that completed in it",
			    html_name(j), j->hostname ? " on " : "", j->hostname ? j->hostname : ""),
		columns, COLUMNS);
	for (size_t i = 0; i < s->nsteps; i++)
		for (unsigned dir = 0; dir < DIR_DATA; dir++)
			if (s->dirs & 1u << dir)
				put_step_row(h->b, j, i, dir);
	html_table_end(h->b);
}

bool html_has_rate_steps(const struct result *r)
{
	for (size_t i = 0; i < r->njobs; i++)
		if (r->jobs[i]->rate_steps.nsteps)
			return true;
	return false;
}

void html_rate_steps(struct html_run *h)
{
	for (size_t i = 0; i < h->r->njobs; i++)
		if (h->r->jobs[i]->rate_steps.nsteps)
			put_table(h, h->r->jobs[i]);
}
