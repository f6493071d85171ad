#include "total.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Adds moments. Means are weighted by their counts; squares of deviations add up around the common mean. */
static void add_moments(struct summary_lat *to, const struct summary_lat *from)
{
	double n = (double)to->n, m = (double)from->n, off = from->mean - to->mean, squares;

	if (!from->n)
		return;
	if (!to->n) {
		to->min = from->min;
		to->max = from->max;
	}
	squares = (n > 1 ? to->stddev * to->stddev * (n - 1) : 0) +
		  (m > 1 ? from->stddev * from->stddev * (m - 1) : 0) + off * off * n * m / (n + m);
	to->mean += off * m / (n + m);
	to->stddev = n + m > 1 ? sqrt(squares / (n + m - 1)) : 0;
	to->n += from->n;
	to->min = from->min < to->min ? from->min : to->min;
	to->max = from->max > to->max ? from->max : to->max;
}

/* A direction of a job, or all of them together, that is part of a sum. */
struct part {
	const struct summary_dir *dir;
	const struct result_bins *bins; /* LAT_KINDS of them */
};

/* The sum of parts. */
struct whole {
	struct summary_dir *dir;
	struct result_bins *bins;
	const struct summary *list; /* its percentiles */
	struct arena *mem;
};

/* Moves the histogram into bins of the arena, and computes the percentiles of the list. */
static bool set_bins(const struct whole *to, unsigned kind, const struct hist *h)
{
	struct summary_lat *l = &to->dir->lat[kind];
	uint64_t total = hist_total(h), *ns, *count;

	if (!total)
		return true;
	ns = arena_array(to->mem, h->hi - h->lo + 1, sizeof(*ns));
	count = arena_array(to->mem, h->hi - h->lo + 1, sizeof(*count));
	if (!ns || !count)
		return false;
	to->bins[kind] = (struct result_bins){ ns, count, hist_bins(h, ns, count) };
	l->percentiles = true;
	for (unsigned i = 0; i < to->list->npercentiles; i++)
		l->value[i] = hist_percentile(h, total, to->list->percentiles[i], l->min, l->max);
	return true;
}

static bool add_latency(const struct whole *to, const struct part *part, size_t n, unsigned kind)
{
	struct hist *h = calloc(1, sizeof(*h));
	bool complete = true, ok;

	if (!h)
		return false;
	hist_init(h);
	for (size_t i = 0; i < n; i++) {
		const struct summary_lat *l = &part[i].dir->lat[kind];

		add_moments(&to->dir->lat[kind], l);
		result_add_bins(h, &part[i].bins[kind]);
		complete = complete && (!l->n || part[i].bins[kind].n);
	}
	ok = !complete || set_bins(to, kind, h);
	free(h);
	return ok;
}

static void add_dir(struct summary_dir *to, const struct summary_dir *from)
{
	to->ios += from->ios;
	to->bytes += from->bytes;
	to->short_ios += from->short_ios;
	to->drop_ios += from->drop_ios;
	to->errors += from->errors;
	to->unissued += from->unissued;
	to->in_flight_at_end += from->in_flight_at_end;
	to->arrivals += from->arrivals;
	to->asked_ios += from->asked_ios;
	if (from->asked_ns > to->asked_ns)
		to->asked_ns = from->asked_ns;
	if (from->unissued_age_ns > to->unissued_age_ns)
		to->unissued_age_ns = from->unissued_age_ns;
	if (from->runtime_ns > to->runtime_ns) {
		to->runtime_ns = from->runtime_ns;
		to->runtime_ms = from->runtime_ms;
	}
}

static void add_verify(struct result_verify *to, const struct result_verify *from)
{
	to->on |= from->on;
	to->checked += from->checked;
	to->in_part += from->in_part;
	to->not_checked += from->not_checked;
	to->damaged += from->damaged;
}

/* Adds everything but the directions. CPU use is in percent of the members' run time. */
static void add_counts(struct result_job *to, const struct result_job *from)
{
	double was = (double)to->sum.job_runtime_ms, ms = (double)from->sum.job_runtime_ms;

	if (was + ms > 0) {
		to->sum.usr_cpu = (to->sum.usr_cpu * was + from->sum.usr_cpu * ms) / (was + ms);
		to->sum.sys_cpu = (to->sum.sys_cpu * was + from->sum.sys_cpu * ms) / (was + ms);
	}
	to->sum.job_runtime_ms += from->sum.job_runtime_ms;
	to->sum.ctx += from->sum.ctx;
	to->sum.sync_ios += from->sum.sync_ios;
	add_moments(&to->sum.sync, &from->sum.sync);
	to->sum.errors += from->sum.errors;
	to->members += from->members;
	to->lost_ios_total += from->lost_ios_total;
	to->error = to->error ? to->error : from->error;
	add_verify(&to->verify, &from->verify);
}

