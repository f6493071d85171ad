#include "engine_parts.h"

#include <errno.h>

int done_queue_init(struct done_queue *q, unsigned depth)
{
	q->slot = calloc(depth, sizeof(struct io *));
	q->head = q->tail = 0;
	q->size = depth;
	return q->slot ? 0 : -ENOMEM;
}

void done_queue_fini(struct done_queue *q)
{
	free(q->slot);
	q->slot = NULL;
}
