#include "rows.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "options.h"
#include "types.h"

#define BLANK_PERCENT UINT32_MAX

/* ---- rw ---- */

static int rw_count(const char *text, const struct opt_ctx *ctx, unsigned *nr, struct diag *d)
{
	const char *hint = "";
	uint64_t v;

	if (opt_number(text, ctx->kb_base, &v, &hint) || v < 1 || v > UINT32_MAX)
		return diag_err(d, -EINVAL, "behind a random pattern stands a count, such as randread:8");
	*nr = (unsigned)v;
	return 0;
}

static int rw_stride(const char *text, const struct opt_ctx *ctx, int64_t *stride, struct diag *d)
{
	bool negative = *text == '-';
	const char *hint = "";
	uint64_t v;

	if (opt_number(text + (negative || *text == '+'), ctx->kb_base, &v, &hint))
		return diag_err(d, -EINVAL,
				"behind a sequential pattern stands a size, such as read:8k or write:-4k");
	if (v > INT64_MAX)
		return diag_err(d, -ERANGE, "out of range; the stride is too large");
	*stride = negative ? -(int64_t)v : (int64_t)v;
	return 0;
}

static int rw_unknown(const struct opt_row *row, const char *text, struct diag *d)
{
	const char *near = opt_nearest_choice(row->choices, text);
	struct strbuf b = { 0 };

	for (const struct opt_choice *c = row->choices; c->name; c++)
		strbuf_printf(&b, "%s%s", b.len ? ", " : "", c->name);
	if (near)
		strbuf_printf(&b, " (did you mean %s?)", near);
	diag_err(d, -EINVAL, "not a pattern; known are %s", strbuf_str(&b));
	strbuf_fini(&b);
	return -EINVAL;
}

static int rw_parse(const struct opt_row *row, void *field, const char *text, const struct opt_ctx *ctx,
		    struct diag *d)
{
	struct offset_cfg *o = field;
	size_t stem = strcspn(text, ":");
	const struct opt_choice *c = row->choices;
	unsigned nr = 1;
	int64_t stride = 0;
	int err = 0;

	while (c->name && (strlen(c->name) != stem || strncmp(c->name, text, stem)))
		c++;
	if (!c->name)
		return rw_unknown(row, text, d);
	if (text[stem] && c->value & RW_RANDOM)
		err = rw_count(text + stem + 1, ctx, &nr, d);
	else if (text[stem])
		err = rw_stride(text + stem + 1, ctx, &stride, d);
	if (err)
		return err;
	opt_note_ib(row, text, ctx);
	o->rw = (unsigned)c->value;
	o->rw_nr = nr;
	o->rw_stride = stride;
	return 0;
}

static void rw_print(const struct opt_row *row, const void *field, struct strbuf *out)
{
	const struct offset_cfg *o = field;
	const struct opt_choice *c = row->choices;

	while (c->name && (unsigned)c->value != o->rw)
		c++;
	strbuf_puts(out, c->name ? c->name : "");
	if (o->rw_nr > 1)
		strbuf_printf(out, ":%u", o->rw_nr);
	if (o->rw_stride) {
		strbuf_puts(out, o->rw_stride < 0 ? ":-" : ":");
		units_print_size(out, (uint64_t)(o->rw_stride < 0 ? -o->rw_stride : o->rw_stride));
	}
}

const struct opt_type job_type_rw = { .name = "pattern", .parse = rw_parse, .print = rw_print };

/* ---- bssplit ---- */

#define BSSPLIT_SAYS "write size/percent:size/percent, such as 4k/60:64k/40"

/* Length up to the first of the characters in `set` outside parentheses. */
static size_t span(const char *s, const char *set)
{
	unsigned depth = 0;
	size_t n = 0;

	for (; s[n] && (depth || !strchr(set, s[n])); n++) {
		if (s[n] == '(')
			depth++;
		else if (s[n] == ')' && depth)
			depth--;
	}
	return n;
}

static int split_percent(const char *text, size_t len, uint32_t *percent, struct diag *d)
{
	uint32_t v = 0;

	for (size_t i = 0; i < len; i++) {
		if (!isdigit((unsigned char)text[i]) || v > 100)
			return diag_err(d, -EINVAL, "not a percentage from 0 to 100; " BSSPLIT_SAYS);
		v = v * 10 + (uint32_t)(text[i] - '0');
	}
	if (v > 100)
		return diag_err(d, -ERANGE, "not a percentage from 0 to 100; " BSSPLIT_SAYS);
	*percent = len ? v : BLANK_PERCENT;
	return 0;
}

