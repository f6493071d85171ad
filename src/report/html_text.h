/* html_text.h: text, numbers and times of the HTML pages. Internal to report/. */
#ifndef REPORT_HTML_TEXT_H
#define REPORT_HTML_TEXT_H

#include <stdbool.h>
#include <stdint.h>
#include "result.h"
#include "strbuf.h"

/* Adds text that a page shows as it is, in elements and in quoted attributes. Bytes that are not UTF-8,
   control characters and characters that reverse the order of text become U+FFFD. NULL adds nothing. */
void html_text(struct strbuf *b, const char *text);

/* Figures for people, with about three significant digits and a unit. None depends on the locale. */
void html_count(struct strbuf *b, double v);                                     /* 842, 52.3k, 1.20M */
void html_bytes(struct strbuf *b, double bytes, const struct result_units *u);   /* 1.50 GiB */
void html_bytes_rate(struct strbuf *b, double v, const struct result_units *u);  /* 204 MiB/s, 1.71 Gb/s */
void html_bytes_other(struct strbuf *b, double v, const struct result_units *u); /* in the other base */
void html_latency(struct strbuf *b, double ns);  /* 850 ns, 12.3 us, 1.42 ms */
void html_duration(struct strbuf *b, double ms); /* 340 ms, 8.00 s, 1 h 02 min */
void html_percent(struct strbuf *b, double v);   /* 12.5 % */
/* Adds a percentile without zeros at its end: 99.9. */
void html_percentile(struct strbuf *b, double percent);
/* Adds a date and a time in UTC, 2026-11-20 21:30:45 UTC. */
void html_time(struct strbuf *b, uint64_t ms);
/* Adds all digits in groups of three: 1,234,567. */
void html_exact(struct strbuf *b, uint64_t v);

#endif
