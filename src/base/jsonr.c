#include "jsonr.h"

#include <string.h>

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

static void skip_space(struct check *c)
{
	while (c->at < c->end && is_blank(*c->at))
		c->at++;
}

/* Returns the next character that is not blank, and stays at it; NUL at the end. */
static char peek(struct check *c)
{
	skip_space(c);
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

bool json_is(struct json string, const char *text)
{
	size_t len = strlen(text);

	return json_kind(string) == JSON_STRING && (size_t)(string.end - string.at) == len + 2 &&
	       !memcmp(string.at + 1, text, len);
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
