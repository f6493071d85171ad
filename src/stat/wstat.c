#include <math.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <string.h>
#include "bulk_add.h"
#include "counts.h"
#include "wstat.h"

__extension__ typedef unsigned __int128 u128;

size_t wstat_size(const struct wstat_layout *l)
{
	return sizeof(struct wstat) + l->nhist * sizeof(struct hist) + l->nprio * sizeof(struct wstat_prio);
}

static void prio_init(struct wstat_prio *p)
{
	memset(p->lat, 0, sizeof(p->lat));
	for (unsigned d = 0; d < WSTAT_PRIO_DIRS; d++) {
		p->lat[d].min = UINT64_MAX;
		hist_reset(&p->hist[d]);
	}
}

void wstat_init(struct wstat *s, const struct wstat_layout *l)
{
	memset(s->dir, 0, sizeof(s->dir));
	for (unsigned d = 0; d < DIR_COUNT; d++)
		for (unsigned k = 0; k < LAT_KINDS; k++)
			s->dir[d].lat[k].min = UINT64_MAX;
	memset(s->total, 0, sizeof(s->total));
	for (unsigned i = 0; i < l->nhist; i++)
		hist_reset(&s->hist[i]);
	for (unsigned i = 0; i < l->nprio; i++)
		prio_init(&wstat_prios(s, l)[i]);
}

static uint64_t capped_sum(uint64_t a, uint64_t b)
{
	uint64_t sum;

	return __builtin_add_overflow(a, b, &sum) ? UINT64_MAX : sum;
}

static uint64_t capped_product(uint64_t a, uint64_t b)
{
	uint64_t product;

	return __builtin_mul_overflow(a, b, &product) ? UINT64_MAX : product;
}

void moments_add_n(struct moments *m, uint64_t ns, uint64_t n)
{
	u128 sq = (u128)ns * ns * n;

	m->n += n;
	m->sum = capped_sum(m->sum, capped_product(ns, n));
	m->sq_hi +=
		(uint64_t)(sq >> 64) + (uint64_t)__builtin_add_overflow(m->sq_lo, (uint64_t)sq, &m->sq_lo);
	m->min = ns < m->min ? ns : m->min;
	m->max = ns > m->max ? ns : m->max;
}

void moments_merge(struct moments *to, const struct moments *from)
{
	if (from->n == 0)
		return;
	to->min = to->n && to->min < from->min ? to->min : from->min;
	to->max = to->max > from->max ? to->max : from->max;
	to->n += from->n;
	to->sum = capped_sum(to->sum, from->sum);
	to->sq_hi += from->sq_hi + (uint64_t)__builtin_add_overflow(to->sq_lo, from->sq_lo, &to->sq_lo);
}

void wstat_dir_merge(struct wstat_dir *to, const struct wstat_dir *from)
{
	to->ios += from->ios;
	to->bytes += from->bytes;
	to->short_ios += from->short_ios;
	to->drop_ios += from->drop_ios;
	to->errors += from->errors;
	to->unfinished += from->unfinished;
	to->unfinished_sum_ns = capped_sum(to->unfinished_sum_ns, from->unfinished_sum_ns);
	for (unsigned k = 0; k < LAT_KINDS; k++)
		moments_merge(&to->lat[k], &from->lat[k]);
}

void wstat_prio_merge(struct wstat_prio *to, const struct wstat_prio *from)
{
	for (unsigned d = 0; d < WSTAT_PRIO_DIRS; d++) {
		moments_merge(&to->lat[d], &from->lat[d]);
		hist_merge(&to->hist[d], &from->hist[d]);
	}
}

