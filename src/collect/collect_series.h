/* collect_series.h: the run over time, from the workers' records to the result. */
#ifndef COLLECT_SERIES_H
#define COLLECT_SERIES_H

#include "result.h"
#include "run.h"

/* Once all workers have ended; the run has none afterwards. */
void collect_series(struct result *r, const struct plan *p, const struct run *run);

#endif
