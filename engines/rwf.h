/* rwf.h: whether the kernel and the file systems of a job's files support an RWF_* flag. */
#ifndef RWF_H
#define RWF_H

#include <stdint.h>

struct engine_ctx;

#define RWF_NEEDS_DONTCACHE "RWF_DONTCACHE: Linux 6.14 or later, and not every file system"

/* Reads the first block of each open file with this flag. Returns 0, or -EOPNOTSUPP with ctx->d that names
   the option and its needs. Other errors are ignored here; the run will report them. */
int rwf_check(struct engine_ctx *ctx, uint32_t rwf, const char *option, const char *needs);

#endif
