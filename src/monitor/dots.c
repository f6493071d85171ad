#include "dots.h"

#include <stdio.h>

/* So many at once at most: a terminal is not for more. */
#define AT_ONCE 4096

void dots_tick(struct dots *d, const struct run *r)
{
	uint64_t ios = 0;
	unsigned n = 0;

	for (uint32_t i = 0; d->every && i < r->plan->njobs; i++) {
		const struct plan_job *pj = &r->plan->jobs[i];
		uint64_t bytes = atomic_load_explicit(&run_slot(r, i)->issued_bytes, memory_order_relaxed);

		ios += pj->bs_min ? bytes / pj->bs_min : 0;
	}
	while (d->every && d->told < ios / d->every && n++ < AT_ONCE) {
		fputc('.', stderr);
		d->told++;
	}
	if (n)
		fflush(stderr);
}

void dots_end(struct dots *d)
{
	if (d->told)
		fputc('\n', stderr);
	d->told = d->every = 0;
}
