/* html_text.h: text of the HTML pages. Internal to report/. */
#ifndef REPORT_HTML_TEXT_H
#define REPORT_HTML_TEXT_H

struct strbuf;

/* Adds text that a page shows as it is, in elements and in quoted attributes. Bytes that are not UTF-8,
   control characters and characters that reverse the order of text become U+FFFD. NULL adds nothing. */
void html_text(struct strbuf *b, const char *text);
/* The format is HTML, and html_text adds the arguments of %s; strbuf_vprintf_with says what it may have. */
void html_printf(struct strbuf *b, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

#endif
