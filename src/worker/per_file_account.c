/* per_file_account.c: counts I/Os by file and by interval. */
#include "clone.h"
#include "io_queue.h"
#include "stats.h"
#include "per_file.h"
#include "account.h"
#include "window.h"

void per_file_account_init(struct observers *o, const struct clone *c)
{
	o->per_file = c->job->per_file.files ? slot_part(c->slot, c->job, SLOT_PER_FILE) : NULL;
	if (o->per_file)
		per_file_init(o->per_file, &c->job->per_file);
}

void per_file_account(struct observers *o, const struct per_file_cfg *cfg, const struct io_queue *q,
		      const struct phase_clock *clock, unsigned n)
{
	uint64_t now = clock->now_ns;
	uint32_t bucket = per_file_bucket_at(cfg, now > clock->start_ns ? now - clock->start_ns : 0);

	if (cfg->waits && !(q->eng.engine->caps & ENG_SYNC))
		per_file_count_poll(per_file_waits_of(o->per_file, cfg), q->eng.waits - o->counted_waits, n);
	o->counted_waits = q->eng.waits;
	for (unsigned i = 0; i < n; i++) {
		const struct io *io = q->reaped[i];

		if (io->dir >= PER_FILE_DIRS || io->res != (int64_t)io->len)
			continue;
		per_file_add(o->per_file, cfg, cfg->files > 1 ? io->target : 0, bucket, io->dir, io->total,
			     now > io->start_ns ? now - io->start_ns : 0);
	}
}
