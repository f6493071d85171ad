/* inflater_zstd.h: the part of trace_input.c that needs libzstd. A build without it has inflater_no_zstd.c.
 */
#ifndef INFLATER_ZSTD_H
#define INFLATER_ZSTD_H

#include <stdbool.h>
#include <stddef.h>

struct zstd;

/* Returns NULL with *error, also if the program was built without libzstd. */
struct zstd *zstd_new(const char **error);
void zstd_free(struct zstd *z);
/* Decompresses from[*at..len) into `to`, and moves *at. *in_frame: the compressed data may not end here.
   Returns how many bytes it stored, or -EINVAL with *error. */
long zstd_step(struct zstd *z, const void *from, size_t *at, size_t len, void *to, size_t room,
	       bool *in_frame, const char **error);

#endif
