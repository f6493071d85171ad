/* change_points.h: where a series of figures changed for good. Pure, and without random numbers.

   The test is of ranks, so a single figure far away counts no more than one a little above the others: for
   each place where the series may be cut, the sum of the ranks before it is compared with its expectation, in
   standard deviations (Wilcoxon; Pettitt, Applied Statistics 28 (1979), p. 126, has the maximum without the
   division). The series changed where this is greatest, if it is greater than in 999 of 1,000 series of this
   length without a change. Both parts are then cut in the same way, and each place is looked for again
   between its neighbours. A change needs CHANGE_POINTS_LEAST figures before and after it, and shows in no
   series of fewer than CHANGE_POINTS_SERIES figures. */
#ifndef CHANGE_POINTS_H
#define CHANGE_POINTS_H

#include <stdbool.h>
#include <stddef.h>

#define CHANGE_POINTS_LEAST  5
#define CHANGE_POINTS_SERIES 14

struct change_points {
	size_t *v; /* owned; ascending: the number of the first figure after each change */
	size_t n, cap;
};

/* may[i]: figure i may be the first after a change; NULL: each may. Returns 0 or -ENOMEM; the caller calls
   change_points_fini in any case. */
int change_points_find(struct change_points *c, const double *v, size_t n, const bool *may);
void change_points_fini(struct change_points *c);

/* Sorts the figures and returns their median; n > 0. */
double change_points_median(double *v, size_t n);

#endif
