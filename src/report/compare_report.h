/* compare_report.h: the comparison of two sides (compare.h) as text, JSON and HTML. */
#ifndef COMPARE_REPORT_H
#define COMPARE_REPORT_H

#include "compare.h"
#include "strbuf.h"

/* All append to b and return 0 or -ENOMEM. */
int report_compare_text(const struct compare *c, struct strbuf *b);
int report_compare_json(const struct compare *c, struct strbuf *b);
int report_compare_html(const struct compare *c, struct strbuf *b);
/* Adds the differences beside the figures as text. */
void report_compare_differences(const struct compare *c, struct strbuf *b);
/* Adds the verdicts of the conditions as text; nothing without conditions. */
void compare_put_verdicts(struct strbuf *b, const struct compare *c);
/* The same as a section of a page, #conditions. */
void compare_put_verdicts_html(struct strbuf *b, const struct compare *c);
/* The same as keys of an open object: "conditions" and "failed". */
struct jsonw;
void compare_put_verdicts_json(struct jsonw *w, const struct compare *c);
/* Returns the unit of a figure in JSON. */
const char *compare_json_unit(enum compare_what what);

/* compare_sentence.c: adds what changed, a sentence for each direction of a job: the totals of groups, or if
   there are none, the first jobs. `between` separates them. */
void compare_put_sentences(struct strbuf *b, const struct compare *c, const char *between);

/* compare_words.c: the words and numbers that the formats share. */
/* Returns a figure with its unit: "17.7k", "358 us", "1.20 GiB/s". */
struct short_text compare_value(enum compare_what what, double value);
/* Returns a share as a change in percent: "+5.1%", "-0.04%". */
struct short_text compare_percent(double share);
/* Returns the interval: "+3.9% to +6.3%", or "from -3.9%" without an upper limit, or "-". */
struct short_text compare_interval(const struct compare_figure *f);
/* Returns the answer: "B is better", or "no difference that this data can show". */
const char *compare_answer(const struct compare_figure *f);
/* Adds the reasons why figures have no interval, each once with its figures. put: adds a text. */
void compare_put_reasons(struct strbuf *b, const struct compare_job *job,
			 void (*put)(struct strbuf *b, const char *text), const char *before,
			 const char *after);
/* Returns the size of a true change that would be shown: "4.2%"; "" if it is unknown. */
struct short_text compare_detectable(const struct compare_figure *f);
/* The columns that names of figures take; those of parts (latency_split) are longer. */
#define COMPARE_NAME_WIDTH 18
#define COMPARE_PART_WIDTH 27
/* Returns the change that a condition is about, or the figure of B: "+12.1%". */
struct short_text compare_measured(const struct compare_verdict *v);
/* Returns "fails", "passes", "not shown" or "cannot be judged". */
const char *compare_state_name(enum compare_state s);
/* Returns "series", "samples", "runs", "pooled-runs" or "none". */
const char *compare_basis_name(enum compare_basis basis);
/* Adds sentences on the methods that were used, one in a line. */
void compare_put_methods(struct strbuf *b, const struct compare *c);
/* Returns how many figures have this answer: 1 better, -1 worse, 0 no difference shown. */
size_t compare_count(const struct compare *c, int answer);

#endif
