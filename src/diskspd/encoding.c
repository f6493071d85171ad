#include "script.h"

#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include "diag.h"
#include "strbuf.h"
#include "utf8.h"

/* Returns true for U+200B to U+200F, U+202A to U+202E, U+2060 and U+FEFF. Windows Explorer puts U+202A before
   a copied path. */
static bool is_invisible(uint32_t c)
{
	return (c >= 0x200b && c <= 0x200f) || (c >= 0x202a && c <= 0x202e) || c == 0x2060 || c == 0xfeff;
}

static void put_utf8(struct strbuf *out, uint32_t c)
{
	char text[4];

	if (!is_invisible(c))
		strbuf_add(out, text, utf8_put(text, c));
}

static int no_text(struct diag *d)
{
	return diag_err(d, -EINVAL, "not a text in UTF-8 or UTF-16");
}

static uint32_t unit(const unsigned char *s, bool big)
{
	return big ? (uint32_t)s[0] << 8 | s[1] : (uint32_t)s[1] << 8 | s[0];
}

static int from_utf16(const unsigned char *s, size_t len, bool big, struct strbuf *out, struct diag *d)
{
	if (len % 2)
		return no_text(d);
	for (size_t i = 0; i < len; i += 2) {
		uint32_t c = unit(s + i, big), low;

		if (c >= 0xd800 && c < 0xdc00 && i + 2 < len) {
			low = unit(s + i + 2, big);
			if (low < 0xdc00 || low > 0xdfff)
				return no_text(d);
			c = 0x10000 + ((c - 0xd800) << 10) + (low - 0xdc00);
			i += 2;
		}
		if (!c || (c >= 0xd800 && c < 0xe000))
			return no_text(d);
		put_utf8(out, c);
	}
	return 0;
}

/* Returns the length of the UTF-8 character at s, and sets *c to its code; 0: invalid UTF-8. */
static size_t character(const unsigned char *s, size_t len, uint32_t *c)
{
	static const uint32_t least[] = { 0, 0, 0x80, 0x800, 0x10000 };
	size_t n = s[0] < 0x80             ? 1
		   : (s[0] & 0xe0) == 0xc0 ? 2
		   : (s[0] & 0xf0) == 0xe0 ? 3
		   : (s[0] & 0xf8) == 0xf0 ? 4
					   : 0;

	if (!n || n > len)
		return 0;
	*c = n == 1 ? s[0] : s[0] & (0x7fu >> n);
	for (size_t i = 1; i < n; i++) {
		if ((s[i] & 0xc0) != 0x80)
			return 0;
		*c = *c << 6 | (s[i] & 0x3f);
	}
	return *c >= least[n] ? n : 0;
}

/* A byte that is not UTF-8 is read as Windows-1252 if it is a quotation mark, a dash or a blank there. */
static void put_stray(struct strbuf *out, unsigned char byte)
{
	static const uint16_t marks[] = { 0x2018, 0x2019, 0x201c, 0x201d, 0x2022, 0x2013, 0x2014 };

	if (byte >= 0x91 && byte <= 0x97)
		put_utf8(out, marks[byte - 0x91]);
	else if (byte == 0xa0)
		put_utf8(out, 0xa0);
	else
		strbuf_putc(out, (char)byte);
}

static int from_utf8(const unsigned char *s, size_t len, struct strbuf *out, struct diag *d)
{
	for (size_t i = 0, n; i < len; i += n ? n : 1) {
		uint32_t c;

		n = character(s + i, len - i, &c);
		if (n && !c)
			return no_text(d);
		if (!n)
			put_stray(out, s[i]);
		else if (!is_invisible(c))
			strbuf_add(out, (const char *)s + i, n);
	}
	return 0;
}

int encoding_decode(const char *bytes, size_t len, struct strbuf *out, struct diag *d)
{
	const unsigned char *s = (const unsigned char *)bytes;
	int ret;

	if (len >= 2 && s[0] == 0xff && s[1] == 0xfe)
		ret = from_utf16(s + 2, len - 2, false, out, d);
	else if (len >= 2 && s[0] == 0xfe && s[1] == 0xff)
		ret = from_utf16(s + 2, len - 2, true, out, d);
	else if (len >= 2 && (!s[0] || !s[1]))
		ret = from_utf16(s, len, !s[0], out, d); /* a command begins with an ASCII letter */
	else
		ret = from_utf8(s, len, out, d);
	if (!ret && out->failed)
		ret = diag_err(d, -ENOMEM, "out of memory");
	return ret;
}
