#include "types.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include "arith.h"

int opt_number(const char *text, unsigned kb_base, uint64_t *out, const char **hint)
{
	if (arith_is(text))
		return opt_arith(text, kb_base, out, hint);
	return units_size(text, kb_base, out, hint);
}

/* ---- what the kinds share ---- */

static bool says_ib(const char *text)
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
	if (ctx->notes && ctx->kb_base == 1024 && says_ib(text))
		notes_add(
			ctx->notes,
			"%s=%s: KiB, MiB, GiB, ... are powers of 1024 here; fio reads them as powers of 1000",
			row->name, text);
}

/* Tells of "128*2", of which fio reads the first number only. */
static void note_arith(const struct opt_row *row, const char *text, const struct opt_ctx *ctx, uint64_t v)
{
	uint64_t first = v;

	if (!ctx->notes || *text == '(' || !arith_is(text) || !arith_first(text, ctx->kb_base, &first))
		return;
	if (first != v)
		notes_add(ctx->notes, "%s=%s is %llu here; fio takes the first number only, %llu", row->name,
			  text, (unsigned long long)v, (unsigned long long)first);
}

int opt_keep_string(char **field, const char *text, struct diag *d)
{
	char *copy = strdup(text);

	if (!copy)
		return diag_err(d, -ENOMEM, "out of memory");
	free(*field);
	*field = copy;
	return 0;
}

/* What one value of a list or range is. */
static const char *one_value(const struct opt_type *t)
{
	if (t == &opt_type_times)
		return "time";
	if (t == &opt_type_u32x3)
		return "count";
	return t == &opt_type_sizes || t == &opt_type_size3 || t == &opt_type_range3 ? "size" : t->name;
}

static int bad(const struct opt_row *row, int err, const char *hint, struct diag *d)
{
	if (err == -ERANGE)
		return diag_err(d, err, "out of range; %s", hint);
	return diag_err(d, err, "not a %s; %s", one_value(row->type), hint);
}

static void print_number(const struct opt_row *row, uint64_t v, struct strbuf *out)
{
	const struct opt_type *t = row->type;

	if (t == &opt_type_time || t == &opt_type_times)
		units_print_time(out, v, row->unit_ns);
	else if (t == &opt_type_u32 || t == &opt_type_u64 || t == &opt_type_u32x3)
		strbuf_printf(out, "%llu", (unsigned long long)v);
	else
		units_print_size(out, v);
}

bool opt_print_range(const struct opt_row *row, struct strbuf *out)
{
	const struct opt_type *t = row->type;

	if (!t || (!row->min && !row->max) || row->choices || row->bare)
		return false;
	if (t == &opt_type_string || t == &opt_type_paths || t == &opt_type_adding) {
		if (row->max)
			strbuf_printf(out, "up to %llu bytes", (unsigned long long)row->max);
		return row->max;
	}
	if (t->bytes == sizeof(int32_t) && (int64_t)row->min < 0) {
		strbuf_printf(out, "%lld to %lld", (long long)row->min, (long long)row->max);
		return true;
	}
	print_number(row, row->min, out);
	strbuf_puts(out, row->max ? " to " : " or more");
	if (row->max)
		print_number(row, row->max, out);
	return true;
}

static int out_of_range(const struct opt_row *row, struct diag *d)
{
	struct strbuf b = { 0 };

	opt_print_range(row, &b);
	diag_err(d, -ERANGE, "out of range; allowed is %s", strbuf_str(&b));
	strbuf_fini(&b);
	return -ERANGE;
}

/* One number in the row's range and not above `most`. */
static int number_in_range(const struct opt_row *row, const char *text, const struct opt_ctx *ctx,
			   uint64_t most, uint64_t *out, struct diag *d)
{
	const char *hint = "";
	uint64_t v = 0;
	int err = opt_number(text, ctx->kb_base, &v, &hint);

	if (err)
		return bad(row, err, hint, d);
	if (v < row->min || (row->max && v > row->max))
		return out_of_range(row, d);
	if (v > most)
		return diag_err(d, -ERANGE, "out of range; at most %llu", (unsigned long long)most);
	opt_note_ib(row, text, ctx);
	note_arith(row, text, ctx, v);
	*out = v;
	return 0;
}

