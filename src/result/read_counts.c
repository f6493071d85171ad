/* read_counts.c: reads the counts behind a job's figures, or computes them from the figures. */
#include <errno.h>
#include <string.h>
#include "counts.h"
#include "read_parts.h"

/* The largest count. With this limit the sum of the seven rows of a distribution fits 64 bits. */
#define DEPTH_MAX ((uint64_t)1 << 61)

__extension__ typedef unsigned __int128 u128;

/* ---- from the document ---- */

/* Reads the rows of a table into the struct `counts`. */
static void read_table(struct reader *rd, const struct read_object *o, const struct count_key *key,
		       void *counts)
{
	for (; key->key; key++)
		read_count(rd, o, key->key, count_at(counts, key));
}

void read_u128(struct reader *rd, const struct read_object *o, const char *key, uint64_t *hi, uint64_t *lo)
{
	struct json v = json_get(&o->ix, key);
	u128 n = 0;

	if (json_kind(v) != JSON_STRING || v.end - v.at < 3 || v.end - v.at > 2 + 39) {
		read_fail(rd, -EINVAL, key, "this is not a whole number of 1 to 39 digits in a string");
		return;
	}
	for (const char *p = v.at + 1; p < v.end - 1; p++) {
		if (*p < '0' || *p > '9') {
			read_fail(rd, -EINVAL, key, "this is not a number");
			return;
		}
		if (__builtin_mul_overflow(n, (u128)10, &n) ||
		    __builtin_add_overflow(n, (u128)(*p - '0'), &n)) {
			read_fail(rd, -ERANGE, key, "this is too large");
			return;
		}
	}
	*lo = (uint64_t)n;
	*hi = (uint64_t)(n >> 64);
}

static void read_moments_of(struct reader *rd, const struct read_object *o, struct moments *m)
{
	read_table(rd, o, counts_of_lat, m);
	read_u128(rd, o, "sum_sq", &m->sq_hi, &m->sq_lo);
	rd->contradiction |= !m->n || !read_sum_fits(m->n, m->min, m->max, m->sum);
}

/* Reads the moments of a latency whose figures are l, and its bins if fio's part of the document lacks them.
 */
static void read_moments(struct reader *rd, const struct read_object *in, const char *key, struct moments *m,
			 const struct summary_lat *l, struct result_bins *bins)
{
	struct read_object o;

	if (!read_open_key(rd, &o, in, key))
		return;
	read_moments_of(rd, &o, m);
	if (!bins->n) {
		read_bins(rd, &o, bins);
		if (bins_total(bins) != m->n)
			bins->n = 0;
	}
	rd->contradiction |= (l->n && l->n != m->n) || (bins->n && bins_total(bins) != m->n);
	read_close(rd, &o);
}

static void read_number(struct reader *rd, const struct read_object *o, const char *key, double *to)
{
	struct json v = json_get(&o->ix, key);

	if (v.at)
		read_check(rd, key, v, json_text_double(v, to));
	if (*to < 0)
		read_fail(rd, -EINVAL, key, "this is negative");
}

static void read_samples(struct reader *rd, const struct read_object *in, const char *key, struct samples *s)
{
	struct read_object o;

	if (!read_open_key(rd, &o, in, key))
		return;
	read_count(rd, &o, "n", &s->n);
	read_number(rd, &o, "min", &s->min);
	read_number(rd, &o, "max", &s->max);
	read_number(rd, &o, "sum", &s->sum);
	read_number(rd, &o, "sum_sq", &s->sq);
	/* These are not the sums of any samples. */
	if (s->max >= 0x1p64 || s->min > s->max || s->sum > (double)s->n * s->max * 1.001)
		*s = (struct samples){ 0 };
	read_close(rd, &o);
}

static void read_prio_moments(struct reader *rd, const struct read_object *dir, struct result_job *j,
			      unsigned d)
{
	struct json_iter it = read_array(rd, dir, "prios");
	struct read_object o;

	for (unsigned i = 0; d < DIR_DATA && !rd->err && json_next(&it); i++) {
		if (i == j->nprios[d]) {
			read_fail(rd, -EINVAL, "prios", "there are more than in the job's \"prios\"");
			return;
		}
		if (!read_open_at(rd, &o, it.value, "prios", i))
			return;
		/* The priorities are still in this job's scratch memory, so they may be changed. */
		read_moments_of(rd, &o, &((struct result_prio *)(uintptr_t)&j->prios[d][i])->counts);
		read_close(rd, &o);
	}
}

