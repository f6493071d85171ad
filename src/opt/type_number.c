/* type_number.c: one count, size or time. */
#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include "arith.h"
#include "number.h"
#include "strbuf.h"
#include "types.h"

static int u32_parse(const struct opt_row *row, void *field, const char *text, const struct opt_ctx *ctx,
		     struct diag *d)
{
	uint64_t v;
	int err = number_parse(row, text, ctx, UINT32_MAX, &v, d);

	if (!err)
		*(uint32_t *)field = (uint32_t)v;
	return err;
}

static void u32_print(const struct opt_row *row, const void *field, struct strbuf *out)
{
	number_print(row, *(const uint32_t *)field, out);
}

static int i32_parse(const struct opt_row *row, void *field, const char *text, const struct opt_ctx *ctx,
		     struct diag *d)
{
	const char *hint = "", *digits = text + (*text == '-');
	int64_t lo = row->min || row->max ? (int64_t)row->min : INT32_MIN, v;
	int64_t hi = row->min || row->max ? (int64_t)row->max : INT32_MAX;
	uint64_t u;
	int err = opt_number(digits, ctx->kb_base, &u, &hint);

	if (err)
		return number_error("count", err, hint, d);
	v = u > INT32_MAX ? INT64_MAX : (int64_t)u;
	v = *text == '-' ? -v : v;
	if (v < lo || v > hi)
		return diag_err(d, -ERANGE, "out of range; allowed is %lld to %lld", (long long)lo,
				(long long)hi);
	*(int32_t *)field = (int32_t)v;
	return 0;
}

static void i32_print(const struct opt_row *row, const void *field, struct strbuf *out)
{
	(void)row;
	strbuf_printf(out, "%d", *(const int32_t *)field);
}

static int fraction_parse(const struct opt_row *row, void *field, const char *text, const struct opt_ctx *ctx,
			  struct diag *d)
{
	const uint32_t one = 1000000;
	const char *p = text;
	uint32_t v = 0, unit = one;

	(void)row;
	(void)ctx;
	if (*p == '0' || *p == '1')
		v = (uint32_t)(*p++ - '0') * one;
	if (*p == '.' && (p != text || isdigit((unsigned char)p[1])))
		for (p++; *p >= '0' && *p <= '9' && unit > 1; p++)
			v += (uint32_t)(*p - '0') * (unit /= 10);
	if (p == text || *p || v > one)
		return diag_err(d, -EINVAL,
				"not a fraction; write 0 to 1 with up to six decimals, such as 0.25");
	*(uint32_t *)field = v;
	return 0;
}

static void fraction_print(const struct opt_row *row, const void *field, struct strbuf *out)
{
	const uint32_t one = 1000000, v = *(const uint32_t *)field;
	uint32_t rest = v % one, digits = 6;

	(void)row;
	strbuf_printf(out, "%u", v / one);
	for (; rest && rest % 10 == 0; rest /= 10)
		digits--;
	if (rest)
		strbuf_printf(out, ".%0*u", (int)digits, rest);
}

static int u64_parse(const struct opt_row *row, void *field, const char *text, const struct opt_ctx *ctx,
		     struct diag *d)
{
	return number_parse(row, text, ctx, UINT64_MAX, field, d);
}

static void u64_print(const struct opt_row *row, const void *field, struct strbuf *out)
{
	number_print(row, *(const uint64_t *)field, out);
}

static int amount_parse(const struct opt_row *row, void *field, const char *text, const struct opt_ctx *ctx,
			struct diag *d)
{
	struct amount *a = field, v = { 0 };
	const char *hint = "";
	int err = arith_is(text) ? opt_arith(text, ctx->kb_base, &v.bytes, &hint)
				 : units_amount(text, ctx->kb_base, &v, &hint);

	if (!err && v.percent && row->type->no_percent) {
		err = -EINVAL;
		hint = "a percentage has no meaning here";
	}
	if (!err && v.percent > 100 && !row->type->any_percent) {
		err = -ERANGE;
		hint = "a percentage is 0% to 100%";
	}
	if (err)
		return number_error(row->type->name, err, hint, d);
	if (v.percent > 100) {
		v.percent = 100;
		if (ctx->notes)
			notes_add(ctx->notes, "{%s=%s} is 100%%, as in fio: there is no more than all",
				  row->name, text);
	}
	if (!v.percent && !v.zones && (v.bytes < row->min || (row->max && v.bytes > row->max)))
		return number_out_of_range(row, d);
	opt_note_ib(row, text, ctx);
	if (!v.percent && !v.zones)
		number_note_arith(row, text, ctx, v.bytes);
	*a = v;
	return 0;
}

static void amount_print(const struct opt_row *row, const void *field, struct strbuf *out)
{
	const struct amount *a = field;

	(void)row;
	if (a->percent)
		strbuf_printf(out, "%u%%", a->percent);
	else if (a->zones)
		strbuf_printf(out, "%" PRIu64 "z", a->zones);
	else
		strbuf_puts(out, units_suffixed(a->bytes).text);
}

const struct opt_type opt_type_u32 = { OPT_TYPE_OF(COUNT, "count", u32, uint32_t) };
const struct opt_type opt_type_i32 = { OPT_TYPE_OF(COUNT, "count", i32, int32_t), .negative = true };
const struct opt_type opt_type_u64 = { OPT_TYPE_OF(COUNT, "count", u64, uint64_t) };
const struct opt_type opt_type_size = { OPT_TYPE_OF(SIZE, "size", u64, uint64_t) };
const struct opt_type opt_type_amount = { OPT_TYPE_OF(SIZE, "size, percentage or number of zones", amount,
						      struct amount) };
const struct opt_type opt_type_whole = {
	OPT_TYPE_OF(SIZE, "size, percentage or number of zones", amount, struct amount), .any_percent = true
};
const struct opt_type opt_type_fraction = { OPT_TYPE("fraction", fraction), .bytes = sizeof(uint32_t) };
const struct opt_type opt_type_zones = { OPT_TYPE_OF(SIZE, "size or number of zones", amount, struct amount),
					 .no_percent = true };
const struct opt_type opt_type_time = { OPT_TYPE_OF(TIME, "time", u64, uint64_t) };
