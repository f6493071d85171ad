#include "io.h"

#include <stdbool.h>
#include <string.h>

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

static bool awaits_trim(const struct io *io, struct io *const *ready, unsigned before, const struct io *all,
			unsigned depth)
{
	if (io->op != IO_WRITE)
		return false;
	for (unsigned i = 0; i < before; i++)
		if (ready[i]->op == IO_TRIM && conflict(io, ready[i]))
			return true;
	for (unsigned i = 0; i < depth; i++)
		if (all[i].op == IO_TRIM && all[i].res == IO_IN_ENGINE && conflict(io, &all[i]))
			return true;
	return false;
}

unsigned overlap_hold_writes(struct io **ready, unsigned n, unsigned max, const struct io *all,
			     unsigned depth)
{
	unsigned front = 0;

	for (unsigned i = 0; i < n && front < max; i++) {
		struct io *io = ready[i];

		if (awaits_trim(io, ready, i, all, depth))
			continue;
		memmove(&ready[front + 1], &ready[front], (i - front) * sizeof(io));
		ready[front++] = io;
	}
	return front;
}
