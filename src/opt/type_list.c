/* type_list.c: ranges of numbers, and lists of one value for each of reads, writes and trims. */
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "arith.h"
#include "number.h"
#include "strbuf.h"
#include "types.h"

/* Up to three values between commas. They point into a copy of the text. */
struct comma_list {
	char *copy;
	const char *v[3];
	unsigned n;
};

static int comma_list_split(struct comma_list *list, const char *text, struct diag *d)
{
	char *s;

	if (!text[strspn(text, " \t,")])
		return diag_err(d, -EINVAL, "needs a value");
	*list = (struct comma_list){ .copy = strdup(text) };
	if (!list->copy)
		return diag_err(d, -ENOMEM, "out of memory");
	for (s = list->copy; s; list->n++) {
		char *comma = strchr(s, ',');

		if (list->n == 3) {
			free(list->copy);
			return diag_err(d, -EINVAL, "more than three values; write reads,writes,trims");
		}
		list->v[list->n] = s + strspn(s, " \t");
		if (comma)
			*comma++ = '\0';
		s = comma;
	}
	return 0;
}

/* Finds the '-' or ':' of a range outside parentheses; NULL if text is a single value. */
static const char *range_separator(const char *text)
{
	unsigned depth = 0;

	for (const char *s = text; *s; s++) {
		if (*s == '(')
			depth++;
		else if (*s == ')' && depth)
			depth--;
		else if (s > text && !depth && (*s == '-' || *s == ':'))
			return s;
	}
	return NULL;
}

/* Reads one value or lo-hi. A reversed range is swapped. */
static int range_parse(const struct opt_row *row, const char *text, const struct opt_ctx *ctx,
		       uint64_t out[2], struct diag *d)
{
	const char *sep = range_separator(text), *half[2];
	char *lo = sep ? strndup(text, (size_t)(sep - text)) : NULL;
	uint64_t v[2] = { 0 };
	int err = 0;

	if (sep && !lo)
		return diag_err(d, -ENOMEM, "out of memory");
	half[0] = lo ? lo : text;
	half[1] = sep ? sep + 1 : text;
	for (unsigned i = 0; i < 2 && !err; i++)
		err = number_parse(row, half[i], ctx, UINT64_MAX, &v[i], d);
	free(lo);
	if (err)
		return err;
	out[0] = v[0] < v[1] ? v[0] : v[1];
	out[1] = v[0] < v[1] ? v[1] : v[0];
	return 0;
}

static int pair_parse(const struct opt_row *row, void *field, const char *text, const struct opt_ctx *ctx,
		      struct diag *d)
{
	return range_parse(row, text, ctx, field, d);
}

static void pair_print(const struct opt_row *row, const void *field, struct strbuf *out)
{
	const uint64_t *v = field;

	number_print(row, v[0], out);
	if (v[1] == v[0])
		return;
	strbuf_putc(out, '-');
	number_print(row, v[1], out);
}

static int triple_parse(const struct opt_row *row, const char *text, const struct opt_ctx *ctx, uint64_t max,
			uint64_t v[3], struct diag *d)
{
	struct comma_list list;
	int err = comma_list_split(&list, text, d);

	if (err)
		return err;
	for (unsigned i = 0; i < 3 && !err; i++) {
		if (i >= list.n)
			v[i] = v[i - 1];
		else if (*list.v[i])
			err = number_parse(row, list.v[i], ctx, max, &v[i], d);
	}
	free(list.copy);
	return err;
}

static int triple64_parse(const struct opt_row *row, void *field, const char *text, const struct opt_ctx *ctx,
			  struct diag *d)
{
	uint64_t v[3];
	int err;

	memcpy(v, field, sizeof(v));
	err = triple_parse(row, text, ctx, UINT64_MAX, v, d);
	if (!err)
		memcpy(field, v, sizeof(v));
	return err;
}

/* Returns a copy of the text in which commas replace what separates sizes in fio, too: the '-' between two
   numbers. NULL if there is none. */
