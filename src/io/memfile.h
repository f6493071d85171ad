/* memfile.h: the file behind mem=mmap:FILE and its kin. */
#ifndef MEMFILE_H
#define MEMFILE_H

#include "iobuf.h"

/* Whether the guard lets the buffers be what the file holds. */
int memfile_check(const struct mem_cfg *c, const struct target_allow *allow, struct diag *d);
/* A descriptor of at least `bytes`, or -errno with d. What is there is neither lengthened nor removed; what
   is not is made without a name, so that nothing stays behind. */
int memfile_open(const struct mem_cfg *c, const struct target_allow *allow, size_t bytes, struct diag *d);

#endif
