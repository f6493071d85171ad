#include "jsonr.h"

#include <errno.h>
#include <locale.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "utf8.h"

/* ---- long objects and arrays ---- */

/* Returns the least length of a value whose end is stored; shorter values are scanned again. It grows as the
   table fills, because inner values end first and the longer ones around them need room. */
static ptrdiff_t long_bytes(const struct json_ends *ends)
{
	return ends->n < JSON_ENDS / 4 ? 1 << 13 : ends->n < JSON_ENDS / 8 * 3 ? 1 << 18 : 1 << 23;
}

static unsigned first_slot(const char *at)
{
	return (unsigned)((uintptr_t)at * 0x9E3779B97F4A7C15u >> 48) % JSON_ENDS;
}

static void store_end(struct json_ends *ends, const char *at, const char *end)
{
	unsigned slot = first_slot(at);

	if (!ends || end - at < long_bytes(ends) || ends->n >= JSON_ENDS / 2)
		return;
	while (ends->v[slot].at)
		slot = (slot + 1) % JSON_ENDS;
	ends->v[slot].at = at;
	ends->v[slot].end = end;
	ends->n++;
}

/* Returns NULL if the end is not known. */
static const char *find_end(const struct json_ends *ends, const char *at)
{
	unsigned slot = first_slot(at);

	if (!ends)
		return NULL;
	for (; ends->v[slot].at; slot = (slot + 1) % JSON_ENDS)
		if (ends->v[slot].at == at)
			return ends->v[slot].end;
	return NULL;
}

/* ---- checking ---- */

struct check {
	const char *at, *end;
	struct json_ends *ends; /* may be NULL */
	const char *why;        /* NULL: no error so far */
	unsigned depth;
};

static bool fail(struct check *c, const char *why)
{
	if (!c->why)
		c->why = why;
	return false;
}

