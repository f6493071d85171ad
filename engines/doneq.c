/* doneq.c: see doneq.h. */
#include "doneq.h"

#include <errno.h>

int doneq_init(struct doneq *q, unsigned depth)
{
	unsigned n = 1;

	while (n < depth)
		n *= 2;
	q->slot = calloc(n, sizeof(struct io *));
	q->head = q->tail = 0;
	q->mask = n - 1;
	return q->slot ? 0 : -ENOMEM;
}

void doneq_fini(struct doneq *q)
{
	free(q->slot);
	q->slot = NULL;
}
