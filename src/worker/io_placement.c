/* io_placement.c: gives writes their placement. Jobs without placement pay only for one test per batch. */
#include "account.h"
#include "clone.h"
#include "placement_ids.h"

void io_placement_init(struct observers *o, const struct clone *c)
{
	if (!c->job->placement)
		return;
	placement_init(&o->placement, c->job->placement, c->job->seed + 4);
	o->placed = slot_part(c->slot, c->job, SLOT_PLACEMENT);
}

void io_placement_draw(struct observers *o, const struct clone *c, struct io **ios, unsigned n)
{
	const struct placement_set *s = o->placement.set;

	for (unsigned i = 0; i < n; i++) {
		struct io *io = ios[i];
		const struct placement_ids *ids = clone_target(c, io->target)->facts->placement;

		io->placed = false;
		if (io->op != IO_WRITE)
			continue;
		io->placement_at = placement_next(&o->placement, io->offset);
		io->placed = io->placement_at < s->n;
		if (io->placed)
			io->placement = ids->id[s->plid[io->placement_at] - ids->first];
	}
}

void io_placement_account(struct observers *o, struct io *const *ios, unsigned n)
{
	for (unsigned i = 0; i < n; i++) {
		const struct io *io = ios[i];

		if (io->op != IO_WRITE || io->res != (int64_t)io->len)
			continue;
		o->placed[io->placement_at].ios++;
		o->placed[io->placement_at].bytes += io->total;
	}
}
