#include "trace_order.h"

#include <errno.h>
#include <stdlib.h>

int trace_order_init(struct trace_order *o, size_t room)
{
	*o = (struct trace_order){ .room = room };
	o->ring = malloc(room * sizeof(*o->ring));
	o->heap = malloc(room * sizeof(*o->heap));
	return o->ring && o->heap ? 0 : -ENOMEM;
}

void trace_order_fini(struct trace_order *o)
{
	free(o->ring);
	free(o->heap);
	*o = (struct trace_order){ 0 };
}

bool trace_order_full(const struct trace_order *o)
{
	return o->in_ring + o->in_heap == o->room;
}

static bool before(const struct trace_order_entry *a, const struct trace_order_entry *b)
{
	if (a->e.time_ns != b->e.time_ns)
		return a->e.time_ns < b->e.time_ns;
	return a->number < b->number;
}

static void heap_add(struct trace_order *o, const struct trace_order_entry *entry)
{
	size_t i = o->in_heap++;

	for (; i && before(entry, &o->heap[(i - 1) / 2]); i = (i - 1) / 2)
		o->heap[i] = o->heap[(i - 1) / 2];
	o->heap[i] = *entry;
}

static void heap_drop_first(struct trace_order *o)
{
	const struct trace_order_entry last = o->heap[--o->in_heap];
	size_t i = 0, child;

	while ((child = 2 * i + 1) < o->in_heap) {
		if (child + 1 < o->in_heap && before(&o->heap[child + 1], &o->heap[child]))
			child++;
		if (!before(&o->heap[child], &last))
			break;
		o->heap[i] = o->heap[child];
		i = child;
	}
	o->heap[i] = last;
}

bool trace_order_add(struct trace_order *o, const struct trace_event *e)
{
	const struct trace_order_entry entry = { *e, o->arrived++ };

	if (e->time_ns < o->out_ns)
		return false;
	if (o->in_ring && e->time_ns < o->newest_ns) {
		heap_add(o, &entry);
		return true;
	}
	o->ring[(o->head + o->in_ring++) & (o->room - 1)] = entry;
	o->newest_ns = e->time_ns;
	return true;
}

bool trace_order_take(struct trace_order *o, struct trace_event *e)
{
	const struct trace_order_entry *first = &o->ring[o->head];

	if (!o->in_ring && !o->in_heap)
		return false;
	if (o->in_heap && (!o->in_ring || before(&o->heap[0], first))) {
		*e = o->heap[0].e;
		heap_drop_first(o);
	} else {
		*e = first->e;
		o->head = (o->head + 1) & (o->room - 1);
		o->in_ring--;
	}
	o->out_ns = e->time_ns;
	return true;
}
