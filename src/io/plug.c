#include "plug.h"

#include <stdbool.h>
#include <stdint.h>
#include "io.h"

/* The range of an I/O in sectors, modulo 2^32: distant I/Os may look adjacent, but adjacent ones never look
   distant. */
struct span {
	uint32_t start, end;
};

static inline struct span span_of(const struct io *io)
{
	return (struct span){ (uint32_t)(io->offset >> 9), (uint32_t)((io->offset + io->len) >> 9) };
}

/* Has no branch for each I/O, because random I/Os are hardly ever adjacent. */
static inline bool touches(const struct span *all, unsigned n, struct span s)
{
	unsigned any = 0;

	for (unsigned i = 0; i < n; i++)
		any |= (all[i].end == s.start) | (all[i].start == s.end);
	return any;
}

unsigned plug_run(struct io *const *ios, unsigned n)
{
	struct span all[PLUG_MAX];

	if (n <= PLUG_FREE)
		return n;
	if (n > PLUG_MAX)
		n = PLUG_MAX;
	for (unsigned i = 0; i < n; i++) {
		all[i] = span_of(ios[i]);
		if (touches(all, i, all[i]))
			return i > PLUG_FREE ? i : PLUG_FREE;
	}
	return n;
}
