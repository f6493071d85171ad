/* step_account.c: counts I/Os by the steps of rate_steps. */
#include "account.h"
#include "clock.h"

#include "step_counts.h"
#include "verify.h"
#include "worker.h"

void step_account_init(struct observers *o, const struct clone *c)
{
	o->steps = c->job->step_counts.steps ? slot_part(c->slot, c->job, SLOT_STEPS) : NULL;
}

/* Adds the latencies that the job measures. */
static void add_latencies(struct step_counts *s, const struct worker *w, const struct io *io)
{
	const uint8_t *measured = w->clone.job->layout.moments[io->dir];
	uint64_t now = w->clock.now_ns;

	if (measured[LAT_CLAT])
		step_counts_add_lat(s, STEP_CLAT, clock_since(now, io->issue_ns));
	if (measured[LAT_RESP])
		step_counts_add_lat(s, STEP_RESP, clock_since(now, io->due_ns));
}

void step_account_one(struct worker *w, const struct io *io)
{
	const struct step_counts_cfg *cfg = &w->clone.job->step_counts;
	const struct pace_steps *steps = &w->clone.opts->pace.steps;
	uint64_t start = w->clock.start_ns, done_ns = clock_since(w->clock.now_ns, start);
	uint32_t due, done;
	struct step_counts *s;

	if (io->dir >= DIR_DATA || !(cfg->dirs & 1u << io->dir))
		return;
	due = pace_step_at(steps, clock_since(io->due_ns, start));
	done = pace_step_at(steps, done_ns);
	s = step_counts_of(w->observers.steps, cfg, due, io->dir);
	s->ios++;
	s->bytes += io->total;
	s->late_ios += done_ns >= pace_step_end(steps, due);
	add_latencies(s, w, io);
	s = step_counts_of(w->observers.steps, cfg, done, io->dir);
	s->done_ios++;
	s->done_bytes += io->total;
}

void step_account(struct worker *w, unsigned n)
{
	if (w->verify && verify_reading(w->verify))
		return;
	for (unsigned i = 0; i < n; i++) {
		const struct io *io = w->q.reaped[i];

		if (io->res == (int64_t)io->len)
			step_account_one(w, io);
	}
}

void step_account_unfinished(struct worker *w, unsigned dir, uint64_t due_ns, uint64_t age_ns, uint64_t n)
{
	const struct step_counts_cfg *cfg = &w->clone.job->step_counts;
	uint32_t step = pace_step_at(&w->clone.opts->pace.steps, due_ns);

	if (cfg->dirs & 1u << dir)
		step_counts_add_unfinished(step_counts_of(w->observers.steps, cfg, step, dir), age_ns, n);
}
