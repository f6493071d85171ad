/* assertion_measure.h: measures the figure of an assertion in one part of a result. */
#ifndef ASSERTION_MEASURE_H
#define ASSERTION_MEASURE_H

#include "assertion.h"

/* One assertion on one part of the result: a direction of a job, a job, a disk, a rank, a group of the
   series, or the whole run. */
struct measure {
	const struct assertion *a;
	struct figure_place at;
	bool mixed; /* at.dir stands for all directions together */
	/* The entry of a list that the value is of; it is known if the list has an entry that is meant. */
	bool entry_known;
	size_t entry;
	const char *why; /* there is no measured value; NULL: there is */
};

/* Returns the value. If several entries of a list are meant, it is the worst of their values. */
double assertion_measure(struct measure *m);
/* Returns whether the value meets the limit. */
bool assertion_compare(const struct assertion *a, double v);

#endif
