/* html_data.c: the data in the page: the results as JSON+, compressed and in base64. */
#include "html_page.h"

#include <errno.h>
#include <stdlib.h>
#include <zlib.h>
#include "report.h"
#include "series_regroup.h"

void html_base64(struct strbuf *b, const unsigned char *v, size_t n)
{
	static const char digit[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
	char four[4];

	for (size_t i = 0; i < n; i += 3) {
		unsigned left = n - i < 3 ? (unsigned)(n - i) : 3;
		uint32_t bits = (uint32_t)v[i] << 16;

		bits |= left > 1 ? (uint32_t)v[i + 1] << 8 : 0;
		bits |= left > 2 ? v[i + 2] : 0;
		for (unsigned k = 0; k < 4; k++)
			four[k] = k <= left ? digit[bits >> (18 - 6 * k) & 63] : '=';
		strbuf_add(b, four, 4);
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

/* Adds the compressed documents of all results, with the series s[i] in place of their own. */
static void put_documents(const struct result *const *res, const struct series *s, size_t n, struct strbuf *b)
{
	struct strbuf json = { 0 };

	for (size_t i = 0; i < n; i++) {
		struct result r = *res[i];

		r.as_fio = false; /* its document has the data that the page needs again */
		r.statuses = (struct result_statuses){ 0 };
		r.series.on = s[i].ngroups && r.series.label;
		r.series.data = s[i];
		json.failed |= report_json(&r, &json) != 0;
	}
	b->failed |= json.failed;
	if (!json.failed)
		put_compressed(b, &json);
	strbuf_fini(&json);
}

/* A series takes about as many bytes in memory as in the page; after the first try its true size decides. */
#define TRIES 5

static uint32_t *identity(unsigned n)
{
	uint32_t *to = calloc(n + 1, sizeof(*to));

	for (unsigned i = 0; to && i < n; i++)
		to[i] = i;
	return to;
}

/* Copies a series in intervals that are long enough for about max_bytes. */
static int copy_series(struct series *to, const struct series *from, size_t max_bytes)
{
	uint32_t *group = identity(from->ngroups);
	unsigned doublings = 0;
	int ret = group ? 0 : -ENOMEM;

	while (from->used_bytes >> doublings > max_bytes && doublings < 30)
		doublings++;
	if (!ret && from->ngroups)
		ret = series_regroup(to, from, group, from->ngroups, doublings);
	free(group);
	return ret;
}

static size_t bytes_of(const struct series *s, size_t n)
{
	size_t bytes = 0;

	for (size_t i = 0; i < n; i++)
		bytes += s[i].used_bytes;
	return bytes;
}

/* Adds the documents again and again with coarser series until they fit into `room`. */
static void put_fitting(const struct result *const *res, struct series *s, size_t n, size_t room,
			struct strbuf *b)
{
	size_t start = b->len;

	put_documents(res, s, n, b);
	for (unsigned i = 0; i < TRIES && b->len - start > room && !b->failed; i++) {
		size_t was = bytes_of(s, n), size = b->len - start;

		for (size_t k = 0; k < n; k++)
			series_limit(&s[k],
				     (size_t)((double)s[k].used_bytes * (double)room / (double)size * 0.95));
		if (bytes_of(s, n) == was)
			break;
		b->len = start;
		put_documents(res, s, n, b);
	}
}

/* The size that a page of these results may have: 300 kB, more for many jobs and for several results. */
#define PAGE_BYTES     286000 /* without the script, which comes after the data */
#define PAGE_JOBS      4
#define PAGE_JOB_BYTES 25000
#define PAGE_BYTES_MAX 1950000

static size_t budget(const struct result *const *res, size_t n)
{
	size_t bytes = 0;

	for (size_t i = 0; i < n; i++) {
		size_t more = res[i]->jobs > PAGE_JOBS ? (res[i]->jobs - PAGE_JOBS) * PAGE_JOB_BYTES : 0;

		bytes += PAGE_BYTES + more < PAGE_BYTES_MAX ? PAGE_BYTES + more : PAGE_BYTES_MAX;
	}
	return bytes;
}

void html_embed(const struct result *const *res, size_t n, size_t page_bytes, struct strbuf *b)
{
	size_t whole = budget(res, n),
	       room = whole > page_bytes + PAGE_JOB_BYTES ? whole - page_bytes : PAGE_JOB_BYTES;
	struct series *s = calloc(n + 1, sizeof(*s));

	b->failed |= !s;
	for (size_t i = 0; s && i < n; i++)
		b->failed |= copy_series(&s[i], &res[i]->series.data, room / n) != 0;
	strbuf_puts(b, "<script type=\"application/json\" id=\"fiord-data\" data-encoding=\"zlib+base64\">");
	if (!b->failed)
		put_fitting(res, s, n, room, b);
	strbuf_puts(b, "</script>\n");
	for (size_t i = 0; s && i < n; i++)
		series_fini(&s[i]);
	free(s);
}
