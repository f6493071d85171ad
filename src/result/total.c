#include "total.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Adds the bins of one latency of a job to a histogram. */
static void add_bins(struct hist *h, const struct result_bins *bins)
{
	for (size_t i = 0; i < bins->n; i++) {
		unsigned at = hist_index(bins->ns[i]);

		h->n[at] += bins->count[i];
		h->lo = at < h->lo ? at : h->lo;
		h->hi = at > h->hi ? at : h->hi;
	}
}

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

/* Moves the histogram into bins of the arena, and computes the percentiles of the list. */
static bool set_bins(struct result_job *to, unsigned dir, unsigned kind, const struct hist *h,
		     struct arena *mem)
{
	struct summary_lat *l = &to->sum.dir[dir].lat[kind];
	uint64_t total = hist_total(h), *ns, *count;

	if (!total)
		return true;
	ns = arena_array(mem, h->hi - h->lo + 1, sizeof(*ns));
	count = arena_array(mem, h->hi - h->lo + 1, sizeof(*count));
	if (!ns || !count)
		return false;
	to->bins[dir][kind] = (struct result_bins){ ns, count, hist_bins(h, ns, count) };
	l->percentiles = true;
	for (unsigned i = 0; i < to->sum.percentiles; i++)
		l->value[i] = hist_percentile(h, total, to->sum.percentile[i], l->min, l->max);
	return true;
}

static bool add_latency(struct result_job *to, const struct result_job *const *job, size_t n, unsigned dir,
			unsigned kind, struct arena *mem)
{
	struct hist *h = calloc(1, sizeof(*h));
	bool complete = true, ok;

	if (!h)
		return false;
	hist_init(h);
	for (size_t i = 0; i < n; i++) {
		const struct summary_lat *l = &job[i]->sum.dir[dir].lat[kind];

		add_moments(&to->sum.dir[dir].lat[kind], l);
		add_bins(h, &job[i]->bins[dir][kind]);
		complete = complete && (!l->n || job[i]->bins[dir][kind].n);
	}
	ok = !complete || set_bins(to, dir, kind, h, mem);
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
	to->arrivals += from->arrivals;
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

/* Adds everything but latencies. CPU use is in percent of the members' run time. */
static void add_counts(struct result_job *to, const struct result_job *from)
{
	double was = (double)to->sum.job_runtime_ms, ms = (double)from->sum.job_runtime_ms;

	for (unsigned dir = 0; dir < DIR_DATA; dir++)
		add_dir(&to->sum.dir[dir], &from->sum.dir[dir]);
	if (was + ms > 0) {
		to->sum.usr_cpu = (to->sum.usr_cpu * was + from->sum.usr_cpu * ms) / (was + ms);
		to->sum.sys_cpu = (to->sum.sys_cpu * was + from->sum.sys_cpu * ms) / (was + ms);
	}
	to->sum.job_runtime_ms += from->sum.job_runtime_ms;
	to->sum.ctx += from->sum.ctx;
	to->sum.sync_ios += from->sum.sync_ios;
	to->sum.errors += from->sum.errors;
	to->members += from->members ? from->members : 1;
	to->lost_ios_total += from->lost_ios_total;
	to->error = to->error ? to->error : from->error;
	add_verify(&to->verify, &from->verify);
}

static void set_rates(struct result_job *to, const struct result_job *const *job, size_t n)
{
	struct summary_group g = { 0 };

	for (size_t i = 0; i < n; i++)
		summary_group_add(&g, &job[i]->sum);
	for (unsigned dir = 0; dir < DIR_DATA; dir++) {
		to->sum.dir[dir].bw_bytes = g.dir[dir].bw_bytes;
		to->sum.dir[dir].iops = g.dir[dir].iops;
	}
}

static bool add_jobs(struct result_job *to, const struct result_job *const *job, size_t n, struct arena *mem)
{
	for (size_t i = 0; i < n; i++)
		add_counts(to, job[i]);
	set_rates(to, job, n);
	for (unsigned dir = 0; dir < DIR_DATA; dir++) {
		for (unsigned kind = 0; kind < LAT_KINDS; kind++) {
			if (!add_latency(to, job, n, dir, kind, mem))
				return false;
		}
	}
	return true;
}

struct result_job *total_of(struct arena *mem, const struct result_job *const *job, size_t n)
{
	struct result_job *to = arena_alloc(mem, sizeof(*to));

	if (!to || !n)
		return to;
	if (n == 1) {
		*to = *job[0];
		return to;
	}
	to->group = job[0]->group;
	to->units = job[0]->units;
	to->mixed = job[0]->mixed;
	to->sum.percentiles = job[0]->sum.percentiles;
	to->sum.percentile_decimals = job[0]->sum.percentile_decimals;
	memcpy(to->sum.percentile, job[0]->sum.percentile, sizeof(to->sum.percentile));
	return add_jobs(to, job, n, mem) ? to : NULL;
}

size_t total_jobs(const struct result *r, unsigned number, const struct result_job **out)
{
	size_t n = 0;

	for (size_t i = 0; i < r->jobs; i++) {
		if (r->job[i]->group == number)
			out[n++] = r->job[i];
	}
	return n;
}

const struct result_job *total_of_hosts(const struct result *r)
{
	const struct result_job *last = r->jobs ? r->job[r->jobs - 1] : NULL;

	return r->client_stats && last && !last->hostname ? last : NULL;
}

enum lat_kind total_lat_kind(const struct result_job *job, unsigned dir)
{
	static const enum lat_kind order[] = { LAT_CLAT, LAT_LAT, LAT_RESP, LAT_SLAT };
	const struct summary_lat *lat = job->sum.dir[dir].lat;

	for (unsigned i = 0; i < LAT_KINDS; i++) {
		if (lat[order[i]].percentiles)
			return order[i];
	}
	for (unsigned i = 0; i < LAT_KINDS; i++) {
		if (lat[order[i]].n)
			return order[i];
	}
	return LAT_KINDS;
}

static bool in_bins(const struct result_bins *bins, const struct summary_lat *l, double percent, uint64_t *ns)
{
	struct hist *h = bins->n ? calloc(1, sizeof(*h)) : NULL;

	if (!h)
		return false;
	hist_init(h);
	add_bins(h, bins);
	*ns = hist_percentile(h, hist_total(h), percent, l->min, l->max);
	free(h);
	return true;
}

bool total_percentile(const struct result_job *job, unsigned dir, enum lat_kind kind, double percent,
		      uint64_t *ns)
{
	const struct summary_lat *l = kind < LAT_KINDS ? &job->sum.dir[dir].lat[kind] : NULL;

	if (!l || !l->n)
		return false;
	if (in_bins(&job->bins[dir][kind], l, percent, ns))
		return true;
	for (unsigned i = 0; l->percentiles && i < job->sum.percentiles; i++) {
		if (fabs(job->sum.percentile[i] - percent) < 1e-9) {
			*ns = l->value[i];
			return true;
		}
	}
	return false;
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
	const char *value = find_option(job->option, job->options, name);

	return value ? value : find_option(r->global, r->globals, name);
}
