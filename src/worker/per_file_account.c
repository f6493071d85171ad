/* per_file_account.c: of a worker whose files or intervals are counted apart (plan_job.parts). */
#include "per_file.h"
#include "worker.h"

void per_file_start(struct worker *w)
{
	w->per_file = w->pj->parts.files ? slot_parts(w->slot, w->pj) : NULL;
	if (w->per_file)
		per_file_init(w->per_file, &w->pj->parts);
}

void per_file_account(struct worker *w, unsigned n)
{
	const struct per_file_cfg *c = &w->pj->parts;
	uint32_t bucket =
		per_file_bucket_at(c, w->now_ns > w->phase_start_ns ? w->now_ns - w->phase_start_ns : 0);

	if (c->waits && !(w->eng.engine->caps & ENG_SYNC))
		per_file_found(per_file_waits_of(w->per_file, c), w->eng.waits - w->waits_seen, n);
	w->waits_seen = w->eng.waits;
	for (unsigned i = 0; i < n; i++) {
		const struct io *io = w->batch[i];

		if (io->dir >= PER_FILE_DIRS || io->res != (int64_t)io->len)
			continue;
		per_file_add(w->per_file, c, c->files > 1 ? io->target : 0, bucket, io->dir, io->total,
			     w->now_ns > io->start_ns ? w->now_ns - io->start_ns : 0);
	}
}