void wstat_add_unfinished(struct wstat *s, const struct wstat_layout *l, unsigned dir, uint64_t age_ns,
			  uint64_t n)
{
	s->dir[dir].unfinished += n;
	s->dir[dir].unfinished_sum_ns = capped_sum(s->dir[dir].unfinished_sum_ns, capped_product(n, age_ns));
	if (l->moments[dir][LAT_RESP])
		moments_add_n(&s->dir[dir].lat[LAT_RESP], age_ns, n);
	if (l->hist[dir][LAT_RESP])
		hist_add_bucket(&s->hist[l->hist[dir][LAT_RESP] - 1], hist_index(age_ns), n);
}

/* Returns the entries of this kind of latency that are no completed I/Os. */
static uint64_t extra_entries(const struct wstat_dir *d, unsigned kind)
{
	return kind == LAT_RESP ? d->unfinished : 0;
}

/* Returns the smallest number of I/Os in any of the counts. */
static uint64_t least_ios(const struct wstat *s, const struct wstat_layout *l, unsigned dir)
{
	const struct wstat_dir *d = &s->dir[dir];
	uint64_t least = d->ios;

	for (unsigned k = 0; k < LAT_KINDS; k++) {
		uint64_t extra = extra_entries(d, k), moments = d->lat[k].n - extra;
		uint64_t n = l->hist[dir][k] ? hist_total(&s->hist[l->hist[dir][k] - 1]) - extra : UINT64_MAX;

		if (l->hist[dir][k] && d->ios - n <= 1)
			least = n < least ? n : least;
		if (l->moments[dir][k] && d->ios - moments <= 1)
			least = moments < least ? moments : least;
	}
	return least;
}

static void moments_drop(struct moments *m)
{
	uint64_t mean = m->n ? m->sum / m->n : 0;
	u128 sq = (((u128)m->sq_hi << 64) | m->sq_lo), mean_sq = (u128)mean * mean;

	m->n--;
	m->sum -= mean;
	sq -= mean_sq < sq ? mean_sq : sq;
	m->sq_hi = (uint64_t)(sq >> 64);
	m->sq_lo = (uint64_t)sq;
}

void wstat_drop_partial(struct wstat *s, const struct wstat_layout *l)
{
	for (unsigned dir = 0; dir < DIR_COUNT; dir++) {
		struct wstat_dir *d = &s->dir[dir];
		uint64_t ios = d->ios, least = least_ios(s, l, dir);

		for (unsigned k = 0; k < LAT_KINDS; k++) {
			struct hist *h = l->hist[dir][k] ? &s->hist[l->hist[dir][k] - 1] : NULL;
			uint64_t extra = extra_entries(d, k);

			if (h && hist_total(h) == least + extra + 1)
				hist_drop(h, moments_mean(&d->lat[k]));
			if (l->moments[dir][k] && d->lat[k].n == least + extra + 1)
				moments_drop(&d->lat[k]);
		}
		if (ios > least) {
			d->bytes -= d->bytes / ios;
			d->ios = least;
		}
	}
}

/* Returns the number of I/Os in the ring. The writer may be at any point, so the number is limited to the
   ring. */
static unsigned backlog_ios(const struct wstat_total *total, const struct wstat_dir *d)
{
	unsigned room = WSTAT_RING - d->ios % WSTAT_RING;

	if (total->ios <= d->ios)
		return 0;
	return total->ios - d->ios < room ? (unsigned)(total->ios - d->ios) : room;
}

/* Keeps the compiler from reordering stores, because the writer may die between any two of them. */
static void compiler_barrier(void)
{
	atomic_signal_fence(memory_order_seq_cst);
}

/* Returns the number of the n I/Os in the ring that this histogram has counted already. It counts them in
   order. had: its entries before the ring. */
static unsigned already_counted(const struct hist *h, uint64_t had, unsigned n)
{
	uint64_t total = hist_total(h);

	if (total <= had)
		return 0;
	return total - had < n ? (unsigned)(total - had) : n;
}

/* The I/Os in one ring of a wstat, which moments and histograms do not count yet. */
struct backlog {
	const struct wstat *st;
	unsigned dir, at, n;
	bool interrupted; /* a fold of them began and did not end */
};

