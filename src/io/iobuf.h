/* iobuf.h: one region that holds a worker's I/O buffers, page-aligned, filled before the clock starts. */
#ifndef IOBUF_H
#define IOBUF_H

#include <stddef.h>
#include <stdint.h>
#include "pattern.h"

struct iobuf {
	unsigned char *base;
	size_t stride; /* bytes from one I/O's buffer to the next */
	size_t bytes;
};

/* count buffers of at least `bytes` each. 0 or -ENOMEM. */
int iobuf_init(struct iobuf *b, unsigned count, size_t bytes);
/* Random (or zero) content; only write jobs need it. */
void iobuf_fill(struct iobuf *b, const struct buffer_cfg *c, struct rng *r);
void iobuf_fini(struct iobuf *b);

#endif
