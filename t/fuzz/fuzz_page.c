/* fuzz_page: the input is the data in a page of fiord: parts with a NUL between them. A part that begins with
   a document is compressed, any other is put into the page as if it was compressed already. The page is read,
   or refused with one line. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>
#include "read.h"
#include "strbuf.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

static void put_base64(struct strbuf *b, const uint8_t *data, size_t n)
{
	for (size_t i = 0; i < n; i += 3) {
		unsigned v = (unsigned)data[i] << 16 | (i + 1 < n ? (unsigned)data[i + 1] << 8 : 0) |
			     (i + 2 < n ? data[i + 2] : 0);

		strbuf_putc(b, digits[v >> 18]);
		strbuf_putc(b, digits[v >> 12 & 63]);
		strbuf_putc(b, i + 1 < n ? digits[v >> 6 & 63] : '=');
		strbuf_putc(b, i + 2 < n ? digits[v & 63] : '=');
	}
}

static void put_part(struct strbuf *b, const uint8_t *data, size_t n)
{
	uLongf packed_bytes = compressBound(n);
	uint8_t *packed = malloc(packed_bytes);

	strbuf_puts(b, "<script id=\"fiord-data\" data-encoding=\"zlib+base64\">");
	if (!packed)
		abort();
	if (n && *data == '{' && compress(packed, &packed_bytes, data, n) == Z_OK)
		put_base64(b, packed, packed_bytes);
	else
		put_base64(b, data, n);
	strbuf_puts(b, "</script>");
	free(packed);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct result_set set = { 0 };
	struct strbuf page = { 0 };
	struct diag d = { 0 };

	strbuf_puts(&page, "<!DOCTYPE html>");
	for (const uint8_t *at = data, *end = data + size; at < end;) {
		const uint8_t *nul = memchr(at, 0, (size_t)(end - at));

		put_part(&page, at, (size_t)((nul ? nul : end) - at));
		at = nul ? nul + 1 : end;
	}
	if (page.failed)
		abort();
	if (result_read(&set, "fuzz.html", page.text, page.len, &d) &&
	    (!*diag_text(&d) || strchr(diag_text(&d), '\n')))
		abort();
	result_set_free(&set);
	strbuf_fini(&page);
	diag_fini(&d);
	return 0;
}