static struct backlog backlog(const struct wstat *st, unsigned dir)
{
	const struct wstat_dir *d = &st->dir[dir];
	unsigned n = backlog_ios(&st->total[dir], d);

	return (struct backlog){ st, dir, d->ios % WSTAT_RING, n, n && st->total[dir].folding };
}

static struct hist *hist_for(struct wstat *s, const struct wstat_layout *l, unsigned dir, unsigned kind)
{
	return l->hist[dir][kind] ? &s->hist[l->hist[dir][kind] - 1] : NULL;
}

/* Adds to each histogram the I/Os that it has not counted yet, after an interrupted fold. */
static void fold_hists(struct wstat *to, const struct wstat_layout *l, const struct backlog *v)
{
	const struct wstat_ring *r = &v->st->ring[v->dir];
	const struct wstat_dir *d = &v->st->dir[v->dir];
	uint64_t ns[WSTAT_RING];

	for (unsigned k = 0; k < LAT_KINDS; k++) {
		struct hist *h = hist_for(to, l, v->dir, k);
		unsigned skip;

		if (!h)
			continue;
		for (unsigned i = 0; i < v->n; i++)
			ns[i] = k == LAT_RESP ? r->resp[v->at + i] : wstat_pair_lat(&r->pair[v->at + i], k);
		skip = already_counted(&v->st->hist[l->hist[v->dir][k] - 1], d->ios + extra_entries(d, k),
				       v->n);
		bulk_add(NULL, h, ns + skip, v->n - skip);
	}
}

/* Adds the I/Os of the ring to moments and histograms of `to`, which may be the wstat of the ring. */
static void fold_lats(struct wstat *to, const struct wstat_layout *l, const struct backlog *v)
{
	const struct wstat_ring *r = &v->st->ring[v->dir];
	struct wstat_dir *d = &to->dir[v->dir];
	struct bulk_add_to t = { 0 };

	for (unsigned k = 0; k <= LAT_LAT; k++) {
		t.m[k] = l->moments[v->dir][k] ? &d->lat[k] : NULL;
		t.h[k] = v->interrupted ? NULL : hist_for(to, l, v->dir, k);
	}
	bulk_add_pairs(&t, &r->pair[v->at], v->n);
	if (l->moments[v->dir][LAT_RESP])
		bulk_add(&d->lat[LAT_RESP], v->interrupted ? NULL : hist_for(to, l, v->dir, LAT_RESP),
			 &r->resp[v->at], v->n);
	if (v->interrupted)
		fold_hists(to, l, v);
}

void wstat_fold_dir(struct wstat *s, const struct wstat_layout *l, unsigned dir)
{
	const struct backlog v = backlog(s, dir);
	struct wstat_total *total = &s->total[dir];
	struct wstat_dir *d = &s->dir[dir];

	if (v.n) {
		memcpy(v.interrupted ? d->lat : total->saved, v.interrupted ? total->saved : d->lat,
		       sizeof(d->lat));
		compiler_barrier();
		total->folding = 1;
		compiler_barrier();
		fold_lats(s, l, &v);
		compiler_barrier();
		d->bytes = wstat_total_bytes(total);
		compiler_barrier();
		d->ios += v.n;
		compiler_barrier();
	}
	total->folding = 0;
}

void wstat_fold(struct wstat *s, const struct wstat_layout *l)
{
	for (unsigned d = 0; d < DIR_COUNT; d++)
		if (s->total[d].ios > s->dir[d].ios)
			wstat_fold_dir(s, l, d);
}

static void merge_dir(struct wstat *to, const struct wstat *from, const struct wstat_layout *l, unsigned dir)
{
	const struct backlog v = backlog(from, dir);
	struct wstat_dir d = from->dir[dir];

	if (v.n) {
		d.ios += v.n;
		d.bytes = wstat_total_bytes(&from->total[dir]);
	}
	if (v.interrupted)
		memcpy(d.lat, from->total[dir].saved, sizeof(d.lat));
	wstat_dir_merge(&to->dir[dir], &d);
	if (v.n)
		fold_lats(to, l, &v);
}