static int time_in_range(const struct opt_row *row, const char *text, uint64_t *out, struct diag *d)
{
	const char *hint = "";
	uint64_t v = 0;
	int err;

	if (arith_is(text)) {
		err = arith_eval(text, 1024, true, &v, &hint);
		if (!err && __builtin_mul_overflow(v, row->unit_ns, &v)) {
			err = -ERANGE;
			hint = "the result is too large";
		}
	} else {
		err = units_time(text, row->unit_ns, &v, &hint);
	}
	if (err)
		return bad(row, err, hint, d);
	if (v < row->min || (row->max && v > row->max))
		return out_of_range(row, d);
	*out = v;
	return 0;
}

/* ---- bool, flag ---- */

static int parse_01(const struct opt_row *row, const char *text, bool *out, struct diag *d)
{
	static const char *const yes[] = { "yes", "true", "on", "y" }, *const no[] = { "no", "false", "off",
										       "n" };

	if (strcmp(text, "0") && strcmp(text, "1")) {
		for (unsigned i = 0; i < sizeof(yes) / sizeof(yes[0]); i++) {
			if (strcasecmp(text, yes[i]) == 0)
				return diag_err(d, -EINVAL, "not a %s; write 1 for %s", row->type->name,
						text);
			if (strcasecmp(text, no[i]) == 0)
				return diag_err(d, -EINVAL, "not a %s; write 0 for %s", row->type->name,
						text);
		}
		return diag_err(d, -EINVAL, "not a %s; write 0 or 1", row->type->name);
	}
	*out = *text == '1';
	return 0;
}

static int bool_parse(const struct opt_row *row, void *field, const char *text, const struct opt_ctx *ctx,
		      struct diag *d)
{
	(void)ctx;
	return parse_01(row, text, field, d);
}

static void bool_print(const struct opt_row *row, const void *field, struct strbuf *out)
{
	(void)row;
	strbuf_putc(out, *(const bool *)field ? '1' : '0');
}

static int not_parse(const struct opt_row *row, void *field, const char *text, const struct opt_ctx *ctx,
		     struct diag *d)
{
	bool v, *b = field;
	int err = parse_01(row, text, &v, d);

	(void)ctx;
	if (!err)
		*b = !v;
	return err;
}

static void not_print(const struct opt_row *row, const void *field, struct strbuf *out)
{
	(void)row;
	strbuf_putc(out, *(const bool *)field ? '0' : '1');
}

static int flag_parse(const struct opt_row *row, void *field, const char *text, const struct opt_ctx *ctx,
		      struct diag *d)
{
	bool *b = field;

	(void)ctx;
	if (text)
		return parse_01(row, text, b, d);
	*b = true;
	return 0;
}

const struct opt_type opt_type_bool = {
	.name = "bool", .parse = bool_parse, .print = bool_print, .bytes = sizeof(bool)
};
const struct opt_type opt_type_not = {
	.name = "bool", .parse = not_parse, .print = not_print, .bytes = sizeof(bool)
};
const struct opt_type opt_type_flag = {
	.name = "flag", .parse = flag_parse, .print = bool_print, .bytes = sizeof(bool)
};

/* ---- numbers ---- */

static int u32_parse(const struct opt_row *row, void *field, const char *text, const struct opt_ctx *ctx,
		     struct diag *d)
{
	uint64_t v;
	int err = number_in_range(row, text, ctx, UINT32_MAX, &v, d);

	if (!err)
		*(uint32_t *)field = (uint32_t)v;
	return err;
}

