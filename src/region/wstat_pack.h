/* wstat_pack.h: a compact copy of one wstat. It holds only the span of buckets in use of each histogram. The
   worker packs its wstat between two batches, and the parent adds the copies up. */
#ifndef WSTAT_PACK_H
#define WSTAT_PACK_H

#include <stddef.h>
#include "wstat.h"

/* Returns the largest packed size of a wstat of this layout, in bytes. */
size_t wstat_pack_size(const struct wstat_layout *l);
/* Packs s into `to`, which is aligned for uint64_t. Returns the number of bytes written. */
size_t wstat_pack(void *to, const struct wstat *s, const struct wstat_layout *l);
/* Packed data begins with DIR_COUNT of these. */
static inline struct wstat_dir *wstat_pack_dirs(void *packed)
{
	return packed;
}
/* Adds a packed wstat of the same layout, with the same result as wstat_merge. */
void wstat_pack_add(struct wstat *to, const void *from, const struct wstat_layout *l);

#endif
