/* pattern.h: bytes that the user gave, repeated over a block; places in them hold the block's offset. */
#ifndef PATTERN_H
#define PATTERN_H

#include <stddef.h>
#include <stdint.h>

#define PATTERN_OFFSET_BYTES 8u /* of %o, little endian */

struct pattern {
	const unsigned char *bytes;
	uint32_t len; /* 1 or more */
	uint32_t noffsets;
	const uint32_t *offset_at; /* where in bytes the offset stands; ascending, apart */
};

/* The pattern over and over, as the bytes from `phase` on of a block at `offset` of its file. */
void pattern_put(const struct pattern *p, void *buf, size_t bytes, uint64_t phase, uint64_t offset);

#endif
