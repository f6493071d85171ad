/* verdict.h: the verdicts of assertions as text. */
#ifndef VERDICT_H
#define VERDICT_H

#include "result.h"

struct strbuf;

/* Adds a value with its unit and up to seven significant digits: "812.345 us", "3000 IOPS", "100 MiB/s". */
void verdict_value(struct strbuf *b, enum limit_unit unit, double value);
/* Adds the measured value, "-" without one. A value near the limit has more digits, so that they differ. */
void verdict_measured(struct strbuf *b, const struct result_verdict *v);
/* Adds the measured value with about three significant digits; with more if it is within 1 % of the limit. */
void verdict_rounded(struct strbuf *b, const struct result_verdict *v);
/* Adds why a verdict failed: "job: read.clat.p99 is 1.2 ms, and the limit is < 1 ms". */
void verdict_failure(struct strbuf *b, const struct result_verdict *v);
/* Returns how many verdicts failed. */
size_t verdicts_failed(const struct result *r);
/* Adds the table of the normal report; nothing without verdicts. */
void text_verdicts(struct strbuf *b, const struct result *r);

#endif
