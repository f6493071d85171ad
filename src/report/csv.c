#include "report.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "counts.h"
#include "csv_cells.h"
#include "strbuf.h"
#include "text.h"
#include "total.h"
#include "units.h"
#include "vec.h"

/* The percentiles that any job has, in ascending order. */
struct columns {
	double *v;
	size_t n, cap;
	bool of[LAT_KINDS]; /* some job has percentiles of this kind */
	bool failed;
};

/* One line of the table. */
struct row {
	const struct result *res;
	const char *source;
	const struct result_job *job;
	const char *direction;
	const struct summary_dir *dir; /* NULL for syncs, which have a count and latencies only */
	uint64_t ios, errors;
	bool ios_known; /* false: the data has bytes or latencies alone */
};

static void put_empty(struct strbuf *b, unsigned n)
{
	while (n--)
		strbuf_putc(b, ',');
}

/* ---- columns ---- */

static const char *const kind_name[LAT_KINDS] = { "slat", "clat", "lat", "resp" };

static int compare_double(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static void add_percentiles(struct columns *c, const struct result_job *j)
{
	for (unsigned i = 0; i < j->sum.npercentiles; i++) {
		bool present = false;

		for (size_t k = 0; k < c->n && !present; k++)
			present = !compare_double(&c->v[k], &j->sum.percentiles[i]);
		if (!present && !VEC_PUSH(c, j->sum.percentiles[i]))
			c->failed = true;
	}
	for (unsigned k = 0; k < LAT_KINDS; k++)
		for (unsigned d = 0; d < DIR_DATA; d++)
			c->of[k] = c->of[k] || j->sum.dir[d].lat[k].percentiles;
	c->of[LAT_LAT] = c->of[LAT_LAT] || j->sum.sync.percentiles;
}

static void put_lat_header(struct strbuf *b, const struct columns *c, unsigned kind)
{
	static const char *const figure[] = { "min", "mean", "stddev", "max" };
	char percentile[UNITS_DECIMALS];

	strbuf_printf(b, ",%s_ios", kind_name[kind]);
	for (unsigned i = 0; i < sizeof(figure) / sizeof(*figure); i++)
		strbuf_printf(b, ",%s_%s_ns", kind_name[kind], figure[i]);
	for (size_t i = 0; i < c->n && c->of[kind]; i++)
		strbuf_printf(b, ",%s_p%s_ns", kind_name[kind], units_decimals(percentile, c->v[i], 0, 9));
}

static void put_header(struct strbuf *b, const struct columns *c)
{
	strbuf_puts(b,
		    "source,timestamp_ms,host,job,group,workers,direction,rw,bs_bytes,ioengine,iodepth,errno,"
		    "ios,bytes,runtime_ms,iops,bandwidth_bytes_per_s,iops_samples,iops_min,iops_max,"
		    "iops_stddev,errors,short_ios");
	for (unsigned k = 0; k < LAT_KINDS; k++)
		put_lat_header(b, c, k);
	strbuf_puts(b, ",asked_ios,asked_iops,unissued,in_flight_at_end,usr_cpu_percent,sys_cpu_percent,"
		       "context_switches\r\n");
}

/* ---- rows ---- */

/* Returns the index of a percentile, or -1. */
static int find_percentile(const struct summary *s, double percentile)
{
	for (unsigned i = 0; i < s->npercentiles; i++)
		if (!compare_double(&s->percentiles[i], &percentile))
			return (int)i;
	return -1;
}

static void put_lat_columns(struct strbuf *b, const struct columns *c, const struct summary *s,
			    const struct summary_lat *l, unsigned kind)
{
	if (!l || !l->n) {
		put_empty(b, 5 + (c->of[kind] ? (unsigned)c->n : 0));
		return;
	}
	csv_next_u64(b, true, l->n);
	csv_next_u64(b, true, l->min);
	csv_next_double(b, true, l->mean);
	csv_next_double(b, true, l->stddev);
	csv_next_u64(b, true, l->max);
	for (size_t i = 0; i < c->n && c->of[kind]; i++) {
		int at = l->percentiles ? find_percentile(s, c->v[i]) : -1;

		csv_next_u64(b, at >= 0, at >= 0 ? l->value[at] : 0);
	}
}

/* Block sizes are ranges, "4096-4096". A range of one size is printed as this size. */
static void put_block_size(struct strbuf *b, const char *bs)
{
	const char *dash = bs ? strchr(bs, '-') : NULL;
	size_t n = dash ? (size_t)(dash - bs) : 0;

	if (n && strspn(bs, "0123456789") == n && !strncmp(bs, dash + 1, n) && !dash[n + 1])
		strbuf_printf(b, ",%.*s", (int)n, bs);
	else
		csv_next_text(b, bs);
}

static void put_load(struct strbuf *b, const struct row *r)
{
	const struct result_job *j = r->job;

	csv_text(b, r->source);
	csv_next_u64(b, true, r->res->timestamp_ms);
	csv_next_text(b, j->hostname ? j->hostname : r->res->client_stats ? NULL : r->res->env.host);
	csv_next_text(b, j->name);
	csv_next_u64(b, true, j->group);
	csv_next_u64(b, true, j->members);
	csv_next_text(b, r->direction);
	csv_next_text(b, j->rw);
	put_block_size(b, j->bs);
	csv_next_text(b, j->engine);
	csv_next_u64(b, j->iodepth, j->iodepth);
	strbuf_printf(b, ",%d", j->error);
}

static void put_rate_columns(struct strbuf *b, const struct row *r)
{
	const struct summary_dir *d = r->dir;

	csv_next_u64(b, r->ios_known, r->ios);
	if (d) {
		bool bytes_known = r->ios_known || d->bytes;

		csv_next_u64(b, bytes_known, d->bytes);
		csv_next_u64(b, true, d->runtime_ms);
		csv_next_double(b, r->ios_known, d->iops);
		csv_next_u64(b, bytes_known, d->bw_bytes);
		csv_next_u64(b, true, d->iops_row.n);
		csv_next_u64(b, true, text_whole(d->iops_row.min)); /* as in JSON */
		csv_next_u64(b, true, text_whole(d->iops_row.max));
		csv_next_double(b, true, d->iops_row.stddev);
	} else {
		put_empty(b, 8);
	}
	csv_next_u64(b, true, r->errors);
	csv_next_u64(b, d, d ? d->short_ios : 0);
}

static void put_figure_row(struct strbuf *b, const struct columns *c, const struct row *r)
{
	const struct summary *s = &r->job->sum;
	const struct summary_lat *sync = r->dir ? NULL : &s->sync;

	put_load(b, r);
	put_rate_columns(b, r);
	for (unsigned k = 0; k < LAT_KINDS; k++)
		put_lat_columns(b, c, s, r->dir ? &r->dir->lat[k] : k == LAT_LAT ? sync : NULL, k);
	if (r->dir && (r->dir->lat[LAT_RESP].n || r->dir->unissued)) {
		csv_next_u64(b, true, summary_due(r->dir));
		csv_next_double(b, true, r->dir->asked_iops);
		csv_next_u64(b, true, r->dir->unissued);
		csv_next_u64(b, true, r->dir->in_flight_at_end);
	} else {
		put_empty(b, 4);
	}
	csv_next_double(b, true, s->usr_cpu);
	csv_next_double(b, true, s->sys_cpu);
	csv_next_u64(b, true, s->ctx);
	strbuf_puts(b, "\r\n");
}

/* ---- the table ---- */

static bool has_figures(const struct summary_dir *d)
{
	return d->ios || d->errors || d->short_ios || d->drop_ios || d->arrivals || d->unissued ||
	       d->in_flight_at_end || total_has_sums(d);
}

static void put_direction(struct strbuf *b, const struct columns *c, struct row *r, const char *direction,
			  const struct summary_dir *d)
{
	r->direction = direction;
	r->dir = d;
	r->ios = d->ios;
	r->ios_known = d->ios || !total_has_sums(d);
	r->errors = d->errors;
	put_figure_row(b, c, r);
}

static void put_sync_row(struct strbuf *b, const struct columns *c, struct row *r)
{
	r->direction = "sync";
	r->dir = NULL;
	r->ios = r->job->sum.sync_ios;
	r->ios_known = true;
	r->errors = r->job->sum.sync_errors;
	put_figure_row(b, c, r);
}

/* A job without any I/O has one row, whose direction is "none". */
static void put_job_rows(struct strbuf *b, const struct columns *c, struct row *r)
{
	static const char *const name[DIR_DATA] = { "read", "write", "trim" };
	const struct result_job *j = r->job;
	bool any = false;

	for (unsigned d = 0; d < DIR_DATA; d++) {
		if (!has_figures(&j->sum.dir[d]))
			continue;
		put_direction(b, c, r, j->mixed ? "mixed" : name[d], &j->sum.dir[d]);
		any = true;
	}
	if (j->sum.sync_ios || j->sum.sync_errors) {
		put_sync_row(b, c, r);
		any = true;
	}
	if (j->both && has_figures(&j->sum_both))
		put_direction(b, c, r, "mixed", &j->sum_both);
	if (!any)
		put_direction(b, c, r, "none", &j->sum.dir[DIR_READ]);
}

/* Adds the rows of all jobs of a group: each direction of several jobs, and all directions together. */
static int put_group_rows(struct strbuf *b, const struct columns *c, struct row *r, unsigned group)
{
	struct arena mem = { 0 };
	struct total_row total;
	int err = total_of_group(&total, &mem, r->res, group);

	if (!err && total.sum) {
		struct result_job all = *total.sum;

		all.name = "all jobs";
		all.group = group;
		r->job = &all;
		for (unsigned d = 0; d < DIR_DATA; d++)
			if (total.jobs > 1 && !all.mixed && all.sum.dir[d].ios)
				put_direction(b, c, r, counts_dir_name[d], &all.sum.dir[d]);
		if (total.dirs > 1 || all.mixed)
			put_direction(b, c, r, "mixed", total.mixed);
	}
	arena_fini(&mem);
	return err;
}

int report_csv(const struct result *const *res, const char *const *source, size_t n, struct strbuf *b)
{
	struct columns c = { 0 };

	for (size_t i = 0; i < n; i++)
		for (size_t k = 0; k < res[i]->njobs; k++)
			add_percentiles(&c, res[i]->jobs[k]);
	if (c.n)
		qsort(c.v, c.n, sizeof(*c.v), compare_double);
	put_header(b, &c);
	for (size_t i = 0; i < n; i++)
		for (size_t k = 0; k < res[i]->njobs; k++) {
			struct row r = { .res = res[i],
					 .source = source && source[i] ? source[i] : "",
					 .job = res[i]->jobs[k] };

			put_job_rows(b, &c, &r);
		}
	for (size_t i = 0; i < n; i++)
		for (size_t g = 0; g < res[i]->ngroups; g++) {
			struct row r = { .res = res[i], .source = source && source[i] ? source[i] : "" };

			if (put_group_rows(b, &c, &r, res[i]->groups[g].number))
				b->failed = true;
		}
	free(c.v);
	return c.failed || b->failed ? -ENOMEM : 0;
}
