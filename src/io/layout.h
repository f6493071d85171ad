/* layout.h: files that must exist before the clock starts: large sequential writes of what the job would
   write.

   What stands at an offset depends on the seed and the offset alone, not on where the range begins. */
#ifndef LAYOUT_H
#define LAYOUT_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include "diag.h"
#include "content.h"

struct layout_job {
	int fd; /* for this layout alone: O_DIRECT is switched off for a moment where a piece is not aligned
		   to it */
	const char *path;
	uint64_t from, to; /* bytes to write */
	uint64_t seed;
	const struct buffer_cfg *buffer;
	bool fill;                    /* a full file system ends it well */
	bool past_cache;              /* nobody needs it in the page cache: O_DIRECT where it can be had */
	unsigned pieces;              /* so many in one write; 0: 1 */
	bool no_sync;                 /* leave it to the kernel when the data reaches the device */
	uint32_t unit, block;         /* as in struct content_place */
	_Atomic uint64_t *progress;   /* bytes so far are added here; may be NULL */
	const _Atomic uint32_t *stop; /* non-zero: give up with -EINTR; may be NULL */
};

/* Writes the range, buffered or direct as the descriptor is, in pieces of 1 MiB; then fsync, unless no_sync.
   0 or -errno with d. */
int layout_write(const struct layout_job *j, struct diag *d);

/* Writes several files at once, by the calling thread and up to threads - 1 helpers, in which all signals are
   blocked and which have ended on return. The first error is told; the other files stop where they are. */
int layout_write_files(const struct layout_job *jobs, unsigned n, unsigned threads, struct diag *d);

#endif
