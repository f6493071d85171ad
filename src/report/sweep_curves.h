/* sweep_curves.h: the curves of latency against load on the page of a sweep. Internal to report/. */
#ifndef SWEEP_CURVES_H
#define SWEEP_CURVES_H

#include "sweep_curve.h"

struct strbuf;

/* Appends the charts of one group: the means of all its curves together, if they are few, and then a chart
 * for each curve. */
void html_sweep_curves(struct strbuf *b, const struct sweep *s, size_t group);
/* sweep_searched.c. Appends the charts of searches: what each condition measured, its limit and the answer.
 */
void html_sweep_searched(struct strbuf *b, const struct sweep *s);

#endif
