/* rwf.h: whether the kernel, and the file systems of a job's files, take an RWF_* flag. */
#ifndef RWF_H
#define RWF_H

#include <stdint.h>

struct engine_ctx;

#define RWF_NEEDS_DONTCACHE "RWF_DONTCACHE: Linux 6.14 or later, and not every file system"

/* Reads the first block of each open file with this flag. 0, or -EOPNOTSUPP with ctx->d naming the option and
   what it needs; errors of other kinds are left to the run. */
int rwf_check(struct engine_ctx *ctx, uint32_t rwf, const char *option, const char *needs);

#endif