static char *dashes_to_commas(const char *text)
{
	char *copy = NULL;

	for (size_t i = 0; !arith_is(text) && text[i] && text[i + 1]; i++) {
		if (!isalnum((unsigned char)text[i]) || text[i + 1] != '-' || !text[i + 2])
			continue;
		copy = copy ? copy : strdup(text);
		if (copy)
			copy[i + 1] = ',';
	}
	return copy;
}

static int size3_parse(const struct opt_row *row, void *field, const char *text, const struct opt_ctx *ctx,
		       struct diag *d)
{
	char *commas = dashes_to_commas(text);
	int err = triple64_parse(row, field, commas ? commas : text, ctx, d);

	if (!err && commas && ctx->notes)
		notes_add(ctx->notes,
			  "{%s=%s}: as in fio these are the sizes of reads,writes,trims; a range of sizes is "
			  "{bsrange}",
			  row->name, text);
	free(commas);
	return err;
}

static void triple64_print(const struct opt_row *row, const void *field, struct strbuf *out)
{
	const uint64_t *v = field;

	for (unsigned i = 0; i < 3; i++) {
		strbuf_puts(out, i ? "," : "");
		if (v[i] || !row->min) /* else the option was never set */
			number_print(row, v[i], out);
	}
}

static int triple32_parse(const struct opt_row *row, void *field, const char *text, const struct opt_ctx *ctx,
			  struct diag *d)
{
	uint32_t *u = field;
	uint64_t v[3] = { u[0], u[1], u[2] };
	int err = triple_parse(row, text, ctx, UINT32_MAX, v, d);

	for (unsigned i = 0; i < 3 && !err; i++)
		u[i] = (uint32_t)v[i];
	return err;
}

static void triple32_print(const struct opt_row *row, const void *field, struct strbuf *out)
{
	const uint32_t *v = field;

	for (unsigned i = 0; i < 3; i++) {
		strbuf_puts(out, i ? "," : "");
		number_print(row, v[i], out);
	}
}

static int range3_parse(const struct opt_row *row, void *field, const char *text, const struct opt_ctx *ctx,
			struct diag *d)
{
	uint64_t v[3][2];
	struct comma_list list;
	int err = comma_list_split(&list, text, d);

	if (err)
		return err;
	memcpy(v, field, sizeof(v));
	for (unsigned i = 0; i < 3 && !err; i++) {
		if (i >= list.n)
			memcpy(v[i], v[i - 1], sizeof(v[i]));
		else if (*list.v[i])
			err = range_parse(row, list.v[i], ctx, v[i], d);
	}
	free(list.copy);
	if (!err)
		memcpy(field, v, sizeof(v));
	return err;
}

static void range3_print(const struct opt_row *row, const void *field, struct strbuf *out)
{
	const uint64_t *v = field;

	for (unsigned i = 0; i < 3; i++) {
		strbuf_puts(out, i ? "," : "");
		if (v[2 * i + 1])
			pair_print(row, v + 2 * i, out);
	}
}

const struct opt_type opt_type_times = { OPT_TYPE_OF(TIME, "time or range of times", pair, uint64_t[2]) };
const struct opt_type opt_type_sizes = { OPT_TYPE_OF(SIZE, "size or range of sizes", pair, uint64_t[2]) };
const struct opt_type opt_type_size3 = { .name = "size, or sizes of reads,writes,trims",
					 .unit = OPT_UNIT_SIZE,
					 .parse = size3_parse,
					 .print = triple64_print,
					 .bytes = 3 * sizeof(uint64_t) };
const struct opt_type opt_type_time3 = { OPT_TYPE_OF(TIME, "time, or times of reads,writes,trims", triple64,
						     uint64_t[3]) };
const struct opt_type opt_type_u32x3 = { OPT_TYPE_OF(COUNT, "count, or counts of reads,writes,trims",
						     triple32, uint32_t[3]) };
const struct opt_type opt_type_range3 = { OPT_TYPE_OF(SIZE, "range of sizes, or ranges of reads,writes,trims",
						      range3, uint64_t[6]) };
