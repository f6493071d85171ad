/* json_counts.c: writes the counts behind a job's figures, from which a reader can compute every figure anew.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "counts.h"
#include "json_shared.h"
#include "strbuf.h"

static void put_count(struct jsonw *w, const char *key, uint64_t v)
{
	char text[24];

	if (!v)
		return;
	snprintf(text, sizeof(text), "%" PRIu64, v);
	jsonw_str(w, key, text);
}

static void put_count_keys(struct jsonw *w, const struct count_key *key, const void *counts)
{
	for (; key->key; key++)
		put_count(w, key->key, *count_at((void *)(uintptr_t)counts, key));
}

/* Adds 15 or 17 significant digits, from which strtod gets the same number. The decimal point of the locale
   becomes a dot. */
static void add_exact(struct strbuf *b, double v)
{
	char text[64];
	bool point = false;

	snprintf(text, sizeof(text), "%.15g", v);
	if (strtod(text, NULL) < v || strtod(text, NULL) > v)
		snprintf(text, sizeof(text), "%.17g", v);
	for (const char *p = text; *p; p++) {
		bool plain = strchr("0123456789+-e", *p);

		if (plain || !point)
			strbuf_putc(b, plain ? *p : '.');
		point |= !plain;
	}
}

static void add_double(struct strbuf *b, const char *key, double v)
{
	strbuf_printf(b, ",\"%s\":\"", key);
	add_exact(b, v);
	strbuf_putc(b, '"');
}

/* Adds text, which is JSON of one line. */
static void put_raw(struct jsonw *w, const char *key, struct strbuf *text)
{
	jsonw_raw(w, key, strbuf_str(text));
	strbuf_end(text, w->out);
}

/* 2^128 has 39 digits. */
void json_add_u128(struct strbuf *b, uint64_t hi, uint64_t lo)
{
	__extension__ typedef unsigned __int128 u128;
	u128 v = (u128)hi << 64 | lo;
	char text[40], *at = text + sizeof(text) - 1;

	*at = '\0';
	do
		*--at = (char)('0' + (unsigned)(v % 10));
	while (v /= 10);
	strbuf_puts(b, at);
}

static void add_bins(struct strbuf *b, const struct result_bins *bins)
{
	strbuf_puts(b, ",\"bins\":");
	for (size_t i = 0; i < bins->n; i++) {
		strbuf_puts(b, i ? ",\"" : "{\"");
		strbuf_u64(b, bins->ns[i]);
		strbuf_puts(b, "\":");
		strbuf_u64(b, bins->count[i]);
	}
	strbuf_putc(b, '}');
}

/* bins: only bins that are nowhere else in the document; may be NULL. */
static void put_moments(struct jsonw *w, const char *key, const struct moments *m,
			const struct result_bins *bins)
{
	struct strbuf b = { 0 };

	for (const struct count_key *k = counts_of_lat; k->key; k++)
		strbuf_printf(&b, "%c\"%s\":\"%" PRIu64 "\"", k == counts_of_lat ? '{' : ',', k->key,
			      *count_at((void *)(uintptr_t)m, k));
	strbuf_puts(&b, ",\"sum_sq\":\"");
	json_add_u128(&b, m->sq_hi, m->sq_lo);
	strbuf_putc(&b, '"');
	if (bins && bins->n)
		add_bins(&b, bins);
	strbuf_putc(&b, '}');
	put_raw(w, key, &b);
}

/* Returns the bins of a latency whose percentiles, and so whose bins, are not in fio's part of the document.
 */
static const struct result_bins *other_bins(const struct result_job *j, unsigned dir, unsigned kind)
{
	const struct summary_lat *l = dir == DIR_SYNC ? &j->sum.sync : &j->sum.dir[dir].lat[kind];

	return l->percentiles ? NULL : &j->bins[dir][kind];
}

static void put_samples(struct jsonw *w, const char *key, const struct samples *s)
{
	struct strbuf b = { 0 };

	if (!s->n)
		return;
	strbuf_printf(&b, "{\"n\":\"%" PRIu64 "\"", s->n);
	add_double(&b, "min", s->min);
	add_double(&b, "max", s->max);
	add_double(&b, "sum", s->sum);
	add_double(&b, "sum_sq", s->sq);
	strbuf_putc(&b, '}');
	put_raw(w, key, &b);
}

