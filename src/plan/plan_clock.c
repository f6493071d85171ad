/* plan_clock.c: one clock for the run, because times of workers and parent are compared. */
#include "plan_build.h"

int plan_clock(struct build *b)
{
	struct plan *p = b->p;
	const struct job *cpu = NULL;

	for (size_t i = 0; i < p->set->njobs; i++) {
		const struct job *job = &p->set->jobs[i];
		enum time_clock c = job->opts.time.clock;

		p->kernel_clock = p->kernel_clock || c == TIME_CLOCK_KERNEL || c == TIME_CLOCK_DAY;
		if (c == TIME_CLOCK_CPU && !cpu)
			cpu = job;
	}
	if (cpu && p->kernel_clock)
		notes_add(
			&p->notes,
			"{#%.80s}{clocksource=cpu}: another job uses clock_gettime, and a run has one clock",
			cpu->name);
	else if (cpu && !b->f->tsc)
		notes_add(&p->notes,
			  "{#%.80s}{clocksource=cpu}: the kernel does not trust this CPU's counter, so times "
			  "come from clock_gettime",
			  cpu->name);
	return 0;
}
