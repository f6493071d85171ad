/* pattern.h: what written blocks contain. Incompressible and unique by default: a buffer is random data made
   once, and each write lays another random mask over it. */
#ifndef PATTERN_H
#define PATTERN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "rng.h"

struct buffer_cfg {
	bool zero;     /* zero_buffers */
	bool refill;   /* refill_buffers: new random content before each write */
	bool scramble; /* scramble_buffers, default on: new mask; off: the same content again and again */
};

/* Random (or zero) content of a whole buffer. */
void pattern_fill(const struct buffer_cfg *c, struct rng *r, void *buf, size_t bytes);
/* Before a write: refill, another mask or nothing, as cfg says. */
void pattern_before_write(const struct buffer_cfg *c, struct rng *r, void *buf, size_t bytes);

#endif
