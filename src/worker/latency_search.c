#include "phase.h"

#include "window.h"
#include "worker.h"

/* Returns when the search must end, so that the result is measured within the runtime. */
static uint64_t search_end(const struct worker *w)
{
	const struct time_cfg *t = &w->clone.opts->time;

	return w->clock.start_ns + t->ramp_ns + t->runtime_ns - w->search->cfg.window_ns;
}

void latency_search_begin(struct worker *w, uint64_t start)
{
	const struct time_cfg *t = &w->clone.opts->time;

	depth_search_begin(w->search, start + t->ramp_ns);
	w->clock.deadline_ns = start + t->ramp_ns + t->runtime_ns;
}

/* Begins the measurement: of one window, or with latency_run of the rest of the runtime. */
static void measure(struct worker *w)
{
	struct phase_clock *k = &w->clock;
	struct time_cfg t = w->clone.opts->time;
	uint64_t used = k->now_ns - k->start_ns - t.ramp_ns, window = w->search->cfg.window_ns;

	t.runtime_ns = w->search->cfg.run && t.runtime_ns > used + window ? t.runtime_ns - used : window;
	phase_clock_set_deadline(k, &t, w->window.cut, k->now_ns);
	k->event_ns = k->now_ns; /* the next batch ends the ramp */
}

void latency_search_account(struct worker *w, unsigned n)
{
	struct depth_search *s = w->search;
	uint64_t now = w->clock.now_ns;

	if (w->clock.in_ramp ? w->clock.ramp_end_ns != UINT64_MAX : w->clock.in_cooldown)
		return;
	for (unsigned i = 0; i < n; i++) {
		const struct io *io = w->q.reaped[i];

		if (io->dir < DIR_DATA && io->res == (int64_t)io->len)
			depth_search_add(s, io->start_ns, now);
	}
	/* The measurement begins once an I/O that started at the depth found has completed. */
	if (w->clock.in_ramp && (s->found || s->stopped)) {
		if (s->window_begun)
			measure(w);
		return;
	}
	if (w->clock.in_ramp || s->cfg.run)
		depth_search_judge(s, now);
	if (w->clock.in_ramp && !s->found && now >= search_end(w))
		depth_search_stop(s, now);
}