static bool is_blank(char c)
{
	return c == ' ' || c == '\n' || c == '\t' || c == '\r';
}

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static bool is_hex(char c)
{
	return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

static void skip_blanks(struct check *c)
{
	while (c->at < c->end && is_blank(*c->at))
		c->at++;
}

/* Returns the next character that is not blank, and stays at it; NUL at the end. */
static char peek(struct check *c)
{
	skip_blanks(c);
	return c->at < c->end ? *c->at : '\0';
}

static bool check_escape(struct check *c)
{
	char e = c->at < c->end ? *c->at++ : '\0';

	if (e == 'u') {
		for (unsigned i = 0; i < 4; i++) {
			if (c->at == c->end || !is_hex(*c->at++))
				return fail(c, "a string has a bad escape");
		}
		return true;
	}
	return (e && strchr("\"\\/bfnrt", e)) || fail(c, "a string has a bad escape");
}

static bool check_string(struct check *c)
{
	c->at++;
	while (c->at < c->end) {
		char v = *c->at++;

		if (v == '"')
			return true;
		if (v == '\0')
			return fail(c, "there is a NUL byte");
		if (v == '\\' && !check_escape(c))
			return false;
	}
	return fail(c, "the text ends within a string");
}

static bool check_digits(struct check *c)
{
	const char *from = c->at;

	while (c->at < c->end && is_digit(*c->at))
		c->at++;
	return c->at > from || fail(c, "this is not a number");
}

/* Accepts leading zeros too. */
static bool check_number(struct check *c)
{
	if (*c->at == '-')
		c->at++;
	if (!check_digits(c))
		return false;
	if (c->at < c->end && *c->at == '.') {
		c->at++;
		if (!check_digits(c))
			return false;
	}
	if (c->at < c->end && (*c->at == 'e' || *c->at == 'E')) {
		c->at++;
		if (c->at < c->end && (*c->at == '+' || *c->at == '-'))
			c->at++;
		return check_digits(c);
	}
	return true;
}

static bool check_word(struct check *c)
{
	static const char *const word[] = { "true", "false", "null" };

	for (unsigned i = 0; i < 3; i++) {
		size_t len = strlen(word[i]);

		if ((size_t)(c->end - c->at) >= len && !memcmp(c->at, word[i], len)) {
			c->at += len;
			return true;
		}
	}
	return fail(c, c->at < c->end ? "this is not a JSON value" : "the text ends too early");
}

static bool check_value(struct check *c);

static bool check_member(struct check *c, bool object)
{
	if (object) {
		if (peek(c) != '"')
			return fail(c, c->at < c->end ? "a key is missing" : "the text ends too early");
		if (!check_string(c))
			return false;
		if (peek(c) != ':')
			return fail(c, c->at < c->end ? "a colon is missing" : "the text ends too early");
		c->at++;
	}
	return check_value(c);
}

/* Checks an array or object. */
static bool check_members(struct check *c)
{
	const char *open = c->at;
	bool object = *c->at++ == '{';
	char close = object ? '}' : ']';

	if (++c->depth > JSON_DEPTH)
		return fail(c, "objects and arrays are nested too deeply");
	if (peek(c) != close) {
		do {
			if (!check_member(c, object))
				return false;
		} while (peek(c) == ',' && c->at++);
	}
	if (peek(c) != close)
		return fail(c, c->at < c->end ? "a comma or a closing bracket is missing"
					      : "the text ends too early");
	c->at++;
	c->depth--;
	store_end(c->ends, open, c->at);
	return true;
}

static bool check_value(struct check *c)
{
	char v = peek(c);

	if (v == '{' || v == '[')
		return check_members(c);
	if (v == '"')
		return check_string(c);
	if (v == '-' || is_digit(v))
		return check_number(c);
	return check_word(c);
}

const char *json_parse(const char *text, size_t len, struct json *v, const char **at)
{
	return json_parse_ends(text, len, NULL, v, at);
}

const char *json_parse_ends(const char *text, size_t len, struct json_ends *ends, struct json *v,
			    const char **at)
{
	struct check c = { .at = text, .end = text + len, .ends = ends };
	char first = peek(&c);

	if (ends)
		memset(ends, 0, sizeof(*ends));
	*v = (struct json){ c.at, NULL, ends };
	if (first != '{' && first != '[')
		fail(&c, c.at < c.end ? "this is not a JSON object" : "the text is empty");
	else if (check_value(&c))
		v->end = c.at;
	*at = c.at;
	return c.why;
}

/* ---- reading text that json_parse checked ---- */

enum json_kind json_kind(struct json v)
{
	if (!v.at)
		return JSON_NONE;
	switch (*v.at) {
	case '{':
		return JSON_OBJECT;
	case '[':
		return JSON_ARRAY;
	case '"':
		return JSON_STRING;
	case 't':
	case 'f':
		return JSON_BOOL;
	case 'n':
		return JSON_NULL;
	default:
		return JSON_NUMBER;
	}
}

static const char *skip_string(const char *p)
{
	while (*++p != '"') {
		if (*p == '\\')
			p++;
	}
	return p + 1;
}

static const char *skip_members(const char *p)
{
	unsigned depth = 0;

	do {
		if (*p == '"') {
			p = skip_string(p);
			continue;
		}
		if (*p == '{' || *p == '[')
			depth++;
		else if (*p == '}' || *p == ']')
			depth--;
		p++;
	} while (depth);
	return p;
}

/* Returns the end of the value at p, which stands in an array or object. */
static const char *skip_value(const char *p, const struct json_ends *ends)
{
	const char *end;

	if (*p == '"')
		return skip_string(p);
	if (*p == '{' || *p == '[') {
		end = find_end(ends, p);
		return end ? end : skip_members(p);
	}
	while (*p != ',' && *p != '}' && *p != ']' && !is_blank(*p))
		p++;
	return p;
}

static const char *after_blanks(const char *p)
{
	while (is_blank(*p))
		p++;
	return p;
}

struct json_iter json_iter(struct json v)
{
	enum json_kind kind = json_kind(v);
	struct json_iter it = { .object = kind == JSON_OBJECT, .ends = v.ends };

	if (kind == JSON_OBJECT || kind == JSON_ARRAY)
		it.next = after_blanks(v.at + 1);
	return it;
}

bool json_next(struct json_iter *it)
{
	const char *p = it->next;

	if (!p || *p == '}' || *p == ']')
		return false;
	if (it->object) {
		it->key.at = p;
		it->key.end = p = skip_string(p);
		p = after_blanks(after_blanks(p) + 1);
	}
	it->value.at = p;
	it->value.end = p = skip_value(p, it->ends);
	it->value.ends = it->ends;
	p = after_blanks(p);
	it->next = *p == ',' ? after_blanks(p + 1) : p;
	return true;
}

bool json_index(struct json_index *ix, struct json object)
{
	struct json_iter it = json_iter(object);

	ix->n = 0;
	if (json_kind(object) != JSON_OBJECT)
		return true;
	while (json_next(&it)) {
		if (ix->n == JSON_MEMBERS)
			return false;
		ix->key[ix->n] = it.key;
		ix->value[ix->n++] = it.value;
	}
	return true;
}

struct json json_get(const struct json_index *ix, const char *key)
{
	for (unsigned i = ix->n; i-- > 0;) {
		if (json_is(ix->key[i], key))
			return ix->value[i];
	}
	return (struct json){ 0 };
}

/* ---- scalars ---- */

bool json_is(struct json string, const char *text)
{
	size_t len = strlen(text);

	return json_kind(string) == JSON_STRING && (size_t)(string.end - string.at) == len + 2 &&
	       !memcmp(string.at + 1, text, len);
}

static unsigned hex4(const char *p)
{
	unsigned v = 0;

	for (unsigned i = 0; i < 4; i++)
		v = v << 4 | (unsigned)(is_digit(p[i]) ? p[i] - '0' : (p[i] & 7) + 9);
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
		if (!is_digit(*at))
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
	if (json_kind(string) != JSON_STRING || !(is_digit(string.at[1]) || string.at[1] == '-'))
		return -EINVAL;
	number = parse_double(string.at + 1, &end);
	if (end != string.end - 1 || memchr(string.at, 'x', (size_t)(end - string.at)))
		return -EINVAL;
	if (!isfinite(number))
		return -ERANGE;
	*to = number;
	return 0;
}
