/* polled.h: whether completions of I/O to a file can be polled for. */
#ifndef POLLED_H
#define POLLED_H

struct engine_ctx;
struct file;

/* The report says this where polling is impossible, and the job then runs without it. */
#define POLLED_IMPOSSIBLE \
	"hipri has no effect: the driver or file system cannot poll (an NVMe driver needs poll_queues)"

/* Checks whether polling works. The kernel polls for direct I/O only, and silently ignores the request where
   the driver cannot poll. Returns 0 if polling is possible or only an I/O can tell; 1 if it is impossible;
   else -EINVAL or -EOPNOTSUPP with ctx->d filled. */
int polled_check(struct engine_ctx *ctx, const struct file *f);

#endif
