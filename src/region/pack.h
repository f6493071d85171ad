/* pack.h: the counts of one wstat without their gaps: only the used span of each histogram. One side packs
   between two batches, another adds them up. */
#ifndef PACK_H
#define PACK_H

#include <stddef.h>
#include "wstat.h"

/* The most that a wstat of this layout can take. */
size_t wstat_pack_size(const struct wstat_layout *l);
/* Returns how many bytes of `to` (aligned for uint64_t) were written. */
size_t wstat_pack(void *to, const struct wstat *s, const struct wstat_layout *l);
/* DIR_COUNT of them come first in what was packed. */
static inline struct wstat_dir *wstat_packed_dirs(void *packed)
{
	return packed;
}
/* Adds what was packed from a wstat of this layout, as wstat_merge would have. */
void wstat_unpack(struct wstat *to, const void *from, const struct wstat_layout *l);

#endif
