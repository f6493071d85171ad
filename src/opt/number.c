#include "number.h"

#include <ctype.h>
#include <errno.h>
#include <string.h>
#include <strings.h>
#include "arith.h"
#include "strbuf.h"
#include "types.h"

int opt_number(const char *text, unsigned kb_base, uint64_t *out, const char **hint)
{
	if (arith_is(text))
		return opt_arith(text, kb_base, out, hint);
	return units_size(text, kb_base, out, hint);
}

/* ---- notes ---- */

static bool has_ib_suffix(const char *text)
{
	for (const char *s = text; *s; s++) {
		if (isdigit((unsigned char)s[0]) && s[1] && strchr("kmgtpKMGTP", s[1]) &&
		    strncasecmp(s + 2, "ib", 2) == 0)
			return true;
	}
	return false;
}

void opt_note_ib(const struct opt_row *row, const char *text, const struct opt_ctx *ctx)
{
	if (ctx->notes && ctx->kb_base == 1024 && has_ib_suffix(text))
		notes_add(ctx->notes,
			  "{%s=%s}: KiB, MiB, GiB, ... are powers of 1024 here; fio reads them as powers of "
			  "1000",
			  row->name, text);
}

void number_note_arith(const struct opt_row *row, const char *text, const struct opt_ctx *ctx, uint64_t v)
{
	uint64_t first = v;

	if (!ctx->notes || *text == '(' || !arith_is(text) || !arith_first(text, ctx->kb_base, &first))
		return;
	if (first != v)
		notes_add(ctx->notes, "{%s=%s} is %llu here; fio reads the first number only, %llu",
			  row->name, text, (unsigned long long)v, (unsigned long long)first);
}

/* ---- range ---- */

bool opt_print_range(const struct opt_row *row, struct strbuf *out)
{
	const struct opt_type *t = row->type;

	if (!t || (!row->min && !row->max) || row->choices || row->bare)
		return false;
	if (t->free_text) {
		if (row->max)
			strbuf_printf(out, "up to %llu bytes", (unsigned long long)row->max);
		return row->max;
	}
	if (t->negative) {
		strbuf_printf(out, "%lld to %lld", (long long)row->min, (long long)row->max);
		return true;
	}
	number_print(row, row->min, out);
	strbuf_puts(out, row->max ? " to " : " or more");
	if (row->max)
		number_print(row, row->max, out);
	if (row->why_max)
		strbuf_printf(out, " (%s)", row->why_max);
	return true;
}

int number_out_of_range(const struct opt_row *row, struct diag *d)
{
	struct strbuf b = { 0 };

	opt_print_range(row, &b);
	diag_err(d, -ERANGE, "out of range; allowed is %s", strbuf_str(&b));
	strbuf_fini(&b);
	return -ERANGE;
}

int number_error(const char *noun, int err, const char *hint, struct diag *d)
{
	if (err == -ERANGE)
		return diag_err(d, err, "out of range; %s", hint);
	return diag_err(d, err, "not a %s; %s", noun, hint);
}

/* ---- counts, sizes and times ---- */

/* Reads a time. Arithmetic on times is in the unit of the row. */
static int read_time(const char *text, uint64_t unit_ns, uint64_t *out, const char **hint)
{
	int err;

	if (!arith_is(text))
		return units_time(text, unit_ns, out, hint);
	err = arith_eval(text, 1024, true, out, hint);
	if (err || !__builtin_mul_overflow(*out, unit_ns, out))
		return err;
	*hint = "the result is too large";
	return -ERANGE;
}

int number_parse(const struct opt_row *row, const char *text, const struct opt_ctx *ctx, uint64_t max,
		 uint64_t *out, struct diag *d)
{
	static const char *const nouns[] = {
		[OPT_UNIT_COUNT] = "count", [OPT_UNIT_SIZE] = "size", [OPT_UNIT_TIME] = "time"
	};
	bool is_time = row->type->unit == OPT_UNIT_TIME;
	const char *hint = "";
	uint64_t v = 0;
	int err = is_time ? read_time(text, row->unit_ns, &v, &hint)
			  : opt_number(text, ctx->kb_base, &v, &hint);

	if (err)
		return number_error(row->type->unit ? nouns[row->type->unit] : row->type->name, err, hint, d);
	if (v < row->min || (row->max && v > row->max))
		return number_out_of_range(row, d);
	if (v > max)
		return diag_err(d, -ERANGE, "out of range; at most %llu", (unsigned long long)max);
	if (!is_time) {
		opt_note_ib(row, text, ctx);
		number_note_arith(row, text, ctx, v);
	}
	*out = v;
	return 0;
}

void number_print(const struct opt_row *row, uint64_t v, struct strbuf *out)
{
	switch (row->type->unit) {
	case OPT_UNIT_TIME:
		strbuf_puts(out, units_duration(v, row->unit_ns).text);
		break;
	case OPT_UNIT_COUNT:
		strbuf_printf(out, "%llu", (unsigned long long)v);
		break;
	default:
		strbuf_puts(out, units_suffixed(v).text);
	}
}