/* The priorities have the order of "prios" in fio's part of the document. */
static void put_prios(struct jsonw *w, const struct result_job *j, unsigned dir)
{
	if (dir >= DIR_DATA || !j->nprios[dir])
		return;
	jsonw_array(w, "prios");
	for (unsigned i = 0; i < j->nprios[dir]; i++)
		put_moments(w, NULL, &j->prios[dir][i].counts, NULL);
	jsonw_end_array(w);
}

static bool dir_is_empty(const struct result_counts *c, unsigned dir)
{
	const struct wstat_dir *d = &c->dir[dir];

	return !d->ios && !d->bytes && !d->errors && !d->short_ios && !c->cnt.runtime_ns[dir] &&
	       !c->cnt.arrivals[dir] && !c->cnt.unissued[dir];
}

static void put_dir_counts(struct jsonw *w, const struct result *r, const struct result_job *j, unsigned dir)
{
	const struct result_counts *c = &j->counts;

	if (dir_is_empty(c, dir))
		return;
	jsonw_object(w, j->mixed && dir == DIR_READ ? "mixed" : counts_dir_name[dir]);
	put_count_keys(w, counts_of_dir, &c->dir[dir]);
	for (const struct count_key *k = counts_by_dir; k->key; k++)
		put_count(w, k->key, count_at((void *)(uintptr_t)&c->cnt, k)[dir]);
	for (unsigned kind = 0; kind < LAT_KINDS; kind++)
		if (c->dir[dir].lat[kind].n)
			put_moments(w, counts_kind_name[kind], &c->dir[dir].lat[kind],
				    r->bins_off ? NULL : other_bins(j, dir, kind));
	put_prios(w, j, dir);
	if (dir < DIR_DATA) {
		put_samples(w, "bw_samples", &c->bw[dir]);
		put_samples(w, "iops_samples", &c->iops[dir]);
	}
	jsonw_end_object(w);
}

static void put_list(struct jsonw *w, const char *key, const uint64_t *v, unsigned n)
{
	struct strbuf b = { 0 };

	for (unsigned i = 0; i < n; i++)
		strbuf_printf(&b, "%c\"%" PRIu64 "\"", i ? ',' : '[', v[i]);
	strbuf_putc(&b, ']');
	put_raw(w, key, &b);
}

static void put_percentile_list(struct jsonw *w, const struct summary_cfg *c)
{
	struct strbuf b = { 0 };

	if (!c->npercentiles)
		return;
	for (unsigned i = 0; i < c->npercentiles; i++) {
		strbuf_puts(&b, i ? ",\"" : "[\"");
		add_exact(&b, c->percentiles[i]);
		strbuf_putc(&b, '"');
	}
	strbuf_putc(&b, ']');
	put_raw(w, "percentile_list", &b);
}

static void put_lat_kinds(struct jsonw *w, const char *key, const bool of[LAT_KINDS])
{
	struct strbuf b = { 0 };

	strbuf_putc(&b, '[');
	for (unsigned k = 0; k < LAT_KINDS; k++)
		if (of[k])
			strbuf_printf(&b, "%s\"%s\"", b.len > 1 ? "," : "", counts_kind_name[k]);
	strbuf_putc(&b, ']');
	put_raw(w, key, &b);
}

/* Adds the options that select figures. */
static void put_cfg(struct jsonw *w, const struct summary_cfg *c)
{
	bool of[LAT_KINDS];

	memcpy(of, c->percentiles_of, sizeof(of));
	of[LAT_CLAT] |= !c->percentiles_off;
	put_lat_kinds(w, "percentiles_of", of);
	put_lat_kinds(w, "disabled", c->disabled);
	put_percentile_list(w, c);
}

void json_counts(struct jsonw *w, const struct result *r, const struct result_job *j)
{
	const struct result_counts *c = &j->counts;

	if (!c->known)
		return;
	jsonw_object(w, "counts");
	if (!c->exact)
		jsonw_bool(w, "rounded", true);
	for (unsigned dir = 0; dir < DIR_COUNT; dir++)
		put_dir_counts(w, r, j, dir);
	put_samples(w, "bw_samples", &c->bw[DIR_DATA]);
	put_samples(w, "iops_samples", &c->iops[DIR_DATA]);
	put_count_keys(w, counts_of_job, &c->cnt);
	put_list(w, "depth", c->cnt.depth, WSTAT_DEPTHS);
	put_list(w, "submit", c->cnt.submit, WSTAT_DEPTHS);
	put_list(w, "complete", c->cnt.complete, WSTAT_DEPTHS);
	if (c->cnt.replayed)
		put_list(w, "late", c->cnt.late, WSTAT_LATE_BUCKETS);
	put_cfg(w, &c->cfg);
	jsonw_end_object(w);
}
