#include "verdict.h"

#include <math.h>
#include <string.h>

struct scale {
	double step;
	const char *const *unit;
};

static struct scale scale_of(enum limit_unit unit)
{
	static const char *const rate[] = { " B/s", " KiB/s", " MiB/s", " GiB/s", NULL };
	static const char *const bytes[] = { " B", " KiB", " MiB", " GiB", " TiB", NULL };
	static const char *const time[] = { " ns", " us", " ms", " s", NULL };
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
	if (fabs(value) >= 1e6 && fabs(value) < 1e15) /* without an exponent */
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

/* The widths of the columns whose texts differ much; a longer text moves the columns after it. */
struct widths {
	size_t of, figure;
};

static size_t wider(size_t width, const char *text)
{
	size_t len = text ? strlen(text) : 1;

	return len > width && len <= 32 ? len : width;
}

/* Pads what was added since `from` to a width; the next column follows after two spaces. */
static void pad(struct strbuf *b, size_t from, size_t width)
{
	while (b->len < from + width && !b->failed)
		strbuf_putc(b, ' ');
	strbuf_puts(b, "  ");
}

static void put_row(struct strbuf *b, const struct result_verdict *v, const struct widths *w)
{
	size_t from;

	strbuf_puts(b, v->passed ? "  passed  " : "  FAILED  ");
	from = b->len;
	strbuf_plain(b, v->of ? v->of : "-");
	pad(b, from, w->of);
	from = b->len;
	strbuf_plain(b, v->figure);
	pad(b, from, w->figure);
	from = b->len;
	verdict_measured(b, v);
	pad(b, from, 14);
	from = b->len;
	put_limit(b, v);
	pad(b, from, 14);
	strbuf_plain(b, v->assertion);
	if (v->why) {
		strbuf_puts(b, " (");
		strbuf_plain(b, v->why);
		strbuf_putc(b, ')');
	}
	strbuf_putc(b, '\n');
}

void text_verdicts(struct strbuf *b, const struct result *r)
{
	struct widths w = { strlen("job"), strlen("figure") };
	size_t failed = verdicts_failed(r);

	if (!r->verdicts.n)
		return;
	for (size_t i = 0; i < r->verdicts.n; i++) {
		w.of = wider(w.of, r->verdicts.v[i].of);
		w.figure = wider(w.figure, r->verdicts.v[i].figure);
	}
	strbuf_printf(b, "\nAssertions: %zu passed, %zu FAILED\n", r->verdicts.n - failed, failed);
	strbuf_printf(b, "  %-6s  %-*s  %-*s  %-14s  %-14s  %s\n", "", (int)w.of, "job", (int)w.figure,
		      "figure", "measured", "limit", "assertion");
	for (size_t i = 0; i < r->verdicts.n; i++)
		put_row(b, &r->verdicts.v[i], &w);
}
