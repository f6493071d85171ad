/* verify_unread.h: the number of blocks that a job has still to read back, for the report of a worker that is
   lost meanwhile. */
#ifndef VERIFY_UNREAD_H
#define VERIFY_UNREAD_H

#include <stdint.h>

struct verify_source;

#define VERIFY_UNREAD_UNKNOWN UINT64_MAX

/* Returns the number while the job writes; VERIFY_UNREAD_UNKNOWN with a map, which would have to be searched.
   Takes constant time. */
uint64_t verify_unread_so_far(const struct verify_source *s);
/* Returns the number after verify_source_rewind: that of the blocks which verify_source_next will return. */
uint64_t verify_unread(const struct verify_source *s);

#endif
