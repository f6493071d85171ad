/* verdict.h: the verdicts of assertions as text. */
#ifndef VERDICT_H
#define VERDICT_H

#include "result.h"
#include "strbuf.h"

/* Returns a value with its unit and up to seven significant digits: "812.345 us", "3000 IOPS", "100 MiB/s".
 */
struct short_text verdict_value(enum limit_unit unit, double value);
/* Returns the measured value, "-" without one. A value near the limit has more digits, so that they differ.
 */
struct short_text verdict_measured(const struct result_verdict *v);
/* Returns the measured value with about three significant digits; with more if it is within 1 % of the limit.
 */
struct short_text verdict_rounded(const struct result_verdict *v);
/* Adds why a verdict failed: "job: read.clat.p99 is 1.2 ms, and the limit is < 1 ms". */
void verdict_failure(struct strbuf *b, const struct result_verdict *v);
/* Returns how many verdicts failed. */
size_t verdicts_failed(const struct result *r);
/* Adds the table of the normal report; nothing without verdicts. */
void text_verdicts(struct strbuf *b, const struct result *r);

#endif
