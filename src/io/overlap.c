#include "overlap.h"

#include <stdbool.h>
#include "io.h"

static bool has_data(const struct io *io)
{
	return io->op == IO_READ || io->op == IO_WRITE || io->op == IO_TRIM;
}

static bool conflict(const struct io *a, const struct io *b)
{
	return a->file == b->file && a->offset < b->offset + b->len && b->offset < a->offset + a->len &&
	       (a->op != IO_READ || b->op != IO_READ) && has_data(a) && has_data(b);
}

static bool conflicts(const struct io *io, struct io *const *ready, unsigned before, const struct io *all,
		      unsigned depth)
{
	for (unsigned i = 0; i < before; i++)
		if (conflict(io, ready[i]))
			return true;
	for (unsigned i = 0; i < depth; i++)
		if (all[i].res == IO_IN_ENGINE && conflict(io, &all[i]))
			return true;
	return false;
}

unsigned overlap_run(struct io *const *ready, unsigned n, const struct io *all, unsigned depth)
{
	unsigned i = 0;

	while (i < n && !conflicts(ready[i], ready, i, all, depth))
		i++;
	return i;
}
