/* file_account.c: counts I/Os by file. For reports it counts the I/Os that account.c adds to w->stats.st,
   with the same latencies, so that the sums over the files are the job's figures (file_stats_account); for
   DISKSPD's reports it counts them by interval, too (per_file_account). */
#include "account.h"
#include "clock.h"
#include "clone.h"
#include "file_stats.h"
#include "io_queue.h"
#include "per_file.h"
#include "window.h"
#include "worker.h"

void file_stats_account_init(struct observers *o, const struct clone *c)
{
	o->file_stats = c->job->file_stats.files ? slot_part(c->slot, c->job, SLOT_FILE_STATS) : NULL;
}

void file_stats_account_begin(struct stats *s, const struct observers *o)
{
	s->files = o->file_stats;
}

void file_stats_account_one(struct worker *w, const struct io *io)
{
	uint64_t ns[FILE_LATS] = { [FILE_CLAT] = clock_since(w->clock.now_ns, io->issue_ns),
				   [FILE_LAT] = clock_since(w->clock.now_ns, io->start_ns) };

	if (w->stats.files)
		file_stats_add(w->stats.files, &w->clone.job->file_stats, io->target, io->dir, io->total, ns);
}

void file_stats_account(struct worker *w, unsigned n)
{
	for (unsigned i = 0; i < n; i++) {
		const struct io *io = w->q.reaped[i];

		if (io->res == (int64_t)io->len || (io->res == 0 && io->dir == DIR_SYNC))
			file_stats_account_one(w, io);
	}
}

void file_stats_account_short(const struct worker *w, const struct io *io)
{
	if (w->stats.files)
		file_stats_dir(w->stats.files, &w->clone.job->file_stats, io->target, io->dir)->short_ios++;
}

void file_stats_account_errors(const struct worker *w, uint32_t file, unsigned dir, uint64_t errors)
{
	if (w->stats.files)
		file_stats_dir(w->stats.files, &w->clone.job->file_stats, file, dir)->errors += errors;
}

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
