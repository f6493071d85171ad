/* think.h: when a job pauses between I/Os. Pure: the caller supplies time and counts. */
#ifndef THINK_H
#define THINK_H

#include <stdbool.h>
#include <stdint.h>
#include "rng.h"

enum think_by { THINK_COMPLETE, THINK_ISSUE };

struct think_cfg {
	uint64_t least_ns, most_ns; /* each pause has a length drawn from this range */
	uint64_t spin_ns;           /* the first part of a pause, which is spent spinning */
	uint64_t cycles;            /* CPU cycles used before the pause */
	uint64_t iotime_ns;         /* pause after this much time of I/O; 0: not by time */
	uint32_t blocks;            /* pause after this many I/Os; 0: not by number */
	unsigned by;                /* enum think_by */
};

struct think {
	uint64_t since_ns;  /* the end of the last pause */
	uint64_t since_ios; /* the I/Os that the pauses so far have paid for */
};

static inline bool think_wanted(const struct think_cfg *c)
{
	return c->most_ns || c->cycles;
}

/* Returns the length of the next pause; all lengths of the range are equally likely. */
static inline uint64_t think_length(const struct think_cfg *c, struct rng *r)
{
	return c->most_ns > c->least_ns ? c->least_ns + rng_below(r, c->most_ns - c->least_ns + 1)
					: c->most_ns;
}

/* Returns whether to pause before the next I/O. ios: I/Os issued or completed so far, as cfg->by says. */
static inline bool think_due(const struct think *t, const struct think_cfg *c, uint64_t now_ns, uint64_t ios)
{
	return (c->blocks && ios - t->since_ios >= c->blocks) ||
	       (c->iotime_ns && now_ns - t->since_ns >= c->iotime_ns);
}

/* Call when a pause is due. A pause pays for `blocks` I/Os; those above them, such as the ones that are still
   in flight, count towards the next pause. So there are `blocks` I/Os for each pause at any depth. */
static inline void think_pay(struct think *t, const struct think_cfg *c, uint64_t ios)
{
	bool counted = c->blocks && ios - t->since_ios >= c->blocks;

	t->since_ios = counted ? t->since_ios + c->blocks : ios;
}

/* Returns when an I/O of the schedule counts as due, because response time excludes think time. *lag_ns is
   how far the I/Os lag behind the schedule because of pauses: a pause adds to it, and an I/O that starts
   reduces it to its own lateness. */
static inline uint64_t think_shift_due(uint64_t *lag_ns, uint64_t due_ns, uint64_t now_ns)
{
	uint64_t late = now_ns > due_ns ? now_ns - due_ns : 0;

	if (*lag_ns > late)
		*lag_ns = late;
	return due_ns + *lag_ns;
}

#endif