static void read_counts_dir(struct reader *rd, const struct read_object *in, struct result_job *j, unsigned d)
{
	struct result_counts *c = &j->counts;
	struct read_object o;

	if (!read_open_key(rd, &o, in, j->mixed && d == DIR_READ ? "mixed" : counts_dir_name[d]))
		return;
	read_table(rd, &o, counts_of_dir, &c->dir[d]);
	for (const struct count_key *k = counts_by_dir; k->key; k++)
		read_count(rd, &o, k->key, &count_at(&c->cnt, k)[d]);
	rd->contradiction |= c->dir[d].ios != (d < DIR_DATA ? j->sum.dir[d].ios : j->sum.sync_ios);
	for (unsigned kind = 0; kind < LAT_KINDS; kind++)
		read_moments(rd, &o, counts_kind_name[kind], &c->dir[d].lat[kind],
			     d < DIR_DATA ? &j->sum.dir[d].lat[kind] : &j->sum.sync, &j->bins[d][kind]);
	read_prio_moments(rd, &o, j, d);
	if (d < DIR_DATA) {
		read_samples(rd, &o, "bw_samples", &c->bw[d]);
		read_samples(rd, &o, "iops_samples", &c->iops[d]);
		j->sum.dir[d].runtime_ns = c->cnt.runtime_ns[d];
		j->sum.dir[d].errors = c->dir[d].errors;
	} else {
		j->sum.sync_errors = c->dir[d].errors;
	}
	read_close(rd, &o);
}

static void read_list(struct reader *rd, const struct read_object *o, const char *key, uint64_t *v,
		      unsigned n)
{
	struct json_iter it = read_array(rd, o, key);

	for (unsigned i = 0; i < n && json_next(&it); i++) {
		int ret = json_text_u64(it.value, &v[i]);

		read_check(rd, key, it.value, ret || v[i] <= DEPTH_MAX ? ret : -ERANGE);
	}
}

/* Sets a flag for each kind of latency that the array names. */
static void read_kinds(struct reader *rd, const struct read_object *o, const char *key, bool *of)
{
	struct json_iter it = read_array(rd, o, key);

	while (json_next(&it)) {
		for (unsigned k = 0; k < LAT_KINDS; k++)
			of[k] |= json_is(it.value, counts_kind_name[k]);
	}
}

static void read_cfg(struct reader *rd, const struct read_object *o, struct summary_cfg *cfg)
{
	struct json_iter it = read_array(rd, o, "percentile_list");

	read_kinds(rd, o, "percentiles_of", cfg->percentiles_of);
	read_kinds(rd, o, "disabled", cfg->disabled);
	cfg->percentiles_off = !cfg->percentiles_of[LAT_CLAT];
	while (!rd->err && json_next(&it) && cfg->npercentiles < SUMMARY_PERCENTILES) {
		double *p = &cfg->percentiles[cfg->npercentiles++];

		read_check(rd, "percentile_list", it.value, json_text_double(it.value, p));
		if (*p < 0 || *p > 100)
			read_fail(rd, -EINVAL, "percentile_list", "a percentile is not between 0 and 100");
	}
}

/* Clears the counts, but for those that are figures and have been read as such. */
static void clear_counts(struct result_counts *c, const struct wcount *figures)
{
	*c = (struct result_counts){ .cnt = *figures };
	for (unsigned d = 0; d < DIR_COUNT; d++)
		for (unsigned k = 0; k < LAT_KINDS; k++)
			c->dir[d].lat[k].min = UINT64_MAX;
}

void read_counts(struct reader *rd, const struct read_object *fiord, struct result_job *j)
{
	struct result_counts *c = &j->counts;
	const struct wcount figures = c->cnt;
	struct read_object o;
	bool rounded = false;

	if (!read_open_key(rd, &o, fiord, "counts"))
		return;
	clear_counts(c, &figures);
	read_bool(rd, &o, "rounded", &rounded);
	for (unsigned d = 0; d < DIR_COUNT; d++)
		read_counts_dir(rd, &o, j, d);
	read_samples(rd, &o, "bw_samples", &c->bw[DIR_DATA]);
	read_samples(rd, &o, "iops_samples", &c->iops[DIR_DATA]);
	read_table(rd, &o, counts_of_job, &c->cnt);
	read_list(rd, &o, "depth", c->cnt.depth, WSTAT_DEPTHS);
	read_list(rd, &o, "submit", c->cnt.submit, WSTAT_DEPTHS);
	read_list(rd, &o, "complete", c->cnt.complete, WSTAT_DEPTHS);
	if (read_has(&o, "late"))
		read_list(rd, &o, "late", c->cnt.late, WSTAT_LATE_BUCKETS);
	read_cfg(rd, &o, &c->cfg);
	c->known = !rd->contradiction;
	c->exact = !rounded;
	if (rd->contradiction)
		c->cnt = figures;
	if (rd->contradiction && !rd->err)
		result_job_note(j, "The counts in the document contradict its figures, and are not used.");
	read_close(rd, &o);
}

/* ---- from the figures ---- */

/* Returns x rounded to an integer; 0 if x is not positive or is too large. */
static u128 whole(long double x)
{
	return x > 0 && x < 0x1p127L ? (u128)(x + 0.5L) : 0;
}

static struct moments moments_from(const struct summary_lat *l)
{
	struct moments m = { .n = l->n, .min = l->min, .max = l->max };
	long double n = (long double)l->n, mean = (long double)l->mean, dev = (long double)l->stddev;
	u128 sum = whole(mean * n), low = (u128)l->n * l->min, high = (u128)l->n * l->max, sq;