/* text[0..len) is size[/[percent]]. */
static int split_entry(const char *text, size_t len, unsigned kb_base, struct bssplit_entry *e,
		       struct diag *d)
{
	size_t size_len = span(text, "/:,");
	const char *hint = BSSPLIT_SAYS;
	char size[64];
	uint64_t v;

	if (size_len >= sizeof(size))
		return diag_err(d, -EINVAL, "not a size; " BSSPLIT_SAYS);
	memcpy(size, text, size_len);
	size[size_len] = '\0';
	if (opt_number(size, kb_base, &v, &hint))
		return diag_err(d, -EINVAL, "%s: not a size; %s", size, hint);
	if (v < 1 || v > 1u << 30)
		return diag_err(d, -ERANGE, "%s: out of range; block sizes are 1 to 1g", size);
	e->bytes = (uint32_t)v;
	if (size_len == len)
		return split_percent("", 0, &e->percent, d);
	return split_percent(text + size_len + 1, len - size_len - 1, &e->percent, d);
}

/* Fills in the blank percentages. */
static int split_resolve(struct bssplit_entry *e, unsigned n, struct diag *d)
{
	uint32_t sum = 0, blanks = 0, share, last = n - 1;

	for (unsigned i = 0; i < n; i++) {
		if (e[i].percent != BLANK_PERCENT) {
			sum += e[i].percent;
			continue;
		}
		blanks++;
		last = i;
	}
	if (sum > 100)
		return diag_err(d, -ERANGE, "the percentages add up to %u", sum);
	if (!blanks) {
		e[last].percent += 100 - sum;
		return 0;
	}
	share = (100 - sum) / blanks;
	for (unsigned i = 0; i < n; i++) {
		if (e[i].percent == BLANK_PERCENT)
			e[i].percent = share;
	}
	e[last].percent += 100 - sum - share * blanks;
	return 0;
}

/* One direction, text up to ',' or the end. */
static int split_direction(const char *text, unsigned kb_base, struct bsize_cfg *c, unsigned dir,
			   struct diag *d)
{
	unsigned n = 0;
	int err;

	c->split_n[dir] = 0;
	if (!*text || *text == ',')
		return 0;
	for (;;) {
		size_t len = span(text, ":,");

		if (n == BSSPLIT_MAX)
			return diag_err(d, -ERANGE, "more than %d sizes", BSSPLIT_MAX);
		err = split_entry(text, len, kb_base, &c->split[dir][n], d);
		if (err)
			return err;
		n++;
		if (text[len] != ':')
			break;
		text += len + 1;
	}
	c->split_n[dir] = n;
	return split_resolve(c->split[dir], n, d);
}

int opt_bssplit(const char *text, unsigned kb_base, struct bsize_cfg *c, struct diag *d)
{
	struct bsize_cfg out = *c;
	int err;

	for (unsigned dir = 0; dir < DIR_DATA; dir++) {
		size_t len;

		if (dir && !*text) {
			out.split_n[dir] = out.split_n[dir - 1];
			memcpy(out.split[dir], out.split[dir - 1], sizeof(out.split[dir]));
			continue;
		}
		text += dir > 0;
		len = span(text, ",");
		err = split_direction(text, kb_base, &out, dir, d);
		if (err)
			return err;
		text += len;
	}
	if (*text)
		return diag_err(d, -EINVAL, "more than three directions; write reads,writes,trims");
	*c = out;
	return 0;
}

/* Whether a direction without blank percentages stays below 100. */
static bool split_short(const char *text)
{
	for (; *text; text += span(text, ",") + (text[span(text, ",")] == ',')) {
		unsigned sum = 0, blanks = 0;

		for (const char *s = text; *s && *s != ','; s += span(s, ":,") + (s[span(s, ":,")] == ':')) {
			const char *percent = s + span(s, "/:,");

			if (*percent == '/' && isdigit((unsigned char)percent[1]))
				sum += (unsigned)strtoul(percent + 1, NULL, 10);
			else
				blanks++;
		}
		if (!blanks && sum < 100 && *text != ',')
			return true;
	}
	return false;
}

