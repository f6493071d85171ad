/* pattern.h: the user's bytes, repeated over a block; the block's offset stands at places in them. */
#ifndef PATTERN_H
#define PATTERN_H

#include <stddef.h>
#include <stdint.h>

#define PATTERN_OFFSET_BYTES 8u /* bytes of %o, little endian */

struct pattern {
	const unsigned char *bytes;
	uint32_t len; /* 1 or more */
	uint32_t noffsets;
	const uint32_t *offset_at; /* positions of the offset in bytes; ascending, not overlapping */
};

/* Fills buf with the repeated pattern, as bytes from `phase` on of a block at `offset` of its file. */
void pattern_put(const struct pattern *p, void *buf, size_t bytes, uint64_t phase, uint64_t offset);

/* Compares buf with what pattern_put() would put there. Returns the position of the first byte that differs,
   or `bytes`. */
size_t pattern_differs(const struct pattern *p, const void *buf, size_t bytes, uint64_t phase,
		       uint64_t offset);

#endif
