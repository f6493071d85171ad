/* think.h: when a job rests between I/Os. Pure: the caller brings time and counts. */
#ifndef THINK_H
#define THINK_H

#include <stdbool.h>
#include <stdint.h>

enum think_by { THINK_COMPLETE, THINK_ISSUE };

struct think_cfg {
	uint64_t time_ns, spin_ns; /* how long it rests; for how much of that, at first, it spins */
	uint64_t cycles;           /* of the CPU, burnt before it rests */
	uint64_t iotime_ns;        /* rest after this much time of I/O; 0: not by time */
	uint32_t blocks;           /* rest after this many I/Os; 0: not by their number */
	unsigned by;               /* enum think_by */
};

struct think {
	uint64_t since_ns, since_ios; /* the last rest ended then */
};

static inline bool think_wanted(const struct think_cfg *c)
{
	return c->time_ns || c->cycles;
}

/* A rest is over, or the phase begins. ios: issued or completed so far, as cfg->by says. */
static inline void think_restart(struct think *t, uint64_t now_ns, uint64_t ios)
{
	t->since_ns = now_ns;
	t->since_ios = ios;
}

/* Time to rest, before the next I/O. */
static inline bool think_due(const struct think *t, const struct think_cfg *c, uint64_t now_ns, uint64_t ios)
{
	return (c->blocks && ios - t->since_ios >= c->blocks) ||
	       (c->iotime_ns && now_ns - t->since_ns >= c->iotime_ns);
}

/* Think time is not in the response time. *behind is by how much I/Os come later than their schedule says for
   want of the time that was spent thinking: a rest adds to it, an I/O that is served at all takes what it
   does not need off again. When an I/O of the schedule counts as due: */
static inline uint64_t think_due_later(uint64_t *behind, uint64_t due_ns, uint64_t now_ns)
{
	uint64_t late = now_ns > due_ns ? now_ns - due_ns : 0;

	if (*behind > late)
		*behind = late;
	return due_ns + *behind;
}

#endif