static void set_rates(struct summary_dir *to, const struct part *part, size_t n)
{
	struct summary_group g = { 0 };

	for (size_t i = 0; i < n; i++) {
		const struct summary one = { .dir = { [DIR_READ] = *part[i].dir } };

		summary_group_add(&g, &one);
	}
	to->bw_bytes = g.dir[DIR_READ].bw_bytes;
	to->iops = g.dir[DIR_READ].iops;
	summary_set_exact(to);
}

static bool add_parts(const struct whole *to, const struct part *part, size_t n)
{
	*to->dir = (struct summary_dir){ 0 };
	memset(to->bins, 0, LAT_KINDS * sizeof(*to->bins));
	for (size_t i = 0; i < n; i++)
		add_dir(to->dir, part[i].dir);
	set_rates(to->dir, part, n);
	for (unsigned kind = 0; kind < LAT_KINDS; kind++)
		if (!add_latency(to, part, n, kind))
			return false;
	return true;
}

/* Lists one direction of each job. With `mixed` it lists everything, for DIR_READ: all directions of the jobs
   that have them apart. Returns the number of parts, at most DIR_DATA for each job. */
static size_t list_parts(struct part *part, const struct result_job *const *job, size_t n, unsigned dir,
			 bool mixed)
{
	size_t parts = 0;

	for (size_t i = 0; i < n; i++) {
		unsigned until = mixed && !job[i]->mixed ? DIR_DATA : dir + 1;

		for (unsigned d = dir; d < until; d++)
			part[parts++] = (struct part){ &job[i]->sum.dir[d], job[i]->bins[d] };
	}
	return parts;
}

/* Adds the directions of the jobs. If some of them are mixed, the sum is, too. */
static bool add_dirs(struct result_job *to, const struct result_job *const *job, size_t n, struct part *part,
		     struct arena *mem)
{
	for (unsigned dir = 0; dir < (to->mixed ? 1 : DIR_DATA); dir++) {
		struct whole whole = { &to->sum.dir[dir], to->bins[dir], &to->sum, mem };

		if (!add_parts(&whole, part, list_parts(part, job, n, dir, to->mixed)))
			return false;
	}
	return true;
}

/* Adds the sums over all directions of jobs with `both`. */
static bool add_both(struct result_job *to, const struct result_job *const *job, size_t n, struct part *part,
		     struct arena *mem)
{
	struct whole whole = { &to->sum_both, to->bins_both, &to->sum, mem };

	for (size_t i = 0; i < n; i++)
		part[i] = (struct part){ &job[i]->sum_both, job[i]->bins_both };
	return add_parts(&whole, part, n);
}

static void describe_total(struct result_job *to, const struct result_job *const *job, size_t n)
{
	to->group = job[0]->group;
	to->units = job[0]->units;
	to->sum.npercentiles = job[0]->sum.npercentiles;
	to->sum.percentile_decimals = job[0]->sum.percentile_decimals;
	memcpy(to->sum.percentiles, job[0]->sum.percentiles, sizeof(to->sum.percentiles));
	to->both = true;
	for (size_t i = 0; i < n; i++) {
		to->mixed |= job[i]->mixed;
		to->both &= job[i]->both;
	}
}

struct result_job *total_sum(struct arena *mem, const struct result_job *const *job, size_t n)
{
	struct result_job *to = arena_alloc(mem, sizeof(*to));
	struct part *part = arena_array(mem, DIR_DATA * n, sizeof(*part));

	if (!to || !part || !n)
		return to && part ? to : NULL;
	if (n == 1) {
		*to = *job[0];
		return to;
	}
	describe_total(to, job, n);
	for (size_t i = 0; i < n; i++)
		add_counts(to, job[i]);
	if (!add_dirs(to, job, n, part, mem) || (to->both && !add_both(to, job, n, part, mem)))
		return NULL;
	return to;
}

struct result_job *total_mixed(struct arena *mem, const struct result_job *job)
{
	struct result_job *to = arena_alloc(mem, sizeof(*to));
	struct part part[DIR_DATA];

	if (!to)
		return NULL;
	*to = job->both ? result_job_mixed(job) : *job;
	if (to->mixed)
		return to;
	memset(to->sum.dir, 0, sizeof(to->sum.dir));
	memset(to->bins, 0, sizeof(to->bins));
	to->mixed = true;
	return add_dirs(to, &job, 1, part, mem) ? to : NULL;
}

size_t total_jobs(const struct result *r, unsigned number, const struct result_job **out)
{
	size_t n = 0;

	for (size_t i = 0; i < r->njobs; i++) {
		if (r->jobs[i]->group == number)
			out[n++] = r->jobs[i];
	}
	return n;
}

