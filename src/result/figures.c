#include "figures.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const struct figure figure_percentile = { "percentile", FIGURE_LAT, LIMIT_TIME, FIGURE_PERCENTILE, 0, 1,
					  NEEDS_IO };

#define OF(what) (1u << FIGURE_##what)

enum figure_part figure_part(const struct figure *figure)
{
	switch (figure->of) {
	case FIGURE_DISK:
		return PART_DISK;
	case FIGURE_RUN:
	case FIGURE_CPU:
		return PART_RUN;
	case FIGURE_HOST:
	case FIGURE_WAVE:
		return PART_HOST;
	case FIGURE_INTERVAL:
		return PART_GROUP;
	default:
		return PART_JOB;
	}
}

bool figure_has_dir(const struct figure *figure)
{
	const unsigned of =
		OF(LAT) | OF(DIR) | OF(SYNC) | OF(STEP_DIR) | OF(STEP_LAT) | OF(FILE) | OF(INTERVAL);

	return of & 1u << figure->of;
}

bool figure_has_kind(const struct figure *figure)
{
	return figure->of == FIGURE_LAT || figure->of == FIGURE_STEP_LAT;
}

/* Returns the number that a reader of the document gets: it has six decimals. */
static double as_document(double v)
{
	char text[512];

	snprintf(text, sizeof(text), "%.6f", v);
	return strtod(text, NULL);
}

double figure_value(const struct figure *figure, const void *from)
{
	const void *at = (const char *)from + figure->offset;

	switch (figure->type) {
	case FIGURE_U64:
		return (double)*(const uint64_t *)at * figure->scale;
	case FIGURE_UNSIGNED:
		return *(const unsigned *)at * figure->scale;
	case FIGURE_INT:
		return *(const int *)at * figure->scale;
	case FIGURE_BOOL:
		return *(const bool *)at;
	case FIGURE_DOUBLE:
		return as_document(*(const double *)at) * figure->scale;
	case FIGURE_TEXT:
	case FIGURE_LIST:
	case FIGURE_COLUMN:
	case FIGURE_BINS:
	case FIGURE_PERCENTILE:
		break;
	}
	return 0;
}

static bool is_set(const struct figure_member *m, const void *from)
{
	for (size_t i = 0; i < m->bytes; i++)
		if (((const char *)from)[m->offset + i])
			return true;
	return !m->bytes;
}

bool figure_is_written(const struct figure *figure, const void *from)
{
	return is_set(&figure->only_if, from);
}

size_t figure_object(const struct figure *figure, size_t in)
{
	const char *name = figure->name + in, *dot = strchr(name, '.');

	return dot ? (size_t)(dot - name) : 0;
}

bool figure_is_optional(const struct figure *figure)
{
	return figure->only_if.bytes && figure->only_if.offset == figure->offset;
}

/* Numbers of entries are unsigned or size_t. */
static size_t number_at(const struct figure *figure, const void *from)
{
	const void *n = (const char *)from + figure->list.n.offset;

	return figure->list.n.bytes == sizeof(size_t) ? *(const size_t *)n : *(const unsigned *)n;
}

size_t figure_length(const struct figure *figure, const void *from)
{
	return *(void *const *)((const char *)from + figure->offset) ? number_at(figure, from) : 0;
}

void figure_set_length(const struct figure *figure, void *to, size_t n)
{
	void *at = (char *)to + figure->list.n.offset;

	if (figure->list.shares_n && n > number_at(figure, to))
		n = number_at(figure, to);
	if (figure->list.n.bytes == sizeof(size_t))
		*(size_t *)at = n;
	else
		*(unsigned *)at = (unsigned)n;
}

bool figure_is_in(const struct figure *figure, const struct figure *first, size_t in)
{
	return figure->name && !strncmp(figure->name, first->name, in);
}

const struct figure *figure_find(const char *name, const char *end, unsigned of, const char **at)
{
	const struct figure *best = NULL;
	size_t most = 0;

	FIGURES_EACH (f) {
		size_t len = strlen(f->name);

		if (!(of & 1u << f->of) || len <= most || (size_t)(end - name) < len ||
		    strncmp(end - len, f->name, len) || (end - len > name && end[-(ptrdiff_t)len - 1] != '.'))
			continue;
		best = f;
		most = len;
	}
	*at = end - most;
	return best;
}
