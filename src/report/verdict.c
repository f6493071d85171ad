#include "verdict.h"

#include <math.h>
#include <stdio.h>
#include "readable.h"
#include "screen_text.h"
#include "strbuf.h"

struct scale {
	double step;
	const char *const *unit;
};

static struct scale scale_of(enum limit_unit unit)
{
	static const char *const rate[] = { " B/s", " KiB/s", " MiB/s", " GiB/s", NULL };
	static const char *const bytes[] = { " B", " KiB", " MiB", " GiB", " TiB", NULL };
	static const char *const time[] = { " ns", " \xc2\xb5s", " ms", " s", NULL };
	static const char *const iops[] = { " IOPS", NULL }, *const percent[] = { "%", NULL };
	static const char *const count[] = { "", NULL };

	switch (unit) {
	case LIMIT_BW:
		return (struct scale){ 1024, rate };
	case LIMIT_BYTES:
		return (struct scale){ 1024, bytes };
	case LIMIT_TIME:
		return (struct scale){ 1000, time };
	case LIMIT_RATE:
		return (struct scale){ 1, iops };
	case LIMIT_PERCENT:
		return (struct scale){ 1, percent };
	case LIMIT_COUNT:
		break;
	}
	return (struct scale){ 1, count };
}

static struct short_text with_unit(enum limit_unit unit, double value, int digits)
{
	struct scale s = scale_of(unit);
	struct short_text t;

	for (; s.unit[1] && fabs(value) >= s.step; s.unit++)
		value /= s.step;
	if (fabs(value) >= 1e6 && fabs(value) < 1e20) /* without an exponent */
		snprintf(t.text, sizeof(t.text), "%.0f%s", value, *s.unit);
	else
		snprintf(t.text, sizeof(t.text), "%.*g%s", digits, value, *s.unit);
	return t;
}

struct short_text verdict_value(enum limit_unit unit, double value)
{
	return with_unit(unit, value, 7);
}

struct short_text verdict_measured(const struct result_verdict *v)
{
	bool near = fabs(v->measured - v->limit) < 1e-6 * fabs(v->limit);

	return v->why ? (struct short_text){ "-" } : with_unit(v->unit, v->measured, near ? 15 : 7);
}

struct short_text verdict_rounded(const struct result_verdict *v)
{
	static const struct result_units units = { .kb_base = 1024 };
	bool near = fabs(v->measured - v->limit) < 0.01 * fabs(v->limit);

	if (near && v->unit == LIMIT_TIME && !v->why)
		return with_unit(v->unit, v->measured, 5);
	if (near || v->why)
		return verdict_measured(v);
	if (v->unit == LIMIT_TIME)
		return readable_latency(v->measured);
	if (v->unit == LIMIT_BW)
		return readable_bytes_rate(v->measured, &units);
	if (v->unit == LIMIT_RATE || v->unit == LIMIT_COUNT)
		return readable_count(v->measured);
	return verdict_value(v->unit, v->measured);
}

void verdict_failure(struct strbuf *b, const struct result_verdict *v)
{
	strbuf_printf_plain(b, "%s%s%s", v->of ? v->of : "", v->of ? ": " : "", v->figure);
	if (v->why)
		strbuf_printf_plain(b, " was not measured: %s", v->why);
	else
		strbuf_printf(b, " is %s, and the limit is %s %s", verdict_measured(v).text, v->op,
			      verdict_value(v->unit, v->limit).text);
}

size_t verdicts_failed(const struct result *r)
{
	size_t n = 0;

	for (size_t i = 0; i < r->verdicts.n; i++)
		n += !r->verdicts.v[i].passed;
	return n;
}

enum column { OF, FIGURE, MEASURED, LIMIT, COLUMNS };

static void put_cell(struct strbuf *b, const struct result_verdict *v, enum column column)
{
	switch (column) {
	case OF:
		strbuf_plain(b, v->of ? v->of : "-");
		break;
	case FIGURE:
		strbuf_plain(b, v->figure);
		break;
	case MEASURED:
		strbuf_puts(b, verdict_measured(v).text);
		break;
	default:
		strbuf_printf(b, "%s %s", v->op, verdict_value(v->unit, v->limit).text);
	}
}

/* Widens a column for a text; a text of more than 40 columns moves those after it. */
static void widen(unsigned *width, const char *text)
{
	unsigned columns = screen_columns(text, true);

	if (columns > *width && columns <= 40)
		*width = columns;
}

/* Pads the text that was added since `from` to a width; the next column follows after two spaces. */
static void pad(struct strbuf *b, size_t from, unsigned width)
{
	for (unsigned used = screen_columns(strbuf_str(b) + from, true); used < width; used++)
		strbuf_putc(b, ' ');
	strbuf_puts(b, "  ");
}

static void put_row(struct strbuf *b, const struct result_verdict *v, const unsigned *width)
{
	strbuf_puts(b, v->passed ? "  passed  " : "  FAILED  ");
	for (unsigned i = 0; i < COLUMNS && !b->failed; i++) {
		size_t from = b->len;

		put_cell(b, v, i);
		pad(b, from, width[i]);
	}
	strbuf_plain(b, v->assertion);
	if (v->why)
		strbuf_printf_plain(b, " (%s)", v->why);
	strbuf_putc(b, '\n');
}

static void get_widths(const struct result *r, unsigned *width)
{
	struct strbuf cell = { 0 };

	for (size_t i = 0; i < r->verdicts.n; i++)
		for (unsigned k = 0; k < COLUMNS; k++) {
			strbuf_clear(&cell);
			put_cell(&cell, &r->verdicts.v[i], k);
			widen(&width[k], strbuf_str(&cell));
		}
	strbuf_fini(&cell);
}

void text_verdicts(struct strbuf *b, const struct result *r)
{
	static const char *const heading[COLUMNS] = { "job", "figure", "measured", "limit" };
	unsigned width[COLUMNS] = { 0 };
	size_t failed = verdicts_failed(r);

	if (!r->verdicts.n)
		return;
	get_widths(r, width);
	strbuf_printf(b, "\nAssertions: %zu passed, %zu FAILED\n%10s", r->verdicts.n - failed, failed, "");
	for (unsigned i = 0; i < COLUMNS; i++) {
		widen(&width[i], heading[i]);
		strbuf_printf(b, "%-*s  ", (int)width[i], heading[i]);
	}
	strbuf_puts(b, "assertion\n");
	for (size_t i = 0; i < r->verdicts.n; i++)
		put_row(b, &r->verdicts.v[i], width);
}
