#include "read_value.h"

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define SHOWN 40 /* bytes of a value in a message */

void read_fail(struct reader *rd, int err, const char *key, const char *fmt, ...)
{
	char what[256];
	va_list ap;

	if (rd->err)
		return;
	va_start(ap, fmt);
	vsnprintf(what, sizeof(what), fmt, ap);
	va_end(ap);
	rd->err = diag_err(rd->d, err, "%s: %s%s%s%s%s", rd->name, rd->path, rd->path_len && key ? "." : "",
			   key ? key : "", rd->path_len || key ? ": " : "", what);
}

bool read_charge(struct reader *rd, size_t bytes)
{
	if (bytes > rd->room) {
		read_fail(rd, -EFBIG, NULL, "the document needs more memory than the limit of 1 GiB");
		return false;
	}
	rd->room -= bytes;
	return true;
}

void *read_alloc(struct reader *rd, size_t count, size_t bytes)
{
	size_t total;
	void *p;

	if (__builtin_mul_overflow(count, bytes, &total))
		total = SIZE_MAX;
	if (rd->err || !read_charge(rd, total))
		return NULL;
	p = arena_alloc(&rd->r->mem, total ? total : 1);
	if (!p)
		read_fail(rd, -ENOMEM, NULL, "out of memory");
	return p;
}

static void path_add(struct reader *rd, const char *text)
{
	size_t room = sizeof(rd->path) - rd->path_len;
	int n = snprintf(rd->path + rd->path_len, room, "%s%s", rd->path_len && *text != '[' ? "." : "",
			 text);

	rd->path_len += n < 0 ? 0 : (size_t)n < room ? (size_t)n : room - 1;
}

static void path_cut(struct reader *rd, size_t len)
{
	rd->path_len = len;
	rd->path[len] = '\0';
}

bool read_open(struct reader *rd, struct read_object *o, struct json v, const char *label)
{
	enum json_kind kind = json_kind(v);

	o->ix.n = 0;
	o->outer = rd->path_len;
	if (kind == JSON_NONE || kind == JSON_NULL || rd->err)
		return false;
	if (kind != JSON_OBJECT) {
		read_fail(rd, -EINVAL, label, "this is not an object");
		return false;
	}
	path_add(rd, label);
	if (!json_index(&o->ix, v)) {
		read_fail(rd, -EINVAL, NULL, "the object has more than %d members", JSON_MEMBERS);
		path_cut(rd, o->outer);
		return false;
	}
	return true;
}

bool read_open_key(struct reader *rd, struct read_object *o, const struct read_object *in, const char *key)
{
	return read_open(rd, o, json_get(&in->ix, key), key);
}

bool read_open_at(struct reader *rd, struct read_object *o, struct json v, const char *array, size_t index)
{
	char label[64];

	snprintf(label, sizeof(label), "%s[%zu]", array, index);
	if (json_kind(v) == JSON_NULL)
		read_fail(rd, -EINVAL, label, "this is not an object");
	return read_open(rd, o, v, label);
}

void read_close(struct reader *rd, const struct read_object *o)
{
	path_cut(rd, o->outer);
}

/* Returns the value of a key; no value if it is null. */
static struct json value_of(const struct read_object *o, const char *key)
{
	struct json v = json_get(&o->ix, key);

	return json_kind(v) == JSON_NULL ? (struct json){ 0 } : v;
}

static struct json_iter elements(struct reader *rd, const struct read_object *o, const char *key,
				 enum json_kind kind)
{
	struct json v = value_of(o, key);

	if (v.at && json_kind(v) != kind) {
		read_fail(rd, -EINVAL, key, "this is not an %s", kind == JSON_ARRAY ? "array" : "object");
		v.at = NULL;
	}
	return json_iter(v);
}

struct json_iter read_array(struct reader *rd, const struct read_object *o, const char *key)
{
	return elements(rd, o, key, JSON_ARRAY);
}

struct json_iter read_members(struct reader *rd, const struct read_object *o, const char *key)
{
	return elements(rd, o, key, JSON_OBJECT);
}

bool read_has(const struct read_object *o, const char *key)
{
	return value_of(o, key).at;
}

bool read_is_array(const struct read_object *o, const char *key)
{
	return json_kind(value_of(o, key)) == JSON_ARRAY;
}

