/* html_text.h: text of the HTML pages. Internal to report/. */
#ifndef REPORT_HTML_TEXT_H
#define REPORT_HTML_TEXT_H

struct strbuf;

/* Adds text that a page shows as it is, in elements and in quoted attributes. Bytes that are not UTF-8,
   control characters and characters that reverse the order of text become U+FFFD. NULL adds nothing. */
void html_text(struct strbuf *b, const char *text);

#endif
