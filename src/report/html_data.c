/* html_data.c: the data in the page: the results as JSON+, compressed and in base64. */
#include "html_page.h"

#include <errno.h>
#include <openssl/evp.h>
#include <stdlib.h>
#include <zlib.h>
#include "report.h"
#include "series.h"
#include "strbuf.h"

void html_base64(struct strbuf *b, const unsigned char *v, size_t n)
{
	unsigned char text[4097];

	for (size_t i = 0, part; i < n; i += part) {
		part = n - i < 3072 ? n - i : 3072;
		strbuf_add(b, (const char *)text, (size_t)EVP_EncodeBlock(text, v + i, (int)part));
	}
}

static void put_compressed(struct strbuf *b, const struct strbuf *json)
{
	uLongf bytes = compressBound(json->len);
	unsigned char *packed = malloc(bytes);

	if (!packed ||
	    compress2(packed, &bytes, (const unsigned char *)strbuf_str(json), json->len, 6) != Z_OK)
		b->failed = true;
	else
		html_base64(b, packed, bytes);
	free(packed);
}

/* Adds the compressed documents of all results, with the series s[i] in place of their own; s NULL: without
   series. */
static void put_documents(const struct result *const *res, const struct series *s, size_t n, struct strbuf *b)
{
	static const struct series none;
	struct strbuf json = { 0 };

	for (size_t i = 0; i < n; i++) {
		struct result r = *res[i];

		r.as_fio = false; /* its document has the data that the page needs again */
		r.bins_off = false;
		r.compact = true;
		r.statuses = (struct result_statuses){ 0 };
		r.series.on = s && s[i].ngroups && r.series.label;
		r.series.data = s ? s[i] : none;
		json.failed |= report_json(&r, &json) != 0;
	}
	b->failed |= json.failed;
	if (!json.failed)
		put_compressed(b, &json);
	strbuf_fini(&json);
}

static size_t bytes_of_documents(const struct result *const *res, size_t n)
{
	struct strbuf b = { 0 };
	size_t bytes;

	put_documents(res, NULL, n, &b);
	bytes = b.len;
	strbuf_fini(&b);
	return bytes;
}

/* The series in a page has the histograms of its intervals if it can have this many intervals with them. If
   not, it has no histograms, and more intervals. */
#define INTERVALS_WITH_BINS 16
#define INTERVALS_LEAST     64
/* A compressed series takes about this part of its size in memory. After a first try its real size is known.
 */
#define PAGE_PART 0.6
#define TRIES     2

static uint32_t *identity(unsigned n)
{
	uint32_t *to = calloc(n + 1, sizeof(*to));

	for (unsigned i = 0; to && i < n; i++)
		to[i] = i;
	return to;
}

/* Returns the number of intervals of the longest group. */
static size_t longest(const struct series *s)
{
	size_t most = 0;

	for (unsigned g = 0; g < s->ngroups; g++)
		most = s->groups[g].cells.n > most ? s->groups[g].cells.n : most;
	return most;
}

/* Returns true if some cell has a histogram. */
static bool has_bins(const struct series *s)
{
	for (unsigned g = 0; g < s->ngroups; g++) {
		for (size_t i = 0; i < s->groups[g].cells.n; i++) {
			struct ival v;

			series_get(s, g, i, &v);
			for (unsigned d = 0; d < DIR_DATA; d++) {
				for (unsigned k = 0; k < LAT_KINDS; k++) {
					if (v.dir[d].lat[k].bins)
						return true;
				}
			}
		}
	}
	return false;
}

/* Makes the intervals of a series without histograms longer, but leaves INTERVALS_LEAST of them. */
static void limit_counts(struct series *s, size_t max_bytes)
{
	while (s->used_bytes > max_bytes && longest(s) >= 2 * INTERVALS_LEAST)
		series_coarsen(s, 2 * series_interval_ns(s));
}

/* Copies a series so that it takes about max_bytes in memory. */
static int copy_series(struct series *to, const struct series *from, size_t max_bytes)
{
	uint32_t *group = identity(from->ngroups);
	unsigned doublings = 0;
	int ret = group ? 0 : -ENOMEM;

	while (from->used_bytes >> doublings > max_bytes && longest(from) >> doublings >= 2)
		doublings++;
	if (!ret && from->ngroups)
		ret = series_regroup(to, from, group, from->ngroups, doublings);
	if (!ret)
		series_limit(to, max_bytes);
	if (!ret && longest(from) >= INTERVALS_WITH_BINS && longest(to) < INTERVALS_WITH_BINS) {
		series_fini(to);
		ret = series_regroup_without_bins(to, from, group, from->ngroups, 0);
		if (!ret)
			limit_counts(to, max_bytes);
	}
	free(group);
	return ret;
}

