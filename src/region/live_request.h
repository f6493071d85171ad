/* live_request.h: the parent requests a copy of a worker's numbers through the word slot.copy_request, and
   the worker packs its wstat into the copy. */
#ifndef LIVE_REQUEST_H
#define LIVE_REQUEST_H

#include <stddef.h>
#include <stdint.h>
#include "wstat.h"

/* slot.copy_request is 0, or the number of a copy buffer with the state of the request. The parent sets SENT,
   and may withdraw the request until the worker sets ACCEPTED. From then on the worker owns the buffer, until
   it sets DONE. */
enum live_request_state { LIVE_REQUEST_NONE, LIVE_REQUEST_SENT, LIVE_REQUEST_ACCEPTED, LIVE_REQUEST_DONE };

static inline uint32_t live_request_word(uint32_t buffer, enum live_request_state state)
{
	return buffer << 2 | state;
}
static inline uint32_t live_request_buffer(uint32_t word)
{
	return word >> 2;
}
static inline enum live_request_state live_request_state(uint32_t word)
{
	return (enum live_request_state)(word & 3);
}

/* wstat_pack.c: a compact copy of one wstat. It holds only the buckets in use of each histogram. The
   worker packs its wstat between two batches, and the parent adds the copies up. */

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
