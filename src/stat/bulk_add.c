#include <stdbool.h>
#include "bulk_add.h"
#include "bulk_vector.h"
#include "cpu_features.h"

static void add_sums(struct moments *m, const struct bulk_sums *s, unsigned n)
{
	m->n += n;
	m->sum += s->sum;
	m->sq_hi += (uint64_t)__builtin_add_overflow(m->sq_lo, s->sq, &m->sq_lo);
	m->min = s->min < m->min ? s->min : m->min;
	m->max = s->max > m->max ? s->max : m->max;
}

static void add_singly(struct moments *m, struct hist *h, const uint64_t *ns, unsigned n)
{
	for (unsigned i = 0; i < n && m; i++)
		moments_add(m, ns[i]);
	for (unsigned i = 0; i < n && h; i++)
		hist_add(h, ns[i]);
}

/* Counts in the order of ns[], because an interrupted fold of wstat relies on this order. */
static void add_indices(struct hist *h, const uint64_t *ns, unsigned n, const struct bulk_sums *s)
{
	unsigned lo = hist_index(s->min), hi = hist_index(s->max);
	uint64_t index[BULK_PART];

	bulk_index_avx2(index, ns, n);
	h->lo = lo < h->lo ? lo : h->lo;
	h->hi = hi > h->hi ? hi : h->hi;
	for (unsigned i = 0; i < n; i += BULK_LANES) {
		h->n[index[i]]++;
		h->n[index[i + 1]]++;
		h->n[index[i + 2]]++;
		h->n[index[i + 3]]++;
	}
}

void bulk_add(struct moments *m, struct hist *h, const uint64_t *ns, unsigned n)
{
	unsigned part;

	for (bool vectors = cpu_has_avx2(); vectors && n >= BULK_LANES; ns += part, n -= part) {
		struct bulk_sums s;

		part = (n < BULK_PART ? n : BULK_PART) / BULK_LANES * BULK_LANES;
		if (!bulk_sum_avx2(&s, ns, part)) {
			add_singly(m, h, ns, part);
			continue;
		}
		if (m)
			add_sums(m, &s, part);
		if (h)
			add_indices(h, ns, part, &s);
	}
	add_singly(m, h, ns, n);
}

/* Stores the latencies of one kind of n pairs. */
static void get_lats(uint64_t *ns, const struct wstat_pair *pair, unsigned n, unsigned kind)
{
	for (unsigned i = 0; i < n; i++)
		ns[i] = wstat_pair_lat(&pair[i], kind);
}

static void add_pairs_singly(const struct bulk_add_to *to, const struct wstat_pair *pair, unsigned n)
{
	uint64_t ns[WSTAT_RING];

	for (unsigned k = 0; k <= LAT_LAT; k++) {
		if (!to->m[k] && !to->h[k])
			continue;
		get_lats(ns, pair, n, k);
		add_singly(to->m[k], to->h[k], ns, n);
	}
}

void bulk_add_pairs(const struct bulk_add_to *to, const struct wstat_pair *pair, unsigned n)
{
	unsigned whole = cpu_has_avx2() ? n / BULK_LANES * BULK_LANES : 0;
	uint64_t ns[WSTAT_RING];
	struct bulk_sums s[LAT_LAT + 1];

	if (!whole || !bulk_sum_pairs_avx2(s, ns, pair, whole)) {
		add_pairs_singly(to, pair, n);
		return;
	}
	for (unsigned k = 0; k <= LAT_LAT; k++)
		if (to->m[k])
			add_sums(to->m[k], &s[k], whole);
	if (to->h[LAT_CLAT])
		add_indices(to->h[LAT_CLAT], ns, whole, &s[LAT_CLAT]);
	for (unsigned k = 0; k <= LAT_LAT; k++) {
		if (!to->h[k] || k == LAT_CLAT)
			continue;
		get_lats(ns, pair, whole, k);
		add_indices(to->h[k], ns, whole, &s[k]);
	}
	if (whole < n)
		add_pairs_singly(to, pair + whole, n - whole);
}
