/* sweep_until.h: --until searches the load for the most that meets a condition (sweep_search.h), for each
   combination of the other options. The documents of the runs are judged as fiord report --assert does. */
#ifndef SWEEP_UNTIL_H
#define SWEEP_UNTIL_H

#include "strbuf.h"
#include "sweep_points.h"

/* Runs the searches, and adds their answers to the sweep. Returns 0 or -errno with d. */
int sweep_until_run(struct sweep_points *p, const struct sweep_wait *w, struct diag *d);
/* Adds how many values are searched, and in how many runs. */
void sweep_until_describe(const struct sweep_points *p, struct strbuf *b);
/* Returns the most runs of all searches. */
size_t sweep_until_runs(const struct sweep_points *p);
/* Returns whether the point has the least or the most of the load. */
bool sweep_until_is_end(const struct sweep_points *p, size_t point);
/* Makes an error on an assertion one on --until. */
void sweep_until_name_option(struct diag *d);

#endif
