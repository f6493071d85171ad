/* sweep_judged.h: what the runs of a search (--until) measured, beside the limits of its conditions. */
#ifndef SWEEP_JUDGED_H
#define SWEEP_JUDGED_H

#include "sweep_curve.h"
#include "sweep_search.h"

/* A figure of a condition, in the runs of all values that the search tried. */
struct sweep_judged {
	const char *condition; /* as typed */
	const char *of;        /* the job or disk; NULL: the run */
	const char *figure;    /* "read.lat.p99" */
	const char *op;
	enum limit_unit unit;
	double limit;
	double *run[SWEEP_SEARCH_REPEATS]; /* by value of the load; NAN: not measured */
	struct sweep_judged *next;
};

/* The search of one curve. */
struct sweep_searched {
	const char *name; /* the values of the other options, "bs=4k numjobs=2"; "" if there are none */
	bool found;
	size_t best;                 /* with `found`: the value that answers */
	struct sweep_judged *judged; /* in the order of the conditions; NULL: no run was judged */
};

/* Adds the verdicts about one run of a value. Returns 0 or -ENOMEM. */
int sweep_judged_add(struct sweep *s, struct sweep_searched *search, size_t value, unsigned run,
		     const struct result_verdicts *verdicts);
/* Returns whether the figure was measured at this value. */
bool sweep_judged_has(const struct sweep_judged *j, size_t value);

#endif
