#include "verdict.h"

#include <math.h>
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

static void put_value(struct strbuf *b, enum limit_unit unit, double value, int digits)
{
	struct scale s = scale_of(unit);

	for (; s.unit[1] && fabs(value) >= s.step; s.unit++)
		value /= s.step;
	if (fabs(value) >= 1e6 && fabs(value) < 1e20) /* without an exponent */
		strbuf_printf(b, "%.0f", value);
	else
		strbuf_printf(b, "%.*g", digits, value);
	strbuf_puts(b, *s.unit);
}

void verdict_value(struct strbuf *b, enum limit_unit unit, double value)
{
	put_value(b, unit, value, 7);
}

void verdict_measured(struct strbuf *b, const struct result_verdict *v)
{
	bool near = fabs(v->measured - v->limit) < 1e-6 * fabs(v->limit);

	if (v->why)
		strbuf_puts(b, "-");
	else
		put_value(b, v->unit, v->measured, near ? 15 : 7);
}

void verdict_rounded(struct strbuf *b, const struct result_verdict *v)
{
	static const struct result_units units = { .kb_base = 1024 };

	bool near = fabs(v->measured - v->limit) < 0.01 * fabs(v->limit);

	if (near && v->unit == LIMIT_TIME && !v->why)
		put_value(b, v->unit, v->measured, 5);
	else if (near || v->why)
		verdict_measured(b, v);
	else if (v->unit == LIMIT_TIME)
		readable_latency(b, v->measured);
	else if (v->unit == LIMIT_BW)
		readable_bytes_rate(b, v->measured, &units);
	else if (v->unit == LIMIT_RATE || v->unit == LIMIT_COUNT)
		readable_count(b, v->measured);
	else
		verdict_value(b, v->unit, v->measured);
}

static void put_limit(struct strbuf *b, const struct result_verdict *v)
{
	strbuf_printf(b, "%s ", v->op);
	verdict_value(b, v->unit, v->limit);
}

void verdict_failure(struct strbuf *b, const struct result_verdict *v)
{
	if (v->of) {
		strbuf_plain(b, v->of);
		strbuf_puts(b, ": ");
	}
	strbuf_plain(b, v->figure);
	if (v->why) {
		strbuf_puts(b, " was not measured: ");
		strbuf_plain(b, v->why);
		return;
	}
	strbuf_puts(b, " is ");
	verdict_measured(b, v);
	strbuf_puts(b, ", and the limit is ");
	put_limit(b, v);
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
		verdict_measured(b, v);
		break;
	default:
		put_limit(b, v);
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
	if (v->why) {
		strbuf_puts(b, " (");
		strbuf_plain(b, v->why);
		strbuf_putc(b, ')');
	}
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
