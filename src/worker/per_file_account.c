/* per_file_account.c: counts I/Os by file and by interval (plan_job.per_file). */
#include "per_file.h"
#include "per_file_account.h"
#include "worker.h"

void per_file_account_init(struct worker *w)
{
	w->observers.per_file =
		w->clone.job->per_file.files ? slot_per_file(w->clone.slot, w->clone.job) : NULL;
	if (w->observers.per_file)
		per_file_init(w->observers.per_file, &w->clone.job->per_file);
}

void per_file_account(struct worker *w, unsigned n)
{
	const struct per_file_cfg *c = &w->clone.job->per_file;
	uint32_t bucket = per_file_bucket_at(
		c, w->clock.now_ns > w->clock.start_ns ? w->clock.now_ns - w->clock.start_ns : 0);

	if (c->waits && !(w->q.eng.engine->caps & ENG_SYNC))
		per_file_count_poll(per_file_waits_of(w->observers.per_file, c),
				    w->q.eng.waits - w->observers.waits_seen, n);
	w->observers.waits_seen = w->q.eng.waits;
	for (unsigned i = 0; i < n; i++) {
		const struct io *io = w->q.reaped[i];

		if (io->dir >= PER_FILE_DIRS || io->res != (int64_t)io->len)
			continue;
		per_file_add(w->observers.per_file, c, c->files > 1 ? io->target : 0, bucket, io->dir,
			     io->total, w->clock.now_ns > io->start_ns ? w->clock.now_ns - io->start_ns : 0);
	}
}
