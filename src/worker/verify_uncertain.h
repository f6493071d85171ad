/* verify_uncertain.h: which contents an uncertain block may have after a crash. */
#ifndef VERIFY_UNCERTAIN_H
#define VERIFY_UNCERTAIN_H

#include <stdbool.h>
#include <stdint.h>

struct block_check;
struct verify_format;
struct verify_source;

/* Returns whether the block may be as it was read: each of its sectors is of its newest durable write or of a
   newer one, or if writes were copied into a mapped file, each of its bytes. Also true if the durable write,
   or the write of a sector, cannot be known; *known becomes true if they are all known. seed: of the job. */
bool verify_uncertain_explains(const struct verify_source *s, const struct verify_format *f,
			       const struct block_check *c, uint64_t seed, bool *known);

#endif
