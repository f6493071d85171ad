/* memfile.h: the file that backs the I/O buffers with mem=mmap:FILE, mmaphuge:FILE or mmapshared:FILE. */
#ifndef MEMFILE_H
#define MEMFILE_H

#include "mem_kind.h"
#include "target.h"

/* Returns 0 if the guard allows these buffers to use the file, else -errno with d filled. */
int memfile_check(const struct mem_cfg *c, const struct target_allow *allow, struct diag *d);
/* Returns a descriptor of a file of at least `bytes`, or -errno with d filled. An existing file is neither
   extended nor removed; a missing one is created without a name, so that it vanishes with its last user. */
int memfile_open(const struct mem_cfg *c, const struct target_allow *allow, size_t bytes, struct diag *d);

#endif
