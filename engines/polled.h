/* polled.h: whether completions of I/O to a file can be polled for. */
#ifndef POLLED_H
#define POLLED_H

struct engine_ctx;
struct file;

/* Checks whether polling works. The kernel polls for direct I/O only, and silently ignores the request where
   the driver cannot poll. Returns 0 if polling is possible or only an I/O can tell; else -EINVAL or
   -EOPNOTSUPP with ctx->d filled. */
int polled_check(struct engine_ctx *ctx, const struct file *f);
/* Fills ctx->d: the driver or the file system cannot poll. Returns -EOPNOTSUPP. */
int polled_refuse(struct engine_ctx *ctx, const struct file *f);

#endif
