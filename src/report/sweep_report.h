/* sweep_report.h: writes a sweep (sweep_curve.h) as text, as one HTML page, and as a CSV table. */
#ifndef SWEEP_REPORT_H
#define SWEEP_REPORT_H

#include "sweep_curve.h"

struct strbuf;

/* All append to b and return 0 or -ENOMEM. */
/* A line for each point, and the knees. */
int report_sweep_text(const struct sweep *s, struct strbuf *b);
/* Curves of latency against load, tables with shades for pairs of options, and all points. */
int report_sweep_html(const struct sweep *s, struct strbuf *b);
/* A line for each point and group. */
int report_sweep_csv(const struct sweep *s, struct strbuf *b);

#define SWEEP_NOTES_MAX 20 /* in a report */

/* Adds the values of a point, "bs=4k iodepth=8". */
void sweep_put_values(struct strbuf *b, const struct sweep *s, size_t point);
/* Adds a note and the points that have it. */
void sweep_put_note(struct strbuf *b, const struct sweep *s, const struct sweep_note *note);
/* Names the points around the knee that are nearly as good, because noise may have chosen among them. */
void sweep_put_knee_interval(struct strbuf *b, const struct sweep *s, const struct sweep_curve *c);
/* Returns the name of a kind of latency: "lat", "resp" or "clat". */
const char *sweep_lat_name(enum lat_kind kind);
/* Adds the latency that the points of a group have, "lat", or the latencies, "lat of 1 point, resp of 3
   points". Returns false if they have none. */
bool sweep_put_kinds(struct strbuf *b, const struct sweep *s, size_t group);

/* Appends the charts of one group: the means of all its curves together, if they are few, and then a chart
 * for each curve. */
void html_sweep_curves(struct strbuf *b, const struct sweep *s, size_t group);
/* sweep_searched.c. Appends the charts of searches: what each condition measured, its limit and the answer.
 */
void html_sweep_searched(struct strbuf *b, const struct sweep *s);

#endif
