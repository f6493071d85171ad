/* trace_devices.h: the names of a trace's devices, and their indexes in the order of their first event. */
#ifndef TRACE_DEVICES_H
#define TRACE_DEVICES_H

#include <stddef.h>
#include <stdint.h>
#include "arena.h"

struct trace_devices {
	struct arena names;
	const char **name;
	size_t n;
	uint32_t *table; /* a hash table: 1 + the index of a name, or 0 */
	size_t slots;    /* a power of two, or 0 */
	uint32_t last;   /* the index that was looked up last */
};

/* Returns the index of the name, which it adds if it is new; -E2BIG beyond TRACE_DEVICES_MAX names, or
   -ENOMEM. */
int64_t trace_devices_find(struct trace_devices *t, const char *name, size_t len);
void trace_devices_fini(struct trace_devices *t);

#endif
