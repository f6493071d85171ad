/* result_pack.h: a result as bytes, for another host that merges it (merge.h). A pack has everything that a
   merge reads, exactly: counts, bins and series cells, names, files and notes, but no list of damaged blocks,
   lost I/Os, targets or spans. Packs of other versions of fiord are refused. */
#ifndef RESULT_PACK_H
#define RESULT_PACK_H

#include <stddef.h>
#include "diag.h"
#include "result.h"

struct strbuf;

/* Appends the pack of *r, which is no merged result, to *out. Returns 0 or -ENOMEM. */
int result_pack(const struct result *r, struct strbuf *out);
/* Fills *r, which is empty memory, and computes its figures from the counts. version: that of this program.
   Call result_free in any case. Returns 0 or -errno with d: -EPROTO for a pack of another version, -EBADMSG
   for a damaged one. */
int result_unpack(struct result *r, const char *version, const void *pack, size_t bytes, struct diag *d);

#endif
