/* html_verdicts.c: the verdicts of assertions. */
#include "html_page.h"

#include "strbuf.h"
#include "verdict.h"

static void put_row(struct strbuf *b, const struct result_verdict *v)
{
	html_row(b, v->assertion);
	html_cell(b, v->of ? v->of : "");
	html_cell(b, v->figure);
	html_number(b, v->why ? v->why : verdict_measured(v).text);
	html_printf(b, "<td class=\"n\">%s %s</td>", v->op, verdict_value(v->unit, v->limit).text);
	strbuf_puts(b, v->passed ? "<td>passed</td>" : "<td><strong>FAILED</strong></td>");
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
