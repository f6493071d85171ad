#include "utf8.h"

#include <string.h>

size_t utf8_len(const unsigned char *s)
{
	unsigned char lo = 0x80, hi = 0xBF;
	size_t len = s[0] < 0x80   ? 1
		     : s[0] < 0xC2 ? 0
		     : s[0] < 0xE0 ? 2
		     : s[0] < 0xF0 ? 3
		     : s[0] < 0xF5 ? 4
				   : 0;

	if (len < 2)
		return len;
	if (s[0] == 0xE0)
		lo = 0xA0;
	else if (s[0] == 0xED)
		hi = 0x9F;
	else if (s[0] == 0xF0)
		lo = 0x90;
	else if (s[0] == 0xF4)
		hi = 0x8F;
	if (s[1] < lo || s[1] > hi)
		return 0;
	for (size_t i = 2; i < len; i++) {
		if (s[i] < 0x80 || s[i] > 0xBF)
			return 0;
	}
	return len;
}

static unsigned long code_of(const unsigned char *s, size_t len)
{
	unsigned long c = len == 1 ? s[0] : s[0] & (0x7FUL >> len);

	for (size_t i = 1; i < len; i++)
		c = c << 6 | (s[i] & 0x3F);
	return c;
}

bool utf8_is_harmful(const unsigned char *s, size_t len)
{
	static const struct {
		unsigned long first, last;
	} ranges[] = {
		{ 0, 0x08 },        { 0x0B, 0x1F },     { 0x7F, 0x9F }, /* controls but tab and line feed */
		{ 0x061C, 0x061C }, { 0x200B, 0x200F }, { 0x2028, 0x202E },  { 0x2060, 0x2069 },
		{ 0xFDD0, 0xFDEF }, { 0xFEFF, 0xFEFF }, { 0xE0000, 0xE007F } /* tags */
	};
	unsigned long c = code_of(s, len);

	for (size_t i = 0; i < sizeof(ranges) / sizeof(*ranges); i++) {
		if (c >= ranges[i].first && c <= ranges[i].last)
			return true;
	}
	return (c & 0xFFFE) == 0xFFFE;
}

size_t utf8_next(const char *s, bool *shown)
{
	const unsigned char *at = (const unsigned char *)s;
	size_t len = utf8_len(at);

	*shown = len && *at >= ' ' && !utf8_is_harmful(at, len);
	return len ? len : 1;
}

void utf8_make_plain(char *s, const char *keep)
{
	char *to = s;

	for (size_t len; *s; s += len) {
		bool shown;

		len = utf8_next(s, &shown);
		if (!shown && !strchr(keep, *s)) {
			*to++ = '?';
			continue;
		}
		memmove(to, s, len);
		to += len;
	}
	*to = '\0';
}

bool utf8_is_copy(const char *text, const char *bytes)
{
	while (*bytes) {
		size_t len = utf8_len((const unsigned char *)bytes);
		const char *is = len ? bytes : UTF8_REPLACEMENT;
		size_t is_len = len ? len : strlen(is);

		if (strncmp(text, is, is_len) != 0)
			return false;
		text += is_len;
		bytes += len ? len : 1;
	}
	return !*text;
}

size_t utf8_put(char *to, unsigned long code)
{
	size_t len = code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
	static const unsigned char lead[] = { 0, 0, 0xC0, 0xE0, 0xF0 };

	for (size_t i = len; i-- > 1; code >>= 6)
		to[i] = (char)(0x80 | (code & 0x3F));
	to[0] = (char)(lead[len] | code);
	return len;
}
