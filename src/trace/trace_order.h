/* trace_order.h: sorts events that are nearly in order. It holds `room` events back: those in order
   in a ring, which costs nothing to sort, and late ones in a heap. Events of the same time keep their order.
 */
#ifndef TRACE_ORDER_H
#define TRACE_ORDER_H

#include "trace.h"

struct trace_order_entry {
	struct trace_event e;
	uint64_t number; /* of the event in the order of arrival */
};

struct trace_order {
	struct trace_order_entry *ring, *heap; /* `room` each */
	size_t room, head, in_ring, in_heap;
	uint64_t newest_ns; /* of the last event in the ring */
	uint64_t out_ns;    /* of the last event that was taken */
	uint64_t arrived;
};

/* room: a power of two. Returns 0 or -ENOMEM. */
int trace_order_init(struct trace_order *o, size_t room);
void trace_order_fini(struct trace_order *o);
bool trace_order_full(const struct trace_order *o);
/* Adds an event to a window that is not full. Returns false if a later one was taken already. */
bool trace_order_add(struct trace_order *o, const struct trace_event *e);
/* Takes the first event. Returns false if there is none. */
bool trace_order_take(struct trace_order *o, struct trace_event *e);

#endif
