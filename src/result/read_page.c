/* read_page.c: finds and unpacks the data in fiord's HTML pages. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>
#include "read_parts.h"

static const char *find_text(const char *text, const char *end, const char *what)
{
	return text < end ? memmem(text, (size_t)(end - text), what, strlen(what)) : NULL;
}

/* Finds the next script element that holds the data. Returns false if there are no more. */
static bool find_data(const char **at, const char *end, const char **data, const char **data_end)
{
	const char *tag = *at;

	while ((tag = find_text(tag, end, "<script"))) {
		const char *body = memchr(tag, '>', (size_t)(end - tag));

		if (!body)
			return false;
		if (find_text(tag, body, "id=\"fiord-data\"") &&
		    find_text(tag, body, "data-encoding=\"zlib+base64\"")) {
			*data = body + 1;
			*data_end = find_text(body, end, "</script");
			*at = *data_end ? *data_end : end;
			return true;
		}
		tag = body;
	}
	return false;
}

static int digit_of(char c)
{
	static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
	const char *p = c ? strchr(digits, c) : NULL;

	return p ? (int)(p - digits) : -1;
}

/* Returns the number of bytes, or -1 if the text is not base64. Blanks are skipped. */
static long decode(const char *p, const char *end, unsigned char *to)
{
	unsigned bits = 0, value = 0;
	unsigned char *from = to;

	for (; p < end && *p != '='; p++) {
		int digit = digit_of(*p);

		if (strchr(" \n\r\t", *p) && *p)
			continue;
		if (digit < 0)
			return -1;
		value = value << 6 | (unsigned)digit;
		bits += 6;
		if (bits >= 8) {
			bits -= 8;
			*to++ = (unsigned char)(value >> bits);
		}
	}
	return to - from;
}

/* Unpacks all of the stream into *text, which grows up to max bytes. Returns Z_STREAM_END on success. */
static int inflate_all(z_stream *z, size_t max, char **text, size_t *len)
{
	size_t size = 0;
	int ret = Z_OK;

	while (ret == Z_OK) {
		char *more;

		if (*len == size) {
			if (size == max)
				return Z_BUF_ERROR;
			size = size ? 2 * size : 65536;
			size = size < max ? size : max;
			more = realloc(*text, size);
			if (!more)
				return Z_MEM_ERROR;
			*text = more;
		}
		z->next_out = (unsigned char *)*text + *len;
		z->avail_out = (unsigned)(size - *len);
		ret = inflate(z, Z_NO_FLUSH);
		*len = size - z->avail_out;
		if (ret == Z_BUF_ERROR || (ret == Z_OK && !z->avail_in && z->avail_out))
			return Z_DATA_ERROR; /* the data end too early */
	}
	return ret;
}

static int unpack(const struct page *page, unsigned char *packed, size_t n, char **text, size_t *len,
		  struct diag *d)
{
	const char *name = page->name;

	z_stream z = { .next_in = packed, .avail_in = (unsigned)n };
	int ret;

	*text = NULL;
	*len = 0;
	if (inflateInit(&z) != Z_OK)
		return diag_err(d, -ENOMEM, "%s: out of memory", name);
	ret = inflate_all(&z, PAGE_UNPACKED_MAX - page->unpacked, text, len);
	inflateEnd(&z);
	if (ret == Z_STREAM_END)
		return 1;
	free(*text);
	*text = NULL;
	if (ret == Z_BUF_ERROR)
		return diag_err(d, -EFBIG, "%s: the data in the page are larger than %zu MiB", name,
				PAGE_UNPACKED_MAX >> 20);
	return ret == Z_MEM_ERROR ? diag_err(d, -ENOMEM, "%s: out of memory", name)
				  : diag_err(d, -EINVAL, "%s: the data in the page are damaged", name);
}

int read_page(struct page *page, char **text, size_t *len, struct diag *d)
{
	const char *data, *data_end;
	unsigned char *packed;
	long n;
	int ret;

	if (!find_data(&page->at, page->end, &data, &data_end))
		return 0;
	if (!data_end)
		return diag_err(d, -EINVAL, "%s: the data in the page end too early", page->name);
	packed = malloc((size_t)(data_end - data) + 1);
	if (!packed)
		return diag_err(d, -ENOMEM, "%s: out of memory", page->name);
	n = decode(data, data_end, packed);
	*len = 0;
	ret = n < 0 ? diag_err(d, -EINVAL, "%s: the data in the page are not base64", page->name)
		    : unpack(page, packed, (size_t)n, text, len, d);
	page->unpacked += *len;
	free(packed);
	return ret;
}