/* Copies the series of all results. They share max_bytes in proportion to their sizes. */
static void copy_all(const struct result *const *res, struct series *s, size_t n, double max_bytes,
		     struct strbuf *b)
{
	double all = 1;

	for (size_t i = 0; i < n; i++)
		all += (double)res[i]->series.data.used_bytes;
	for (size_t i = 0; i < n; i++) {
		const struct series *from = &res[i]->series.data;

		series_fini(&s[i]);
		b->failed |=
			copy_series(&s[i], from, (size_t)(max_bytes * (double)from->used_bytes / all)) != 0;
	}
}

static size_t series_bytes(const struct series *s, size_t n)
{
	size_t bytes = 0;

	for (size_t i = 0; i < n; i++)
		bytes += s[i].used_bytes;
	return bytes;
}

/* Adds the documents with series that fit into `room`. `fixed` is the size of everything else in them. */
static void put_fitting(const struct result *const *res, struct series *s, size_t n, size_t fixed,
			size_t room, struct strbuf *b)
{
	size_t start = b->len;
	double bytes = (double)room / PAGE_PART;

	for (unsigned i = 0; i < TRIES && !b->failed; i++) {
		size_t was = series_bytes(s, n), size;

		copy_all(res, s, n, bytes, b);
		if (b->failed || (i && series_bytes(s, n) == was))
			break;
		b->len = start;
		put_documents(res, s, n, b);
		size = b->len - start;
		if (size <= fixed + room)
			break;
		bytes = (double)series_bytes(s, n) * (double)room / (double)(size - fixed) * 0.95;
	}
}

/* The size that a page of these results may have: 300 kB, more for many jobs and for several results. */
#define PAGE_BYTES     286000 /* without the script, which comes after the data */
#define PAGE_JOBS      4
#define PAGE_JOB_BYTES 25000
#define PAGE_BYTES_MAX 1950000
/* The series gets at least this room, even if the charts take the whole page. */
#define SERIES_BYTES       24000
#define SERIES_GROUP_BYTES 4000

/* Adds a note if the series in the page lacks histograms that the result has. */
static void put_limits(const struct result *const *res, const struct series *s, size_t n, struct strbuf *b)
{
	bool dropped = false;

	for (size_t i = 0; i < n; i++)
		dropped |= has_bins(&res[i]->series.data) && !has_bins(&s[i]);
	if (dropped)
		strbuf_puts(b, "<p class=\"note\">To stay small, this page holds the run over time without "
			       "histograms: <code>fiord report</code> and <code>compare</code> find no "
			       "percentiles over time in it. The JSON document of the run has them.</p>\n");
}

static size_t budget(const struct result *const *res, size_t n)
{
	size_t bytes = 0;

	for (size_t i = 0; i < n; i++) {
		size_t more = res[i]->njobs > PAGE_JOBS ? (res[i]->njobs - PAGE_JOBS) * PAGE_JOB_BYTES : 0;

		bytes += PAGE_BYTES + more < PAGE_BYTES_MAX ? PAGE_BYTES + more : PAGE_BYTES_MAX;
	}
	return bytes;
}

static size_t room_of_series(const struct result *const *res, size_t n, size_t used)
{
	size_t whole = budget(res, n), least = 0;

	for (size_t i = 0; i < n; i++)
		least += SERIES_BYTES + SERIES_GROUP_BYTES * res[i]->series.data.ngroups;
	return whole > used + least ? whole - used : least;
}

void html_embed(const struct result *const *res, size_t n, size_t page_bytes, struct strbuf *b)
{
	size_t fixed = bytes_of_documents(res, n), room = room_of_series(res, n, page_bytes + fixed);
	struct series *s = calloc(n + 1, sizeof(*s));

	b->failed |= !s;
	strbuf_puts(b, "<script type=\"application/json\" id=\"fiord-data\" data-encoding=\"zlib+base64\">");
	if (!b->failed)
		put_fitting(res, s, n, fixed, room, b);
	strbuf_puts(b, "</script>\n");
	if (!b->failed)
		put_limits(res, s, n, b);
	for (size_t i = 0; s && i < n; i++)
		series_fini(&s[i]);
	free(s);
}
