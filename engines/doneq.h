/* doneq.h: I/Os that are done and wait to be reaped, oldest first. Room for depth of them. */
#ifndef DONEQ_H
#define DONEQ_H

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include "io.h"

struct doneq {
	struct io **slot; /* owned */
	unsigned head, tail, size;
};

/* 0 or -ENOMEM. */
int doneq_init(struct doneq *q, unsigned depth);
void doneq_fini(struct doneq *q);

/* n I/Os with their res. */
static inline void doneq_put(struct doneq *q, struct io **ios, unsigned n)
{
	if (n > q->size - q->tail) {
		q->tail -= q->head;
		memmove(q->slot, q->slot + q->head, q->tail * sizeof(*ios));
		q->head = 0;
	}
	memcpy(q->slot + q->tail, ios, n * sizeof(*ios));
	q->tail += n;
}

static inline void doneq_push(struct doneq *q, struct io *io, int64_t res)
{
	io->res = res;
	doneq_put(q, &io, 1);
}

/* Takes up to max; returns how many. */
static inline unsigned doneq_pop(struct doneq *q, struct io **out, unsigned max)
{
	unsigned n = q->tail - q->head;

	if (!n)
		return 0;
	n = n < max ? n : max;
	memcpy(out, q->slot + q->head, n * sizeof(*out));
	q->head += n;
	if (q->head == q->tail)
		q->head = q->tail = 0;
	return n;
}

#endif
