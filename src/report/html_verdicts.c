/* html_verdicts.c: the verdicts of assertions. */
#include "html_page.h"

#include <string.h>
#include "strbuf.h"
#include "verdict.h"

/* Adds a value as other tables of the page do, with "µs" in place of "us". */
static void put_value(struct strbuf *b, const struct strbuf *value)
{
	const char *text = strbuf_str(value);

	if (value->len > 3 && !strcmp(text + value->len - 3, " us"))
		strbuf_printf(b, "%.*s \xc2\xb5s", (int)value->len - 3, text);
	else
		strbuf_puts(b, text);
	b->failed |= value->failed;
}

static void put_measured(struct strbuf *b, const struct result_verdict *v)
{
	struct strbuf value = { 0 };

	verdict_measured(&value, v);
	put_value(b, &value);
	strbuf_fini(&value);
}

static void put_limit(struct strbuf *b, const struct result_verdict *v)
{
	struct strbuf value = { 0 };

	verdict_value(&value, v->unit, v->limit);
	html_text(b, v->op);
	strbuf_putc(b, ' ');
	put_value(b, &value);
	strbuf_fini(&value);
}

static void put_row(struct strbuf *b, const struct result_verdict *v)
{
	html_row(b, v->assertion);
	html_cell(b, v->of ? v->of : "");
	html_cell(b, v->figure);
	html_cell_begin(b, true);
	if (v->why)
		html_text(b, v->why);
	else
		put_measured(b, v);
	html_cell_end(b);
	html_cell_begin(b, true);
	put_limit(b, v);
	html_cell_end(b);
	html_cell_begin(b, false);
	strbuf_puts(b, v->passed ? "passed" : "<strong>FAILED</strong>");
	html_cell_end(b);
	html_row_end(b);
}

void html_verdicts(struct html_run *h)
{
	static const char *const column[] = {
		"Assertion", "Job", "Figure", "#Measured", "#Limit", "Verdict"
	};
	const struct result *r = h->r;
	size_t failed = verdicts_failed(r);

	if (!r->verdicts.n)
		return;
	html_section(h, 1, "assertions", "Assertions");
	strbuf_printf(h->b, "<p>%zu passed, %zu failed.</p>\n", r->verdicts.n - failed, failed);
	html_table(h->b, "The verdicts of the assertions (--assert)", column,
		   sizeof(column) / sizeof(*column));
	for (size_t i = 0; i < r->verdicts.n; i++)
		put_row(h->b, &r->verdicts.v[i]);
	html_table_end(h->b);
	html_section_end(h);
}