	if (!l->n)
		return (struct moments){ .min = UINT64_MAX };
	sum = sum < low ? low : sum > high ? high : sum;
	m.sum = sum > UINT64_MAX ? UINT64_MAX : (uint64_t)sum;
	sq = whole(dev * dev * (n - 1) + (long double)m.sum * ((long double)m.sum / n));
	m.sq_lo = (uint64_t)sq;
	m.sq_hi = (uint64_t)(sq >> 64);
	return m;
}

static struct samples samples_from(const struct summary_rate *r)
{
	double n = (double)r->n;

	return (struct samples){ .n = r->n,
				 .min = r->min,
				 .max = r->max,
				 .sum = r->mean * n,
				 .sq = r->stddev * r->stddev * (n - 1) + r->mean * r->mean * n };
}

static uint64_t share_of(double percent, uint64_t total)
{
	double v = percent / 100 * (double)total + 0.5;

	return v < 1.8e19 ? (uint64_t)v : 0;
}

static void estimate_dirs(struct result_job *j)
{
	struct result_counts *c = &j->counts;

	for (unsigned d = 0; d < DIR_DATA; d++) {
		const struct summary_dir *from = &j->sum.dir[d];

		c->dir[d] = (struct wstat_dir){ .ios = from->ios,
						.bytes = from->bytes,
						.short_ios = from->short_ios,
						.drop_ios = from->drop_ios,
						.unfinished = from->unissued + from->in_flight_at_end };
		for (unsigned k = 0; k < LAT_KINDS; k++)
			c->dir[d].lat[k] = moments_from(&from->lat[k]);
		c->cnt.runtime_ns[d] = from->runtime_ns;
		c->cnt.unissued[d] = from->unissued;
		c->cnt.unissued_age_ns[d] = from->unissued_age_ns;
		c->cnt.asked[d] = from->asked_ios;
		c->cnt.asked_ns[d] = from->asked_ns;
		c->cnt.arrivals[d] = from->arrivals;
		c->cnt.queue_max[d] = from->queue_max;
		c->bw[d] = samples_from(&from->bw_row);
		c->iops[d] = samples_from(&from->iops_row);
	}
	c->dir[DIR_SYNC].ios = j->sum.sync_ios;
	c->dir[DIR_SYNC].lat[LAT_CLAT] = moments_from(&j->sum.sync);
	if (j->both) {
		c->bw[DIR_DATA] = samples_from(&j->sum_both.bw_row);
		c->iops[DIR_DATA] = samples_from(&j->sum_both.iops_row);
	}
}

/* The document has only shares. Those of depths are shares of the I/Os. Those of submit and complete are
   shares of calls, whose number is unknown, so they are taken as shares of the I/Os, too. */
static void estimate_depths(struct result_job *j)
{
	struct wcount *c = &j->counts.cnt;
	uint64_t ios = 0;

	for (unsigned d = 0; d < DIR_DATA; d++)
		if (__builtin_add_overflow(ios, j->sum.dir[d].ios, &ios))
			ios = UINT64_MAX / 2;
	for (unsigned i = 0; i < WSTAT_DEPTHS; i++) {
		c->depth[i] = share_of(j->sum.depth[i], ios);
		c->submit[i] = share_of(j->sum.submit[i], ios);
		c->complete[i] = share_of(j->sum.complete[i], ios);
	}
}

static void estimate_cfg(const struct summary *s, struct summary_cfg *cfg)
{
	cfg->npercentiles = s->npercentiles;
	memcpy(cfg->percentiles, s->percentiles, sizeof(cfg->percentiles));
	memcpy(cfg->percentiles_of, s->print_percentiles, sizeof(cfg->percentiles_of));
	cfg->percentiles_off = !s->print_percentiles[LAT_CLAT];
}

void estimate_counts(struct result_job *j)
{
	struct result_counts *c = &j->counts;
	const struct summary *s = &j->sum;
	const struct wcount figures = c->cnt;

	clear_counts(c, &figures);
	c->known = true;
	estimate_dirs(j);
	estimate_depths(j);
	estimate_cfg(s, &c->cfg);
	c->cnt.job_runtime_ns = s->job_runtime_ms * 1000000;
	c->cnt.user_us = share_of(s->usr_cpu, s->job_runtime_ms * 1000);
	c->cnt.sys_us = share_of(s->sys_cpu, s->job_runtime_ms * 1000);
	c->cnt.ctx = s->ctx;
	c->cnt.majf = s->majf;
	c->cnt.minf = s->minf;
	c->cnt.errors = s->errors;
	c->cnt.first_error = s->first_error > 0 ? (uint64_t)s->first_error : 0;
	c->cnt.replayed = s->replayed;
	c->cnt.replayed_late = s->replayed_late;
	c->cnt.replayed_flushes = s->replayed_flushes;
	c->cnt.replayed_fua = s->replayed_fua;
	for (unsigned d = 0; d < DIR_DATA; d++)
		for (unsigned i = 0; i < j->nprios[d]; i++)
			((struct result_prio *)(uintptr_t)&j->prios[d][i])->counts =
				moments_from(&j->prios[d][i].sum.lat);
}
