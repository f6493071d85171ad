/* doneq.c: see doneq.h. */
#include "doneq.h"

#include <errno.h>

int doneq_init(struct doneq *q, unsigned depth)
{
	q->slot = calloc(depth, sizeof(struct io *));
	q->head = q->tail = 0;
	q->size = depth;
	return q->slot ? 0 : -ENOMEM;
}

void doneq_fini(struct doneq *q)
{
	free(q->slot);
	q->slot = NULL;
}
