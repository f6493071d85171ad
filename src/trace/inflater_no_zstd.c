/* inflater_no_zstd.c: stands in for inflater_zstd.c where libzstd is missing. */
#include <errno.h>
#include "inflater_zstd.h"

struct zstd *zstd_new(const char **error)
{
	*error = "is compressed by zstd, which this fiord was built without (libzstd-dev); decompress it: "
		 "zstdcat FILE | fiord ... -";
	return NULL;
}

void zstd_free(struct zstd *z)
{
	(void)z;
}

long zstd_step(struct zstd *z, const void *from, size_t *at, size_t len, void *to, size_t room,
	       bool *in_frame, const char **error)
{
	(void)z, (void)from, (void)at, (void)len, (void)to, (void)room, (void)in_frame;
	*error = "";
	return -EINVAL;
}
