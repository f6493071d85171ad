/* pace.h: when the next I/O may start. Pure: the caller brings the time. */
#ifndef PACE_H
#define PACE_H

#include <stdbool.h>
#include <stdint.h>
#include "dir.h"

struct pace_cfg {
	uint64_t rate[DIR_DATA];      /* bytes per second; 0: none */
	uint32_t rate_iops[DIR_DATA]; /* I/Os per second; 0: none */
};

/* One direction's schedule: linear. The n-th I/O is due when n I/Os (or the bytes before it) take at the
   rate, in ns since the start of the phase, exact over the total and so without drift; it never depends on
   when an I/O was issued: a stall shows as response time. */
struct pacer {
	uint64_t rate;              /* per second */
	bool by_bytes;              /* rate counts bytes, not I/Os */
	uint32_t step_bytes;        /* by_bytes: the I/O size that step_ns and step_rem are for */
	uint64_t taken;             /* I/Os or bytes so far */
	uint64_t due_ns, rem;       /* always: due_ns * rate + rem == taken * 10^9, rem < rate */
	uint64_t step_ns, step_rem; /* what one I/O adds to due_ns and rem */
};

/* False if cfg asks for no limit in this direction: the loop then skips pacing. With both a rate and a
   rate_iops the caller is refused before (resolve), as in fio rate_iops excludes rate. */
bool pacer_init(struct pacer *p, const struct pace_cfg *cfg, enum io_dir dir);
/* A new phase begins (ramp has ended): the schedule starts afresh. */
void pacer_restart(struct pacer *p);
/* For pacer_take alone: the steps of an I/O of this size. */
void pacer_step(struct pacer *p, uint32_t bytes);

/* How many I/Os of this size were due before rel_ns and have not been taken. */
uint64_t pacer_overdue(const struct pacer *p, uint64_t rel_ns, uint32_t bytes);

/* When the next I/O is due, in ns since the start of the phase; UINT64_MAX once that is beyond 584 years. */
static inline uint64_t pacer_due(const struct pacer *p)
{
	return p->due_ns;
}

/* The next I/O is issued and is this large. */
static inline void pacer_take(struct pacer *p, uint32_t bytes)
{
	bool carry;

	if (p->by_bytes && bytes != p->step_bytes)
		pacer_step(p, bytes);
	p->taken += p->by_bytes ? bytes : 1;
	carry = p->rem >= p->rate - p->step_rem;
	p->rem = carry ? p->rem - (p->rate - p->step_rem) : p->rem + p->step_rem;
	if (__builtin_add_overflow(p->due_ns, p->step_ns + carry, &p->due_ns))
		p->due_ns = UINT64_MAX;
}

#endif
