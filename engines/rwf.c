#include "engine_parts.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/uio.h>
#include "engine.h"

#define PROBE_BYTES 4096

static ssize_t probe(int fd, void *buf, uint64_t offset, uint32_t rwf)
{
	struct iovec v = { buf, PROBE_BYTES };

	return preadv2(fd, &v, 1, (off_t)offset, (int)rwf);
}

int rwf_check(struct engine_ctx *ctx, uint32_t rwf, const char *option, const char *needs)
{
	void *buf = aligned_alloc(PROBE_BYTES, PROBE_BYTES);
	int ret = 0;

	if (!buf)
		return diag_err(ctx->d, -ENOMEM, "{%s=1}: out of memory", option);
	for (unsigned i = 0; i < ctx->nfiles && !ret; i++) {
		const struct file *f = &ctx->files[i];

		if (f->fd >= 0 && probe(f->fd, buf, f->start, rwf) < 0 && errno == EOPNOTSUPP)
			ret = diag_err(ctx->d, -EOPNOTSUPP,
				       "{%s=1}: %s: the kernel, or this file system, cannot do that (%s)",
				       option, f->path, needs);
	}
	free(buf);
	return ret;
}
