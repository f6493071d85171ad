/* live_figures.h: the figures of the open interval of --live, for a report. */
#ifndef LIVE_FIGURES_H
#define LIVE_FIGURES_H

#include "live_jobs.h"

/* The memory of a report. Zeroed: empty. */
struct live_figures_memory {
	struct live_job *job;
	struct live_hung *hung;
	struct ival_sum total;
};

/* Returns 0 or -ENOMEM. */
int live_figures_init(struct live_figures_memory *m, const struct plan *p);
void live_figures_fini(struct live_figures_memory *m);
/* Sets the jobs of the report, the figures of all, and the workers that hang. end_ns, length_ns: of the
   interval. The report points into m until the next call. */
void live_figures(struct live_report *to, struct live_figures_memory *m, const struct live_jobs *j,
		  const struct run *r, uint64_t end_ns, uint64_t length_ns);

#endif
