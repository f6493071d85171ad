/* json_figures.c: writes the rows of figures.h. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include "figures.h"
#include "json_shared.h"
#include "text.h"

static void put_list(struct jsonw *w, const struct figure *f, const char *key, const void *from)
{
	const char *entry = *(const char *const *)((const char *)from + f->offset);
	size_t n = figure_length(f, from);

	jsonw_array(w, key);
	for (size_t i = 0; i < n; i++) {
		jsonw_object(w, NULL);
		json_figures(w, f->list.rows, entry + i * f->list.bytes);
		jsonw_end_object(w);
	}
	jsonw_end_array(w);
}

static void put_column(struct jsonw *w, const struct figure *f, const char *key, const void *from)
{
	const uint64_t *v = *(const uint64_t *const *)((const char *)from + f->offset);

	jsonw_array(w, key);
	for (size_t i = 0; i < figure_length(f, from); i++)
		jsonw_u64(w, NULL, v[i]);
	jsonw_end_array(w);
}

static void put_u64(struct jsonw *w, const struct figure *f, const char *key, uint64_t v)
{
	char text[24];

	switch (f->form) {
	case FORM_HEX:
		snprintf(text, sizeof(text), "0x%016" PRIx64, v);
		jsonw_str(w, key, text);
		break;
	case FORM_KIB:
		jsonw_u64(w, key, v >> 10);
		break;
	case FORM_S:
		jsonw_u64(w, key, v / 1000000000);
		break;
	default:
		jsonw_u64(w, key, v);
		break;
	}
}

static void put_figure_value(struct jsonw *w, const struct figure *f, const char *key, const void *from)
{
	const void *at = (const char *)from + f->offset;

	switch (f->type) {
	case FIGURE_U64:
		put_u64(w, f, key, *(const uint64_t *)at);
		break;
	case FIGURE_UNSIGNED:
		jsonw_u64(w, key, *(const unsigned *)at);
		break;
	case FIGURE_INT:
		jsonw_i64(w, key, *(const int *)at);
		break;
	case FIGURE_DOUBLE:
		if (f->form == FORM_WHOLE)
			jsonw_u64(w, key, text_whole(*(const double *)at));
		else
			jsonw_double(w, key, *(const double *)at);
		break;
	case FIGURE_BOOL:
		if (f->form == FORM_BIT)
			jsonw_u64(w, key, *(const bool *)at);
		else
			jsonw_bool(w, key, *(const bool *)at);
		break;
	case FIGURE_TEXT:
		jsonw_str(w, key, *(const char *const *)at);
		break;
	case FIGURE_LIST:
		put_list(w, f, key, from);
		break;
	case FIGURE_COLUMN:
		put_column(w, f, key, from);
		break;
	case FIGURE_BINS:
		if (!w->bins_off)
			json_bins(w, at);
		break;
	case FIGURE_PERCENTILE:
		break;
	}
}

/* Adds the rows from *first on that are in its object, whose keys have `in` bytes. Returns the row behind
   them. */
static const struct figure *put_rows(struct jsonw *w, const struct figure *first, size_t in, const void *from)
{
	const struct figure *f = first;

	while (figure_is_in(f, first, in)) {
		size_t len = figure_object(f, in);
		char key[32];

		if (!figure_is_written(f, from) || (f->with_bins && w->bins_off)) {
			f++;
		} else if (!len) {
			put_figure_value(w, f, f->name + in, from);
			f++;
		} else {
			snprintf(key, sizeof(key), "%.*s", (int)len, f->name + in);
			jsonw_object(w, key);
			f = put_rows(w, f, in + len + 1, from);
			jsonw_end_object(w);
		}
	}
	return f;
}

void json_figures_in(struct jsonw *w, const char *object, const struct figure *rows, const void *from)
{
	put_rows(w, rows, strlen(object), from);
}

void json_figures(struct jsonw *w, const struct figure *rows, const void *from)
{
	put_rows(w, rows, 0, from);
}
