/* html_data.c: the data in the page: the results as JSON+, compressed and in base64. */
#include "html_page.h"

#include <stdlib.h>
#include <zlib.h>
#include "report.h"

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

/* Adds one document for each result. */
static void put_documents(const struct result *const *res, size_t n, struct strbuf *json)
{
	for (size_t i = 0; i < n; i++)
		json->failed |= report_json(res[i], json) != 0;
}

static void put_compressed(struct strbuf *b, const struct strbuf *json)
{
	uLongf bytes = compressBound(json->len);
	unsigned char *packed = malloc(bytes);

	if (!packed ||
	    compress2(packed, &bytes, (const unsigned char *)strbuf_str(json), json->len, 9) != Z_OK)
		b->failed = true;
	else
		html_base64(b, packed, bytes);
	free(packed);
}

void html_embed(const struct result *const *res, size_t n, size_t page_bytes, struct strbuf *b)
{
	struct strbuf json = { 0 };

	(void)page_bytes;
	put_documents(res, n, &json);
	b->failed |= json.failed;
	strbuf_puts(b, "<script type=\"application/json\" id=\"fiord-data\" data-encoding=\"zlib+base64\">");
	if (!json.failed)
		put_compressed(b, &json);
	strbuf_puts(b, "</script>\n");
	strbuf_fini(&json);
}
