/* layout.h: writes the files that must exist before the clock starts, with large sequential writes and
   with the content that the job would write.

   The content at an offset depends only on the seed and the offset, not on where the range begins. */
#ifndef LAYOUT_H
#define LAYOUT_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include "diag.h"
#include "content.h"

struct layout_job {
	int fd; /* used by this layout only: O_DIRECT is cleared while an unaligned piece is written */
	const char *path;
	uint64_t from, to; /* byte range [from, to) */
	uint64_t seed;
	const struct buffer_cfg *buffer;
	bool allow_full;      /* a full file system ends the layout without an error */
	bool bypass_cache;    /* O_DIRECT where supported, so that data does not stay in the page cache */
	unsigned pieces;      /* pieces in one write; 0: 1 */
	bool no_sync;         /* no fsync at the end: the kernel decides when data reaches the device */
	uint32_t unit, block; /* as in struct content_geometry */
	_Atomic uint64_t *progress;   /* layout adds the bytes that it writes; may be NULL */
	const _Atomic uint32_t *stop; /* layout stops with -EINTR once it is not 0; may be NULL */
};

/* Writes the ranges, buffered or direct as the descriptors are, in pieces of 1 MiB, then calls fsync unless
   no_sync. Several files are written in parallel, with the calling thread and up to threads - 1 helpers,
   which block all signals and have ended on return. Returns the first error; after it the other files stop
   where they are. */
int layout_write_files(const struct layout_job *jobs, unsigned n, unsigned threads, struct diag *d);

#endif
