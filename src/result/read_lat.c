/* read_lat.c: reads a latency: its moments, percentiles and bins. */
#include <errno.h>
#include "read_parts.h"

bool read_sum_fits(uint64_t n, uint64_t min, uint64_t max, uint64_t sum)
{
	__extension__ typedef unsigned __int128 u128;

	return min <= max && (u128)n * min <= sum && sum <= (u128)n * max;
}

static void add_bin(struct reader *rd, struct read_hist *to, unsigned bucket, uint64_t n)
{
	if (rd->err || !n)
		return;
	if (__builtin_add_overflow(to->total, n, &to->total) || to->total > to->most)
		read_fail(rd, -ERANGE, to->bins_key, "the sum of the counts is too large");
	else
		hist_add_bucket(to->hist, bucket, n);
}

/* Reads the bins of a page, pairs of the distance from the bucket before and the count. */
static void read_hist_steps(struct reader *rd, struct json_iter it, struct read_hist *to)
{
	uint64_t bucket = 0;

	while (!rd->err && json_next(&it)) {
		uint64_t step = 0, n = 0;

		read_check(rd, to->steps_key, it.value, json_u64(it.value, &step));
		if (!json_next(&it) || step >= HIST_BUCKETS || bucket + step >= HIST_BUCKETS) {
			read_fail(rd, -EINVAL, to->steps_key, "these are not possible steps between buckets");
			return;
		}
		bucket += step;
		read_check(rd, to->steps_key, it.value, json_u64(it.value, &n));
		add_bin(rd, to, (unsigned)bucket, n);
	}
}

void read_hist(struct reader *rd, struct json_iter it, bool steps, struct read_hist *to)
{
	if (steps)
		read_hist_steps(rd, it, to);
	while (!steps && !rd->err && json_next(&it)) {
		uint64_t mid = 0, n = 0;

		read_check(rd, to->bins_key, it.key, json_text_u64(it.key, &mid));
		read_check(rd, to->bins_key, it.value, json_u64(it.value, &n));
		add_bin(rd, to, hist_index(mid), n);
	}
}

void read_bins(struct reader *rd, const struct read_object *lat, struct result_bins *bins)
{
	struct hist h;
	struct read_hist to = { &h, .most = UINT64_MAX, .bins_key = "bins", .steps_key = "steps" };
	uint64_t *ns, *count;

	hist_init(&h);
	read_hist(rd, read_members(rd, lat, "bins"), false, &to);
	if (read_has(lat, "steps"))
		read_hist(rd, read_array(rd, lat, "steps"), true, &to);
	if (rd->err || !to.total || !read_charge(rd, 4 * sizeof(*ns) * (h.hi - h.lo + 1)))
		return;
	ns = arena_array(&rd->scratch, h.hi - h.lo + 1, sizeof(*ns));
	count = arena_array(&rd->scratch, h.hi - h.lo + 1, sizeof(*count));
	if (ns && count)
		*bins = (struct result_bins){ ns, count, hist_bins(&h, ns, count) };
	else
		read_fail(rd, -ENOMEM, NULL, "out of memory");
}

uint64_t bins_total(const struct result_bins *bins)
{
	uint64_t total = 0;

	for (size_t i = 0; i < bins->n; i++)
		total += bins->count[i];
	return total;
}

static void add_percentile(struct reader *rd, double p)
{
	struct summary_cfg *cfg = &rd->cfg;
	double last = cfg->npercentiles ? cfg->percentiles[cfg->npercentiles - 1] : -1;

	/* fio prints percentiles that differ after the sixth decimal with the same key. */
	if (p == last)
		return;
	if (p < 0 || p > 100)
		read_fail(rd, -EINVAL, "percentile", "a percentile is not between 0 and 100");
	else if (p < last)
		read_fail(rd, -EINVAL, "percentile", "the percentiles are not in ascending order");
	else if (cfg->npercentiles == SUMMARY_PERCENTILES)
		read_fail(rd, -EINVAL, "percentile", "there are more than %d percentiles",
			  SUMMARY_PERCENTILES);
	else
		cfg->percentiles[cfg->npercentiles++] = p;
}

/* The first latency with percentiles sets the list for the whole job. */
static void read_percentile_list(struct reader *rd, const struct read_object *lat)
{
	struct json_iter it = read_members(rd, lat, "percentile");

	if (rd->cfg.npercentiles)
		return;
	while (!rd->err && json_next(&it)) {
		double p = 0;

		read_check(rd, "percentile", it.key, json_text_double(it.key, &p));
		add_percentile(rd, p);
	}
}

void read_percentiles(struct reader *rd, const struct read_object *lat, struct summary_lat *to)
{
	const struct summary_cfg *cfg = &rd->cfg;
	struct json_iter it = read_members(rd, lat, "percentile");

	while (!rd->err && json_next(&it)) {
		double p = 0;

		read_check(rd, "percentile", it.key, json_text_double(it.key, &p));
		for (unsigned i = 0; i < cfg->npercentiles; i++) {
			if (cfg->percentiles[i] == p)
				read_check(rd, "percentile", it.value, json_u64(it.value, &to->value[i]));
		}
		to->percentiles = true;
	}
}

void read_lat(struct reader *rd, const struct read_object *in, const char *key, struct result_job *j,
	      struct summary_lat *to, struct result_bins *bins)
{
	struct read_object o;

	if (!read_open_key(rd, &o, in, key))
		return;
	read_figures(rd, &o, figures_lat, to);
	if (to->min > to->max)
		read_fail(rd, -EINVAL, NULL, "min is larger than max");
	read_percentile_list(rd, &o);
	read_percentiles(rd, &o, to);
	if (bins)
		read_bins(rd, &o, bins);
	if (!rd->err && bins && bins->n && bins_total(bins) != to->n) {
		result_job_note(j, "The bins of %s do not add up to its N, and are left out.", rd->path);
		bins->n = 0;
	}
	if (!to->n)
		*to = (struct summary_lat){ 0 };
	read_close(rd, &o);
}
