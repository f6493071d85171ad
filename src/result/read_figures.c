/* read_figures.c: reads the rows of figures.h. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "figures.h"
#include "read_parts.h"

/* Entries are copied when their job is added to the result, and its result to others. */
#define COPIES 2

static void read_figure_list(struct reader *rd, const struct read_object *o, const struct figure *f,
			     const char *key, void *to)
{
	struct json_iter it = read_array(rd, o, key);
	struct read_object in;
	size_t n = 0, i = 0;
	char *entry;

	while (json_next(&it))
		n++;
	entry = n && read_charge(rd, COPIES * n * f->list.bytes) ? read_alloc(rd, n, f->list.bytes) : NULL;
	if (!entry)
		return;
	it = read_array(rd, o, key);
	for (; i < n && json_next(&it) && read_open_at(rd, &in, it.value, key, i); i++) {
		read_figures(rd, &in, f->list.rows, entry + i * f->list.bytes);
		read_close(rd, &in);
	}
	*(char **)((char *)to + f->offset) = entry;
	figure_set_length(f, to, i);
}

static void read_column(struct reader *rd, const struct read_object *o, const struct figure *f,
			const char *key, void *to)
{
	struct json_iter it = read_array(rd, o, key);
	uint64_t *v;
	size_t n = 0;

	if (!read_has(o, key) && figure_is_optional(f))
		return;
	while (json_next(&it))
		n++;
	v = read_charge(rd, COPIES * n * sizeof(*v)) ? read_alloc(rd, n, sizeof(*v)) : NULL;
	it = read_array(rd, o, key);
	for (size_t i = 0; v && i < n && json_next(&it); i++)
		read_check(rd, key, it.value, json_u64(it.value, &v[i]));
	*(uint64_t **)((char *)to + f->offset) = v;
	figure_set_length(f, to, v ? n : 0);
}

static void read_whole(struct reader *rd, const struct read_object *o, const struct figure *f,
		       const char *key, uint64_t *to)
{
	uint64_t v = *to;
	const char *hex = NULL;

	if (f->form == FORM_HEX) {
		read_text(rd, o, key, &hex);
		v = hex ? strtoull(hex, NULL, 16) : v;
	} else {
		read_u64(rd, o, key, &v);
	}
	if (f->most && v > f->most)
		read_fail(rd, -ERANGE, key, "this is too large");
	if (f->form == FORM_S && __builtin_mul_overflow(v, (uint64_t)1000000000, &v))
		read_fail(rd, -ERANGE, key, "this is too large");
	*to = v;
}

static void read_flag(struct reader *rd, const struct read_object *o, const struct figure *f, const char *key,
		      bool *to)
{
	unsigned bit = *to;

	if (f->form != FORM_BIT) {
		read_bool(rd, o, key, to);
		return;
	}
	read_unsigned(rd, o, key, &bit);
	*to = bit != 0;
}

static void read_value(struct reader *rd, const struct read_object *o, const struct figure *f,
		       const char *key, void *to)
{
	void *at = (char *)to + f->offset;

	switch (f->type) {
	case FIGURE_U64:
		read_whole(rd, o, f, key, at);
		break;
	case FIGURE_UNSIGNED:
		read_unsigned(rd, o, key, at);
		if (f->most && *(unsigned *)at > f->most)
			read_fail(rd, -ERANGE, key, "this is too large");
		break;
	case FIGURE_INT:
		read_int(rd, o, key, at);
		break;
	case FIGURE_DOUBLE:
		if (f->is_signed)
			read_double(rd, o, key, at);
		else
			read_positive(rd, o, key, at);
		break;
	case FIGURE_BOOL:
		read_flag(rd, o, f, key, at);
		break;
	case FIGURE_TEXT:
		if (!f->only_if.bytes && !*(const char **)at)
			*(const char **)at = "";
		read_text(rd, o, key, at);
		break;
	case FIGURE_LIST:
		read_figure_list(rd, o, f, key, to);
		break;
	case FIGURE_COLUMN:
		read_column(rd, o, f, key, to);
		break;
	case FIGURE_BINS:
		read_bins(rd, o, at);
		break;
	case FIGURE_PERCENTILE:
		break;
	}
	if (f->sets && read_has(o, key))
		*(bool *)((char *)to + f->only_if.offset) = true;
}

/* Reads the rows from *first on that are in the object *o, whose keys have `in` bytes. Returns the row behind
   them. Without o it only passes over them. */
static const struct figure *read_rows(struct reader *rd, const struct read_object *o,
				      const struct figure *first, size_t in, void *to)
{
	const struct figure *f = first;

	while (figure_is_in(f, first, in)) {
		size_t len = figure_object(f, in);
		struct read_object inner;
		char key[32];
		bool open;

		if (len) {
			snprintf(key, sizeof(key), "%.*s", (int)len, f->name + in);
			open = o && read_open_key(rd, &inner, o, key);
			f = read_rows(rd, open ? &inner : NULL, f, in + len + 1, to);
			if (open)
				read_close(rd, &inner);
			continue;
		}
		if (o && !f->derived)
			read_value(rd, o, f, f->name + in, to);
		f++;
	}
	return f;
}

void read_figures_in(struct reader *rd, const struct read_object *o, const char *object,
		     const struct figure *rows, void *to)
{
	read_rows(rd, o, rows, strlen(object), to);
}

void read_figures(struct reader *rd, const struct read_object *o, const struct figure *rows, void *to)
{
	read_rows(rd, o, rows, 0, to);
}