static void u32_print(const struct opt_row *row, const void *field, struct strbuf *out)
{
	print_number(row, *(const uint32_t *)field, out);
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
		return bad(row, err, hint, d);
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

static int u64_parse(const struct opt_row *row, void *field, const char *text, const struct opt_ctx *ctx,
		     struct diag *d)
{
	return number_in_range(row, text, ctx, UINT64_MAX, field, d);
}

static void u64_print(const struct opt_row *row, const void *field, struct strbuf *out)
{
	print_number(row, *(const uint64_t *)field, out);
}

static int amount_parse(const struct opt_row *row, void *field, const char *text, const struct opt_ctx *ctx,
			struct diag *d)
{
	struct amount *a = field, v = { 0 };
	const char *hint = "";
	int err = arith_is(text) ? opt_arith(text, ctx->kb_base, &v.bytes, &hint)
				 : units_amount(text, ctx->kb_base, &v, &hint);

	if (err)
		return bad(row, err, hint, d);
	if (!v.percent && (v.bytes < row->min || (row->max && v.bytes > row->max)))
		return out_of_range(row, d);
	opt_note_ib(row, text, ctx);
	if (!v.percent)
		note_arith(row, text, ctx, v.bytes);
	*a = v;
	return 0;
}

static void amount_print(const struct opt_row *row, const void *field, struct strbuf *out)
{
	const struct amount *a = field;

	(void)row;
	if (a->percent)
		strbuf_printf(out, "%u%%", a->percent);
	else
		units_print_size(out, a->bytes);
}

static int time_parse(const struct opt_row *row, void *field, const char *text, const struct opt_ctx *ctx,
		      struct diag *d)
{
	(void)ctx;
	return time_in_range(row, text, field, d);
}

const struct opt_type opt_type_u32 = {
	.name = "count", .parse = u32_parse, .print = u32_print, .bytes = sizeof(uint32_t)
};
const struct opt_type opt_type_i32 = {
	.name = "count", .parse = i32_parse, .print = i32_print, .bytes = sizeof(int32_t)
};
const struct opt_type opt_type_u64 = {
	.name = "count", .parse = u64_parse, .print = u64_print, .bytes = sizeof(uint64_t)
};
const struct opt_type opt_type_size = {
	.name = "size", .parse = u64_parse, .print = u64_print, .bytes = sizeof(uint64_t)
};
const struct opt_type opt_type_amount = { .name = "size or percentage",
					  .parse = amount_parse,
					  .print = amount_print,
					  .bytes = sizeof(struct amount) };
const struct opt_type opt_type_time = {
	.name = "time", .parse = time_parse, .print = u64_print, .bytes = sizeof(uint64_t)
};

/* ---- ranges and per-direction lists ---- */

/* Up to three comma-separated parts of a copy of the text. */
struct parts {
	char *copy;
	const char *v[3];
	unsigned n;
};

static int parts_split(struct parts *p, const char *text, struct diag *d)
{
	char *s;

	if (!text[strspn(text, " \t,")])
		return diag_err(d, -EINVAL, "needs a value");
	*p = (struct parts){ .copy = strdup(text) };
	if (!p->copy)
		return diag_err(d, -ENOMEM, "out of memory");
	for (s = p->copy; s; p->n++) {
		char *comma = strchr(s, ',');

		if (p->n == 3) {
			free(p->copy);
			return diag_err(d, -EINVAL, "more than three values; write reads,writes,trims");
		}
		p->v[p->n] = s + strspn(s, " \t");
		if (comma)
			*comma++ = '\0';
		s = comma;
	}
	return 0;
}

/* Where a range is divided: '-' or ':' outside parentheses. NULL if nowhere. */
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

/* One value or lo-hi, swapped if reversed. */
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
		err = row->type == &opt_type_times ? time_in_range(row, half[i], &v[i], d)
						   : number_in_range(row, half[i], ctx, UINT64_MAX, &v[i], d);
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

	print_number(row, v[0], out);
	if (v[1] == v[0])
		return;
	strbuf_putc(out, '-');
	print_number(row, v[1], out);
}

static int triple_parse(const struct opt_row *row, const char *text, const struct opt_ctx *ctx, uint64_t most,
			uint64_t v[3], struct diag *d)
{
	struct parts p;
	int err = parts_split(&p, text, d);

	if (err)
		return err;
	for (unsigned i = 0; i < 3 && !err; i++) {
		if (i >= p.n)
			v[i] = v[i - 1];
		else if (*p.v[i])
			err = row->type == &opt_type_time3
				      ? time_in_range(row, p.v[i], &v[i], d)
				      : number_in_range(row, p.v[i], ctx, most, &v[i], d);
	}
	free(p.copy);
	return err;
}

