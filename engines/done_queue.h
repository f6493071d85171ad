/* done_queue.h: completed I/Os that wait to be reaped, oldest first. It has room for `depth` I/Os. */
#ifndef DONE_QUEUE_H
#define DONE_QUEUE_H

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include "io.h"

struct done_queue {
	struct io **slot; /* owned */
	unsigned head, tail, size;
};

/* Returns 0 or -ENOMEM. */
int done_queue_init(struct done_queue *q, unsigned depth);
void done_queue_fini(struct done_queue *q);

/* Appends n I/Os whose res is set. */
static inline void done_queue_put(struct done_queue *q, struct io **ios, unsigned n)
{
	if (n > q->size - q->tail) {
		q->tail -= q->head;
		memmove(q->slot, q->slot + q->head, q->tail * sizeof(*ios));
		q->head = 0;
	}
	memcpy(q->slot + q->tail, ios, n * sizeof(*ios));
	q->tail += n;
}

static inline void done_queue_push(struct done_queue *q, struct io *io, int64_t res)
{
	io->res = res;
	done_queue_put(q, &io, 1);
}

/* Takes up to max I/Os; returns how many. */
static inline unsigned done_queue_pop(struct done_queue *q, struct io **out, unsigned max)
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
