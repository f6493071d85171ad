/* jsonr_scalar.c: the strings and numbers of JSON text that json_parse checked. */
#include <ctype.h>
#include <errno.h>
#include <locale.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "arena.h"
#include "jsonr.h"
#include "utf8.h"

static unsigned hex4(const char *p)
{
	unsigned v = 0;

	for (unsigned i = 0; i < 4; i++)
		v = v << 4 | (unsigned)(isdigit((unsigned char)p[i]) ? p[i] - '0' : (p[i] & 7) + 9);
	return v;
}

/* Reads the digits of an escape "\\u" at *p, or of two such escapes for a code of more than 16 bits, and
   moves *p behind them. */
static unsigned long unescape_code(const char **p)
{
	unsigned long hi = hex4(*p), lo;

	*p += 4;
	if (hi >= 0xDC00 && hi <= 0xDFFF)
		return 0;
	if (hi < 0xD800 || hi > 0xDFFF)
		return hi;
	lo = (*p)[0] == '\\' && (*p)[1] == 'u' ? hex4(*p + 2) : 0;
	if (lo < 0xDC00 || lo > 0xDFFF)
		return 0;
	*p += 6;
	return 0x10000 + ((hi - 0xD800) << 10) + (lo - 0xDC00);
}

static size_t put_replacement(char *to)
{
	memcpy(to, UTF8_REPLACEMENT, 3);
	return 3;
}

/* Writes the character of the escape behind the backslash at *p. */
static size_t unescape(const char **p, char *to)
{
	static const char letters[] = "bfnrt", codes[] = "\b\f\n\r\t";
	char c = *(*p)++;
	const char *letter = strchr(letters, c);
	unsigned long code;

	if (c == 'u') {
		code = unescape_code(p);
		return code ? utf8_put(to, code) : put_replacement(to);
	}
	*to = letter ? codes[letter - letters] : c;
	return 1;
}

char *json_text(struct json string, struct arena *a)
{
	const char *p, *end;
	char *text, *to;

	if (json_kind(string) != JSON_STRING)
		return NULL;
	p = string.at + 1;
	end = string.end - 1;
	while (p < end && *p != '\\' && (unsigned char)*p < 0x80)
		p++;
	if (p == end)
		return arena_strndup(a, string.at + 1, (size_t)(end - string.at - 1));
	p = string.at + 1;
	text = to = arena_array(a, (size_t)(end - p) + 1, 3);
	while (text && p < end) {
		size_t len = utf8_len((const unsigned char *)p);

		if (*p == '\\') {
			p++;
			to += unescape(&p, to);
		} else if (len) {
			memcpy(to, p, len);
			to += len;
			p += len;
		} else {
			to += put_replacement(to);
			p++;
		}
	}
	return text;
}

/* Reads the digits from at to end; -EINVAL if there is anything else. */
static int digits_u64(const char *at, const char *end, uint64_t *to)
{
	uint64_t v = 0;

	if (at == end)
		return -EINVAL;
	for (; at < end; at++) {
		if (!isdigit((unsigned char)*at))
			return -EINVAL;
		if (__builtin_mul_overflow(v, 10, &v) || __builtin_add_overflow(v, (uint64_t)(*at - '0'), &v))
			return -ERANGE;
	}
	*to = v;
	return 0;
}

/* strtod of the C locale. */
static double parse_double(const char *at, char **end)
{
	static locale_t c_locale;

	if (!c_locale)
		c_locale = newlocale(LC_ALL_MASK, "C", NULL);
	return c_locale ? strtod_l(at, end, c_locale) : strtod(at, end);
}

int json_u64(struct json v, uint64_t *to)
{
	double number = 0;
	int ret;

	if (json_kind(v) != JSON_NUMBER)
		return -EINVAL;
	ret = digits_u64(v.at, v.end, to);
	if (ret != -EINVAL)
		return ret;
	/* Other programs may write 1e+18 or 12.0. */
	ret = json_double(v, &number);
	if (ret || number != floor(number) || number < 0)
		return ret ? ret : -EINVAL;
	if (number >= 18446744073709551616.0)
		return -ERANGE;
	*to = (uint64_t)number;
	return 0;
}

int json_double(struct json v, double *to)
{
	double number;

	if (json_kind(v) != JSON_NUMBER)
		return -EINVAL;
	number = parse_double(v.at, NULL);
	if (!isfinite(number))
		return -ERANGE;
	*to = number;
	return 0;
}

int json_text_u64(struct json string, uint64_t *to)
{
	if (json_kind(string) != JSON_STRING)
		return -EINVAL;
	return digits_u64(string.at + 1, string.end - 1, to);
}

int json_text_double(struct json string, double *to)
{
	double number;
	char *end;

	/* Accepts only text that begins like a JSON number, so no blanks, "inf" or "0x". */
	if (json_kind(string) != JSON_STRING ||
	    !(isdigit((unsigned char)string.at[1]) || string.at[1] == '-'))
		return -EINVAL;
	number = parse_double(string.at + 1, &end);
	if (end != string.end - 1 || memchr(string.at, 'x', (size_t)(end - string.at)))
		return -EINVAL;
	if (!isfinite(number))
		return -ERANGE;
	*to = number;
	return 0;
}