static int size3_parse(const struct opt_row *row, void *field, const char *text, const struct opt_ctx *ctx,
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

static void size3_print(const struct opt_row *row, const void *field, struct strbuf *out)
{
	const uint64_t *v = field;

	for (unsigned i = 0; i < 3; i++) {
		strbuf_puts(out, i ? "," : "");
		if (v[i] || !row->min) /* else it was never set */
			print_number(row, v[i], out);
	}
}

static int u32x3_parse(const struct opt_row *row, void *field, const char *text, const struct opt_ctx *ctx,
		       struct diag *d)
{
	uint32_t *u = field;
	uint64_t v[3] = { u[0], u[1], u[2] };
	int err = triple_parse(row, text, ctx, UINT32_MAX, v, d);

	for (unsigned i = 0; i < 3 && !err; i++)
		u[i] = (uint32_t)v[i];
	return err;
}

static void u32x3_print(const struct opt_row *row, const void *field, struct strbuf *out)
{
	const uint32_t *v = field;

	for (unsigned i = 0; i < 3; i++) {
		strbuf_puts(out, i ? "," : "");
		print_number(row, v[i], out);
	}
}

static int range3_parse(const struct opt_row *row, void *field, const char *text, const struct opt_ctx *ctx,
			struct diag *d)
{
	uint64_t v[3][2];
	struct parts p;
	int err = parts_split(&p, text, d);

	if (err)
		return err;
	memcpy(v, field, sizeof(v));
	for (unsigned i = 0; i < 3 && !err; i++) {
		if (i >= p.n)
			memcpy(v[i], v[i - 1], sizeof(v[i]));
		else if (*p.v[i])
			err = range_parse(row, p.v[i], ctx, v[i], d);
	}
	free(p.copy);
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

const struct opt_type opt_type_times = { .name = "time or range of times",
					 .parse = pair_parse,
					 .print = pair_print,
					 .bytes = 2 * sizeof(uint64_t) };
const struct opt_type opt_type_sizes = { .name = "size or range of sizes",
					 .parse = pair_parse,
					 .print = pair_print,
					 .bytes = 2 * sizeof(uint64_t) };
const struct opt_type opt_type_size3 = { .name = "size, or sizes of reads,writes,trims",
					 .parse = size3_parse,
					 .print = size3_print,
					 .bytes = 3 * sizeof(uint64_t) };
const struct opt_type opt_type_time3 = { .name = "time, or times of reads,writes,trims",
					 .parse = size3_parse,
					 .print = size3_print,
					 .bytes = 3 * sizeof(uint64_t) };
const struct opt_type opt_type_u32x3 = { .name = "count, or counts of reads,writes,trims",
					 .parse = u32x3_parse,
					 .print = u32x3_print,
					 .bytes = 3 * sizeof(uint32_t) };
const struct opt_type opt_type_range3 = { .name = "range of sizes, or ranges of reads,writes,trims",
					  .parse = range3_parse,
					  .print = range3_print,
					  .bytes = 6 * sizeof(uint64_t) };

/* ---- enum ---- */

/* "not a choice; write none, sync or dsync (did you mean dsync?)". Choices below 0 are left out. */
static int not_a_choice(const struct opt_row *row, const char *text, struct diag *d)
{
	const char *near = opt_nearest_choice(row->choices, text);
	struct strbuf b = { 0 };
	unsigned n = 0, left = 0;

	for (const struct opt_choice *c = row->choices; c->name; c++)
		left += c->value >= 0;
	for (const struct opt_choice *c = row->choices; c->name; c++) {
		if (c->value < 0)
			continue;
		strbuf_printf(&b, "%s%s", n == 0 ? "" : n + 1 == left ? " or " : ", ", c->name);
		n++;
	}
	if (near)
		strbuf_printf(&b, " (did you mean %s?)", near);
	diag_err(d, -EINVAL, "not a choice; write %s", strbuf_str(&b));
	strbuf_fini(&b);
	return -EINVAL;
}

static int enum_parse(const struct opt_row *row, void *field, const char *text, const struct opt_ctx *ctx,
		      struct diag *d)
{
	(void)ctx;
	for (const struct opt_choice *c = row->choices; c->name; c++) {
		if (strcmp(c->name, text) == 0) {
			*(unsigned *)field = (unsigned)c->value;
			return 0;
		}
	}
	return not_a_choice(row, text, d);
}

static void enum_print(const struct opt_row *row, const void *field, struct strbuf *out)
{
	for (const struct opt_choice *c = row->choices; c->name; c++) {
		if ((unsigned)c->value == *(const unsigned *)field) {
			strbuf_puts(out, c->name);
			return;
		}
	}
}

static int only_parse(const struct opt_row *row, void *field, const char *text, const struct opt_ctx *ctx,
		      struct diag *d)
{
	size_t stem = strcspn(text, ":,");

	(void)field;
	(void)ctx;
	for (const struct opt_choice *c = row->choices; c->name; c++) {
		if (c->value >= 0 && strcmp(c->name, text) == 0)
			return 0;
	}
	for (const struct opt_choice *c = row->choices; c->name; c++) {
		if (strlen(c->name) == stem && strncmp(c->name, text, stem) == 0)
			return diag_err(d, -ENOTSUP, "not supported yet; only %s is", row->def);
	}
	return not_a_choice(row, text, d);
}

static void only_print(const struct opt_row *row, const void *field, struct strbuf *out)
{
	(void)field;
	strbuf_puts(out, row->def);
}

const struct opt_type opt_type_enum = {
	.name = "choice", .parse = enum_parse, .print = enum_print, .bytes = sizeof(unsigned)
};
const struct opt_type opt_type_only = { .name = "choice", .parse = only_parse, .print = only_print };

/* ---- strings ---- */

static int string_check(const struct opt_row *row, const char *text, struct diag *d)
{
	size_t len = strlen(text);

	if (!len && row->min)
		return diag_err(d, -EINVAL, "needs a value");
	if (len < row->min)
		return diag_err(d, -ERANGE, "too short; at least %llu bytes", (unsigned long long)row->min);
	if (row->max && len > row->max)
		return diag_err(d, -ERANGE, "too long; at most %llu bytes", (unsigned long long)row->max);
	if (len && row->type != &opt_type_string && strspn(text, ":") == len)
		return diag_err(d, -EINVAL, "names no path; a colon that belongs to one is written \\:");
	return 0;
}

static int string_parse(const struct opt_row *row, void *field, const char *text, const struct opt_ctx *ctx,
			struct diag *d)
{
	int err = string_check(row, text, d);

	(void)ctx;
	return err ? err : opt_keep_string(field, text, d);
}

static int adding_parse(const struct opt_row *row, void *field, const char *text, const struct opt_ctx *ctx,
			struct diag *d)
{
	char **s = field;
	struct strbuf b = { 0 };
	int err = string_check(row, text, d);

	(void)ctx;
	if (err)
		return err;
	if (*s && **s)
		strbuf_printf(&b, "%s:", *s);
	strbuf_puts(&b, text);
	err = b.failed ? diag_err(d, -ENOMEM, "out of memory") : opt_keep_string(s, strbuf_str(&b), d);
	strbuf_fini(&b);
	return err;
}

void opt_text_print(const struct opt_row *row, const void *field, struct strbuf *out)
{
	const char *s = *(char *const *)field;

	(void)row;
	if (s)
		strbuf_puts(out, s);
}

void opt_text_fini(const struct opt_row *row, void *field)
{
	char **s = field;

	(void)row;
	free(*s);
	*s = NULL;
}

int opt_text_copy(const struct opt_row *row, void *to, const void *from)
{
	const char *s = *(char *const *)from;
	char **t = to;

	(void)row;
	*t = s ? strdup(s) : NULL;
	return s && !*t ? -ENOMEM : 0;
}

const struct opt_type opt_type_string = OPT_TYPE_TEXT("text", string_parse);
const struct opt_type opt_type_paths = OPT_TYPE_TEXT("path list", string_parse);
const struct opt_type opt_type_adding = OPT_TYPE_TEXT("path list", adding_parse);
