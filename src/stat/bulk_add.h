/* bulk_add.h: many latencies at once to moments and a histogram: the same figures as one by one, in a
   fraction of the time. */
#ifndef BULK_ADD_H
#define BULK_ADD_H

#include <stdint.h>
#include "hist.h"
#include "wstat.h"

/* m or h may be NULL. Histograms are told in the order of ns, moments in none. */
void bulk_add(struct moments *m, struct hist *h, const uint64_t *ns, unsigned n);

/* Where the latencies of the first three kinds go, by enum lat_kind; NULL: nowhere. */
struct bulk_add_to {
	struct moments *m[LAT_LAT + 1];
	struct hist *h[LAT_LAT + 1];
};
/* n is at most WSTAT_LATE. */
void bulk_add_pairs(const struct bulk_add_to *to, const struct wstat_pair *pair, unsigned n);

#endif
