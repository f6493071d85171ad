/* bulk_add.h: adds many latencies to moments and a histogram at once. The figures are the same as with one
   call per latency, and it takes a fraction of the time. */
#ifndef BULK_ADD_H
#define BULK_ADD_H

#include <stdint.h>
#include "hist.h"
#include "wstat.h"

/* Adds n latencies. m or h may be NULL. The histogram counts them in the order of ns[]; moments have no
 * order. */
void bulk_add(struct moments *m, struct hist *h, const uint64_t *ns, unsigned n);

/* The moments and histograms that receive slat, clat and lat, by enum lat_kind. NULL: not measured. */
struct bulk_add_to {
	struct moments *m[LAT_LAT + 1];
	struct hist *h[LAT_LAT + 1];
};
/* Adds n pairs; n is at most WSTAT_RING. */
void bulk_add_pairs(const struct bulk_add_to *to, const struct wstat_pair *pair, unsigned n);

#endif
