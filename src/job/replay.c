#include "replay.h"

/* Makes the time of the event count from the start of the window, and shortens gaps that are too long. */
static void set_replay_time(struct replay_pass *p, struct trace_event *e)
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
	if (p->facts->compact && e->op < TRACE_DATA_OPS)
		e->offset = compact_offset(&p->facts->compact[e->device], e->offset);
	set_replay_time(p, e);
	return true;
}

uint64_t replay_usable(uint64_t bytes)
{
	return bytes < EXTENT_BLOCK_BYTES ? bytes : bytes - bytes % EXTENT_BLOCK_BYTES;
}

static uint64_t fit(uint64_t offset, uint64_t end, uint64_t bytes)
{
	__extension__ typedef unsigned __int128 u128;
	uint64_t at = (uint64_t)((u128)offset * bytes / end);

	return at - at % EXTENT_BLOCK_BYTES;
}

uint64_t replay_offset(const struct replay_cfg *c, const struct trace_event *e, uint64_t end, uint64_t bytes)
{
	uint64_t usable = replay_usable(bytes), at = e->offset;

	if (end == bytes || end == usable)
		return at;
	if (c->address == REPLAY_WRAP)
		at %= usable;
	if (c->address == REPLAY_FIT)
		at = fit(at, end, usable);
	return at > usable - e->length ? usable - e->length : at;
}
