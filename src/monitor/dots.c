#include "dots.h"

#include <stdio.h>
#include "run.h"

/* One call prints at most this many dots, because a terminal is slow. */
#define DOTS_MAX 4096

void dots_tick(struct dots *d, const struct run *r)
{
	uint64_t ios = 0;
	unsigned n = 0;

	for (uint32_t i = 0; d->every && i < r->plan->njobs; i++) {
		const struct plan_job *pj = &r->plan->jobs[i];
		uint64_t bytes = atomic_load_explicit(&run_slot(r, i)->issued_bytes, memory_order_relaxed);

		ios += pj->bs_min ? bytes / pj->bs_min : 0;
	}
	while (d->every && d->printed < ios / d->every && n++ < DOTS_MAX) {
		fputc('.', stderr);
		d->printed++;
	}
	if (n)
		fflush(stderr);
}

void dots_end(struct dots *d)
{
	if (d->printed)
		fputc('\n', stderr);
	d->printed = d->every = 0;
}