static int bssplit_parse(const struct opt_row *row, void *field, const char *text, const struct opt_ctx *ctx,
			 struct diag *d)
{
	struct bsize_cfg *scratch = calloc(1, sizeof(*scratch));
	int err =
		scratch ? opt_bssplit(text, ctx->kb_base, scratch, d) : diag_err(d, -ENOMEM, "out of memory");

	if (!err && !scratch->split_n[0] && !scratch->split_n[1] && !scratch->split_n[2])
		err = diag_err(d, -EINVAL, "needs a value; " BSSPLIT_SAYS);
	free(scratch);
	if (err)
		return err;
	if (ctx->notes && split_short(text))
		notes_add(ctx->notes,
			  "%s=%s: the percentages add up to less than 100; the last size gets the rest",
			  row->name, text);
	opt_note_ib(row, text, ctx);
	return opt_text_set(field, text, d);
}

const struct opt_type job_type_bssplit = { OPT_TYPE_TEXT("list of sizes with percentages", bssplit_parse) };

/* ---- percentile_list ---- */

/* digits[.digits], 0 to 100. */
static bool percentile_read(const char *text, size_t len, double *out)
{
	size_t digits = strspn(text, "0123456789"), fraction = 0;

	if (digits < len && text[digits] == '.')
		fraction = 1 + strspn(text + digits + 1, "0123456789");
	if (!digits || digits + fraction != len || fraction == 1 || len > 20)
		return false;
	*out = strtod(text, NULL);
	return *out <= 100;
}

/* Keeps v[0..*n) ascending and without repetitions. */
static void percentile_insert(double *v, unsigned *n, double value)
{
	unsigned at = 0;

	while (at < *n && v[at] < value)
		at++;
	if (at < *n && !(v[at] > value))
		return;
	memmove(v + at + 1, v + at, (*n - at) * sizeof(*v));
	v[at] = value;
	++*n;
}

static int percentiles_parse(const struct opt_row *row, void *field, const char *text,
			     const struct opt_ctx *ctx, struct diag *d)
{
	struct report_cfg *r = field;
	double v[PERCENTILES_MAX + 1], value;
	unsigned n = 0;

	(void)row;
	(void)ctx;
	for (;; text++) {
		size_t len = strcspn(text, ":");

		if (!percentile_read(text, len, &value))
			return diag_err(d, -EINVAL,
					"not a list of percentages from 0 to 100, such as 50:99:99.9");
		percentile_insert(v, &n, value);
		if (n > PERCENTILES_MAX)
			return diag_err(d, -ERANGE, "more than %d values", PERCENTILES_MAX);
		text += len;
		if (!*text)
			break;
	}
	memcpy(r->percentile, v, n * sizeof(*v));
	r->percentiles = n;
	return 0;
}

static void percentiles_print(const struct opt_row *row, const void *field, struct strbuf *out)
{
	const struct report_cfg *r = field;

	(void)row;
	for (unsigned i = 0; i < r->percentiles; i++)
		strbuf_printf(out, "%s%.15g", i ? ":" : "", r->percentile[i]);
}

const struct opt_type job_type_percentiles = { .name = "list of percentages",
					       .parse = percentiles_parse,
					       .print = percentiles_print };

/* ---- rwmixwrite, buffered ---- */

static int rest_parse(const struct opt_row *row, void *field, const char *text, const struct opt_ctx *ctx,
		      struct diag *d)
{
	uint32_t v = 0;
	int err = opt_type_u32.parse(row, &v, text, ctx, d);

	if (!err)
		*(unsigned *)field = 100 - v;
	return err;
}

static void rest_print(const struct opt_row *row, const void *field, struct strbuf *out)
{
	(void)row;
	strbuf_printf(out, "%u", 100 - *(const unsigned *)field);
}

static int buffered_parse(const struct opt_row *row, void *field, const char *text, const struct opt_ctx *ctx,
			  struct diag *d)
{
	struct job_opts *o = field;
	int err = opt_type_not.parse(row, &o->file.direct, text, ctx, d);

	if (!err)
		o->buffered_set = true;
	return err;
}

static void buffered_print(const struct opt_row *row, const void *field, struct strbuf *out)
{
	const struct job_opts *o = field;

	opt_type_not.print(row, &o->file.direct, out);
}

const struct opt_type job_type_rest = {
	.name = "percentage", .parse = rest_parse, .print = rest_print, .bytes = sizeof(unsigned)
};
const struct opt_type job_type_buffered = { .name = "bool",
					    .parse = buffered_parse,
					    .print = buffered_print };
