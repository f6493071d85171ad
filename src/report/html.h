/* html.h: the report as one HTML page. It loads nothing from elsewhere, and without its script it lacks only
   the cursor of the charts and the hiding of their lines. */
#ifndef REPORT_HTML_H
#define REPORT_HTML_H

#include "result.h"

struct strbuf;

/* Appends the page of n results to b. With several, an overview comes first. source[i] is the file from which
   result i was read; NULL (or source NULL): it was run now. Returns 0 or -ENOMEM. */
int report_html(const struct result *const *res, const char *const *source, size_t n, struct strbuf *b);

/* The frame of a page, for reports that fill it otherwise: everything up to <main>, and everything after
   </main>, which the caller writes. subtitle may be NULL; both texts are escaped. data says in HTML where the
   data of the page is: REPORT_HTML_DATA if the page holds it. */
void report_html_page_begin(struct strbuf *b, const char *title, const char *subtitle);
void report_html_page_end(struct strbuf *b, const char *data);
#define REPORT_HTML_DATA                                                                                 \
	"It holds its own data: <code>fiord report</code>, <code>compare</code> and <code>merge</code> " \
	"read it."

#endif
