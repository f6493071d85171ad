#include "result.h"

void result_take_series(struct result *r, struct series *from, const struct result_series_of *of,
			uint64_t start_ms)
{
	struct result_series_of *copy = arena_array(&r->mem, from->ngroups + 1, sizeof(*copy));

	r->failed |= !copy || !of;
	for (unsigned i = 0; copy && of && i < from->ngroups; i++) {
		copy[i] = of[i];
		if (of[i].name)
			copy[i].name = arena_strdup(&r->mem, of[i].name);
	}
	r->series = (struct result_series){ .data = *from, .of = copy, .start_ms = start_ms };
	*from = (struct series){ 0 };
}
