/* doneq.h: I/Os that are done and wait to be reaped, oldest first. Room for depth of them. */
#ifndef DONEQ_H
#define DONEQ_H

#include <stdint.h>
#include <stdlib.h>
#include "io.h"

struct doneq {
	struct io **slot; /* owned; a ring of mask + 1 */
	unsigned head, tail, mask;
};

/* 0 or -ENOMEM. */
int doneq_init(struct doneq *q, unsigned depth);
void doneq_fini(struct doneq *q);

static inline void doneq_push(struct doneq *q, struct io *io, int64_t res)
{
	io->res = res;
	q->slot[q->tail++ & q->mask] = io;
}

/* Takes up to max; returns how many. */
static inline unsigned doneq_pop(struct doneq *q, struct io **out, unsigned max)
{
	unsigned n = q->tail - q->head;

	if (n > max)
		n = max;
	for (unsigned i = 0; i < n; i++)
		out[i] = q->slot[q->head++ & q->mask];
	return n;
}

#endif
