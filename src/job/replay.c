#include "replay.h"

/* Sets the time since the start of the window, without what is too long of the gaps. */
static void set_time(struct replay_pass *p, struct trace_event *e)
{
	uint64_t time_ns = e->time_ns - p->cfg->from_ns, gap_ns = time_ns - p->last_ns;

	if (p->cfg->gap_max_ns && gap_ns > p->cfg->gap_max_ns)
		p->cut_ns += gap_ns - p->cfg->gap_max_ns;
	p->last_ns = time_ns;
	e->time_ns = time_ns - p->cut_ns;
}

bool replay_event(struct replay_pass *p, struct trace_event *e)
{
	const struct replay_cfg *c = p->cfg;
	uint32_t target = p->facts->target[e->device];

	if (replay_skips(c, e) || target == REPLAY_LEFT_OUT)
		return false;
	e->device = target - 1;
	if (c->scale > 1)
		e->offset /= c->scale;
	if (c->align)
		e->offset -= e->offset % c->align;
	set_time(p, e);
	return true;
}
