#include "plug.h"

#include <stdbool.h>
#include <stdint.h>
#include "io.h"

/* In sectors, modulo 2^32: I/Os that are no neighbours may look like some, never the other way round. */
struct span {
	uint32_t start, end;
};

static inline struct span span_of(const struct io *io)
{
	return (struct span){ (uint32_t)(io->offset >> 9), (uint32_t)((io->offset + io->len) >> 9) };
}

/* Without a branch for each of the n, as random I/Os hardly ever touch. */
static inline bool touches(const struct span *all, unsigned n, struct span s)
{
	unsigned any = 0;

	for (unsigned i = 0; i < n; i++)
		any |= (all[i].end == s.start) | (all[i].start == s.end);
	return any;
}

unsigned plug_run(struct io *const *ios, unsigned n)
{
	struct span all[PLUG_MOST];

	if (n <= PLUG_FREE)
		return n;
	if (n > PLUG_MOST)
		n = PLUG_MOST;
	for (unsigned i = 0; i < n; i++) {
		all[i] = span_of(ios[i]);
		if (touches(all, i, all[i]))
			return i > PLUG_FREE ? i : PLUG_FREE;
	}
	return n;
}