int total_of_group(struct total_row *row, struct arena *mem, const struct result *r, unsigned number)
{
	const struct result_job **job = arena_array(mem, r->njobs + 1, sizeof(*job)), *all;
	const struct result_job *sum;

	*row = (struct total_row){ 0 };
	if (!job)
		return -ENOMEM;
	row->jobs = (unsigned)total_jobs(r, number, job);
	if (!row->jobs || total_of_hosts(r))
		return 0;
	sum = total_sum(mem, job, row->jobs);
	all = sum ? total_mixed(mem, sum) : NULL;
	if (!all)
		return -ENOMEM;
	row->mixed = &all->sum.dir[DIR_READ];
	for (unsigned dir = 0; dir < DIR_DATA; dir++) {
		row->dirs += sum->sum.dir[dir].ios > 0;
		if (row->mixed->ios)
			row->iops[dir] =
				row->mixed->iops * (double)sum->sum.dir[dir].ios / (double)row->mixed->ios;
	}
	if (row->dirs && (row->jobs > 1 || row->dirs > 1))
		row->sum = sum;
	return 0;
}

const struct result_job *total_of_hosts(const struct result *r)
{
	const struct result_job *last = r->njobs ? r->jobs[r->njobs - 1] : NULL;

	return r->client_stats && last && !last->hostname ? last : NULL;
}

enum lat_kind total_service_kind(const struct result_job *job, unsigned dir)
{
	static const enum lat_kind order[] = { LAT_LAT, LAT_CLAT, LAT_SLAT };
	const struct summary_lat *lat = job->sum.dir[dir].lat;

	for (unsigned i = 0; i < sizeof(order) / sizeof(*order); i++) {
		if (lat[order[i]].percentiles)
			return order[i];
	}
	for (unsigned i = 0; i < sizeof(order) / sizeof(*order); i++) {
		if (lat[order[i]].n)
			return order[i];
	}
	return LAT_KINDS;
}

enum lat_kind total_lat_kind(const struct result_job *job, unsigned dir)
{
	enum lat_kind service = total_service_kind(job, dir);
	const struct summary_lat *lat = job->sum.dir[dir].lat;

	return lat[LAT_RESP].n && (service == LAT_KINDS || lat[LAT_RESP].n >= lat[service].n) ? LAT_RESP
											      : service;
}

bool total_has_sums(const struct summary_dir *d)
{
	bool any = d->bytes > 0;

	for (unsigned kind = 0; kind < LAT_KINDS; kind++)
		any |= d->lat[kind].n > 0;
	return any;
}

bool total_has_dir(const struct result_job *job, unsigned dir)
{
	const struct summary_dir *d = &job->sum.dir[dir];

	return d->ios || d->errors || d->unissued || d->in_flight_at_end || total_has_sums(d);
}

bool total_ios_known(const struct result_job *job, unsigned dir)
{
	const struct summary_dir *d = &job->sum.dir[dir];

	return d->ios || !total_has_sums(d);
}

static bool in_bins(const struct result_bins *bins, const struct summary_lat *l, double percent, uint64_t *ns)
{
	struct hist *h = bins->n ? calloc(1, sizeof(*h)) : NULL;

	if (!h)
		return false;
	hist_init(h);
	result_add_bins(h, bins);
	*ns = hist_percentile(h, hist_total(h), percent, l->min, l->max);
	free(h);
	return true;
}

bool total_percentile_of(const struct result_job *job, const struct summary_lat *l,
			 const struct result_bins *bins, double percent, uint64_t *ns)
{
	if (!l->n)
		return false;
	if (in_bins(bins, l, percent, ns))
		return true;
	for (unsigned i = 0; l->percentiles && i < job->sum.npercentiles; i++) {
		if (fabs(job->sum.percentiles[i] - percent) < 1e-9) {
			*ns = l->value[i];
			return true;
		}
	}
	return false;
}

bool total_percentile(const struct result_job *job, unsigned dir, enum lat_kind kind, double percent,
		      uint64_t *ns)
{
	return kind < LAT_KINDS &&
	       total_percentile_of(job, &job->sum.dir[dir].lat[kind], &job->bins[dir][kind], percent, ns);
}

uint64_t total_samples_needed(double percent)
{
	return percent >= 100 ? 1 : (uint64_t)llround(100 / (100 - percent));
}

static const char *find_option(const struct result_opt *opt, size_t n, const char *name)
{
	while (n--) {
		if (opt[n].name && !strcmp(opt[n].name, name))
			return opt[n].value ? opt[n].value : "";
	}
	return NULL;
}

const char *total_option(const struct result *r, const struct result_job *job, const char *name)
{
	const char *value = find_option(job->options, job->noptions, name);

	return value ? value : find_option(r->globals, r->nglobals, name);
}
