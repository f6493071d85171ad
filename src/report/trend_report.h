/* trend_report.h: a trend (trend.h) as text, JSON and HTML. */
#ifndef TREND_REPORT_H
#define TREND_REPORT_H

#include "strbuf.h"
#include "trend.h"

/* All append to b and return 0 or -ENOMEM. */
int report_trend_text(const struct trend *t, struct strbuf *b);
int report_trend_json(const struct trend *t, struct strbuf *b);
int report_trend_html(const struct trend *t, struct strbuf *b);

/* trend_charts.c: a chart of each figure of a set on the page; those that changed for good come first if
   there are too many. */
#define TREND_CHARTS_MAX 48 /* on the page */
/* Of the page: charts that may still be drawn, and those that are kept for figures that changed. */
struct trend_charts {
	size_t left, kept;
};
void trend_charts_init(struct trend_charts *c, const struct trend *t);
void trend_put_charts(struct strbuf *b, struct trend_charts *c, const struct trend *t,
		      const struct trend_set *s);

/* trend_words.c: the words that the formats share. */
#define TREND_NEAR 2 /* a change of a setting this many documents away may belong to a change of figures */
/* Returns the next place after `after` at which a figure of the set changes; the number of points: there is
   none. */
size_t trend_next_change(const struct trend_set *s, size_t after);
/* Returns the change of the line at this point, NULL if it has none. */
const struct trend_change *trend_change_at(const struct trend_line *l, size_t at);
/* Returns the number of lines that changed for good. */
size_t trend_changed_lines(const struct trend_set *s);
/* Returns the noise of a line: "2.3%", or "-" with fewer than two figures. */
struct short_text trend_noise(const struct trend_line *l);
/* Adds what a point is: the value of its key or its time, its file, and its number. */
void trend_put_point(struct strbuf *b, const struct trend *t, const struct trend_set *s, size_t at);
/* Adds "read.iops 12.1k -> 10.4k (-14%)". */
void trend_put_change(struct strbuf *b, const struct trend_line *l, const struct trend_change *c);
/* Adds "kernel: 6.1 -> 6.2", and how far from the change `at` it was if it was not there. */
void trend_put_step(struct strbuf *b, const struct trend_step *step, size_t at);
/* Returns whether the settings changed here belong to the change of figures at `at`. */
bool trend_is_near(const struct trend_step *step, size_t at);
/* Returns why a document is left out, without its name, which stands beside it. */
const char *trend_reason(const struct trend_left_out *l);
/* Adds the answer in one sentence for each set. */
void trend_put_answer(struct strbuf *b, const struct trend *t);
/* Adds sentences on the methods, one in a line. */
void trend_put_methods(struct strbuf *b, const struct trend *t);

#endif
