/* parts.c: of a worker whose files or intervals are counted apart (plan_job.parts). */
#include "parts.h"
#include "worker.h"

void parts_start(struct worker *w)
{
	w->parts = w->pj->parts.files ? slot_parts(w->slot, w->pj) : NULL;
	if (w->parts)
		parts_init(w->parts, &w->pj->parts);
}

void parts_account(struct worker *w, unsigned n)
{
	const struct parts_cfg *c = &w->pj->parts;
	uint32_t bucket =
		parts_bucket_at(c, w->now_ns > w->phase_start_ns ? w->now_ns - w->phase_start_ns : 0);

	if (c->waits && !(w->eng.engine->caps & ENG_SYNC))
		parts_took(parts_waits(w->parts, c), w->eng.waits - w->waits_seen, n);
	w->waits_seen = w->eng.waits;
	for (unsigned i = 0; i < n; i++) {
		const struct io *io = w->batch[i];

		if (io->dir >= PART_DIRS || io->res != (int64_t)io->len)
			continue;
		parts_add(w->parts, c, c->files > 1 ? io->target : 0, bucket, io->dir, io->total,
			  w->now_ns > io->start_ns ? w->now_ns - io->start_ns : 0);
	}
}