void read_check(struct reader *rd, const char *key, struct json v, int ret)
{
	bool cut = v.end - v.at > SHOWN;
	int len = (int)(cut ? SHOWN : v.end - v.at);

	if (ret == -ERANGE)
		read_fail(rd, ret, key, "%.*s%s is too large", len, v.at, cut ? "..." : "");
	else if (ret && json_kind(v) == JSON_NUMBER)
		read_fail(rd, ret, key, "%.*s%s is not a whole number of 0 or more", len, v.at,
			  cut ? "..." : "");
	else if (ret)
		read_fail(rd, ret, key, "this is not a number");
}

void read_u64(struct reader *rd, const struct read_object *o, const char *key, uint64_t *to)
{
	struct json v = value_of(o, key);

	if (v.at)
		read_check(rd, key, v, json_u64(v, to));
}

void read_unsigned(struct reader *rd, const struct read_object *o, const char *key, unsigned *to)
{
	struct json v = value_of(o, key);
	uint64_t number = *to;
	int ret = v.at ? json_u64(v, &number) : 0;

	if (!ret && number > UINT_MAX)
		ret = -ERANGE;
	if (!ret)
		*to = (unsigned)number;
	read_check(rd, key, v, ret);
}

int read_figure(struct json v, double *to)
{
	double number;
	int ret = json_double(v, &number);

	if (!ret && fabs(number) >= 0x1p64)
		return -ERANGE;
	if (!ret)
		*to = number;
	return ret;
}

void read_double(struct reader *rd, const struct read_object *o, const char *key, double *to)
{
	struct json v = value_of(o, key);

	if (v.at)
		read_check(rd, key, v, read_figure(v, to));
}

void read_positive(struct reader *rd, const struct read_object *o, const char *key, double *to)
{
	double number = *to;

	read_double(rd, o, key, &number);
	if (number < 0)
		read_fail(rd, -EINVAL, key, "this is negative");
	else
		*to = number;
}

void read_int(struct reader *rd, const struct read_object *o, const char *key, int *to)
{
	double number = *to;

	read_double(rd, o, key, &number);
	if (number < INT_MIN || number > INT_MAX)
		read_fail(rd, -ERANGE, key, "this is too large");
	else if (number != (double)(int)number)
		read_fail(rd, -EINVAL, key, "this is not a whole number");
	else
		*to = (int)number;
}

void read_bool(struct reader *rd, const struct read_object *o, const char *key, bool *to)
{
	struct json v = value_of(o, key);

	if (v.at && json_kind(v) != JSON_BOOL)
		read_fail(rd, -EINVAL, key, "this is not true or false");
	else if (v.at)
		*to = *v.at == 't';
}

const char *read_string(struct reader *rd, const char *key, struct json v, struct arena *a)
{
	const char *text = NULL;

	if (json_kind(v) != JSON_STRING)
		read_fail(rd, -EINVAL, key, "this is not a string");
	else if (!rd->err && read_charge(rd, 3 * (size_t)(v.end - v.at))) {
		text = json_text(v, a);
		if (!text)
			read_fail(rd, -ENOMEM, key, "out of memory");
	}
	return text ? text : "";
}

void read_text(struct reader *rd, const struct read_object *o, const char *key, const char **to)
{
	struct json v = value_of(o, key);

	if (v.at)
		*to = read_string(rd, key, v, &rd->r->mem);
}

/* Control characters in strings would make a report's JSON invalid. */
static bool is_plain(struct json v)
{
	for (const char *p = v.at; p < v.end; p++) {
		if ((unsigned char)*p >= 0x7F || ((unsigned char)*p < 0x20 && *p != '\n'))
			return false;
	}
	return true;
}

char *read_json_text(struct reader *rd, struct json v, const char *before)
{
	size_t len = (size_t)(v.end - v.at), extra = strlen(before);
	char *text = v.at && is_plain(v) ? read_alloc(rd, 1, extra + len + 1) : NULL;

	if (text) {
		memcpy(text, before, extra);
		memcpy(text + extra, v.at, len);
	}
	return text;
}

void read_count(struct reader *rd, const struct read_object *o, const char *key, uint64_t *to)
{
	struct json v = value_of(o, key);

	if (v.at)
		read_check(rd, key, v, json_text_u64(v, to));
}
