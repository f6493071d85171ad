#include "inflater_zstd.h"

#include <errno.h>
#include <zstd.h>
#include <zstd_errors.h>

#define WINDOW_LOG_MAX 25 /* 32 MiB, so that memory stays bounded; zstd without --ultra or --long needs 8 */

struct zstd *zstd_new(const char **error)
{
	ZSTD_DStream *z = ZSTD_createDStream();

	if (!z || ZSTD_isError(ZSTD_DCtx_setParameter(z, ZSTD_d_windowLogMax, WINDOW_LOG_MAX))) {
		ZSTD_freeDStream(z);
		*error = "out of memory";
		return NULL;
	}
	return (struct zstd *)z;
}

void zstd_free(struct zstd *z)
{
	ZSTD_freeDStream((ZSTD_DStream *)z);
}

long zstd_step(struct zstd *z, const void *from, size_t *at, size_t len, void *to, size_t room,
	       bool *in_frame, const char **error)
{
	ZSTD_inBuffer in = { from, len, *at };
	ZSTD_outBuffer out = { to, room, 0 };
	size_t ret = ZSTD_decompressStream((ZSTD_DStream *)z, &out, &in);

	if (ZSTD_isError(ret)) {
		*error = ZSTD_getErrorCode(ret) == ZSTD_error_frameParameter_windowTooLarge
				 ? "its zstd window is larger than 32 MiB; compress it without --long or "
				   "--ultra"
				 : "the compressed data (zstd) is damaged";
		return -EINVAL;
	}
	*at = in.pos;
	*in_frame = ret != 0;
	return (long)out.pos;
}
