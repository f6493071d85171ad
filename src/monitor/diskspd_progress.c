#include "diskspd_progress.h"

#include <stdio.h>
#include "run.h"

/* One call prints at most this many dots, because a terminal is slow. */
#define DOTS_MAX 4096

static void put_dots(struct diskspd_progress *p, const struct run *r)
{
	uint64_t ios = 0;
	unsigned n = 0;

	for (uint32_t i = 0; p->every && i < r->plan->njobs; i++) {
		const struct plan_job *pj = &r->plan->jobs[i];
		uint64_t bytes = atomic_load_explicit(&run_slot(r, i)->issued_bytes, memory_order_relaxed);

		ios += pj->bs_min ? bytes / pj->bs_min : 0;
	}
	while (p->every && p->dots < ios / p->every && n++ < DOTS_MAX) {
		fputc('.', stderr);
		p->dots++;
	}
	if (n)
		fflush(stderr);
}

/* DISKSPD prints all four lines of a time span, even if it has no warm-up. */
static const char *const lines[] = { "starting warm up...", "starting measurements...",
				     "starting cool down...", "finished test..." };

#define LINES (sizeof(lines) / sizeof(*lines))

/* Returns how many of the lines are due in a phase. A job that ends with its size has no PHASE_COOL, and
   the phases after that one count as its cool down. */
static unsigned lines_due(enum worker_phase phase)
{
	if (phase < PHASE_RAMP)
		return 0;
	if (phase <= PHASE_RUN)
		return phase == PHASE_RAMP ? 1 : 2;
	return phase < PHASE_DONE ? 3 : 4;
}

static void put_lines(struct diskspd_progress *p, unsigned due)
{
	for (; p->lines < due; p->lines++)
		fprintf(stderr, "%s\n", lines[p->lines]);
}

static void put_phase(struct diskspd_progress *p, const struct run *r)
{
	unsigned due = 0;

	if (p->wave != r->wave) {
		put_lines(p, p->lines ? LINES : 0);
		p->wave = r->wave;
		p->lines = 0;
	}
	for (uint32_t i = 0; i < r->plan->njobs; i++) {
		unsigned n = r->plan->jobs[i].wave == r->wave ? lines_due(run_phase(r, i)) : 0;

		due = n > due ? n : due;
	}
	put_lines(p, due);
}

void diskspd_progress_tick(struct diskspd_progress *p, const struct run *r)
{
	put_dots(p, r);
	if (p->verbose)
		put_phase(p, r);
}

void diskspd_progress_end(struct diskspd_progress *p, const struct run *r)
{
	diskspd_progress_tick(p, r);
	if (p->dots)
		fputc('\n', stderr);
	put_lines(p, p->lines ? LINES : 0);
	*p = (struct diskspd_progress){ 0 };
}
