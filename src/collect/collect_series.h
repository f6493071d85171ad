/* collect_series.h: moves the series, the run over time, to the result. */
#ifndef COLLECT_SERIES_H
#define COLLECT_SERIES_H

#include "result.h"
#include "run.h"

/* Call it once, when all workers have ended: the series of the run is empty afterwards. */
void collect_series(struct result *r, const struct plan *p, const struct run *run);

#endif