void wstat_merge(struct wstat *to, const struct wstat *from, const struct wstat_layout *l)
{
	for (unsigned d = 0; d < DIR_COUNT; d++)
		merge_dir(to, from, l, d);
	for (unsigned i = 0; i < l->nhist; i++)
		hist_merge(&to->hist[i], &from->hist[i]);
	for (unsigned i = 0; i < l->nprio; i++) {
		struct wstat_prio *t = &wstat_prios(to, l)[i];
		const struct wstat_prio *f = &wstat_prios((struct wstat *)(uintptr_t)from, l)[i];

		t->prio = f->prio;
		wstat_prio_merge(t, f);
	}
}

void wcount_set_runtimes(struct wcount *c, unsigned dirs, uint64_t ran_ns)
{
	uint64_t verify = c->verify_ns < ran_ns ? c->verify_ns : ran_ns;
	uint64_t trim = c->verify_trim_ns < verify ? c->verify_trim_ns : verify;

	c->job_runtime_ns = ran_ns;
	for (unsigned d = 0; d < DIR_COUNT; d++)
		c->runtime_ns[d] = dirs & 1u << d ? ran_ns - verify : 0;
	c->runtime_ns[DIR_READ] += verify - trim;
	c->runtime_ns[DIR_TRIM] += trim;
}

static void merge_rows(const struct count_key *row, struct wcount *to, const struct wcount *from, unsigned n)
{
	for (; row->key; row++) {
		uint64_t *sum = count_at(to, row);
		const uint64_t *one = count_at((void *)(uintptr_t)from, row);

		for (unsigned i = 0; i < n; i++)
			sum[i] = !row->max ? sum[i] + one[i] : one[i] > sum[i] ? one[i] : sum[i];
	}
}

void wcount_merge(struct wcount *to, const struct wcount *from)
{
	uint64_t first_error = to->first_error ? to->first_error : from->first_error;

	for (unsigned i = 0; i < WSTAT_DEPTHS; i++) {
		to->depth[i] += from->depth[i];
		to->submit[i] += from->submit[i];
		to->complete[i] += from->complete[i];
	}
	for (unsigned i = 0; from->replayed && i < WSTAT_LATE_BUCKETS; i++)
		to->late[i] += from->late[i];
	for (unsigned i = 0; i < WSTAT_LATE_PARTS; i++) {
		to->late_part[i] += from->late_part[i];
		to->late_part_ns[i] += from->late_part_ns[i];
	}
	merge_rows(counts_by_dir, to, from, DIR_COUNT);
	merge_rows(counts_of_job, to, from, 1);
	to->first_error = first_error;
}

double moments_mean(const struct moments *m)
{
	return m->n ? (double)((long double)m->sum / (long double)m->n) : 0;
}

/* With sum = q * n + r: n * variance = (squares - q * (sum + r)) - r * r / n. The first difference is exact
   in integers; the rest cancels only where the product with n fits 128 bits, and there it is exact too. */
double moments_stddev(const struct moments *m)
{
	u128 spread;
	uint64_t q, r;
	long double sum_sq;

	if (m->n < 2)
		return 0;
	q = m->sum / m->n;
	r = m->sum % m->n;
	spread = (((u128)m->sq_hi << 64) | m->sq_lo) - (u128)q * ((u128)m->sum + r);
	if (spread >> 64)
		sum_sq = (long double)spread - (long double)r * (long double)r / (long double)m->n;
	else
		sum_sq = (long double)(spread * m->n - (u128)r * r) / (long double)m->n;
	return (double)sqrtl(sum_sq / (long double)(m->n - 1));
}
