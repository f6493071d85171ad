/* verify.c: set-up of verification, and I/Os that have completed. */
#include <errno.h>
#include <stdlib.h>
#include "clone.h"
#include "io_queue.h"
#include "verify.h"
#include "block_check.h"
#include "verify_job.h"
#include "verify_check.h"
#include "verify_source.h"
#include "worker.h"

/* ---- set-up ---- */

static bool init_backlog(struct verify *v, const struct clone *c)
{
	if (!v->source.backlog)
		return true;
	v->backlog = calloc(1, sizeof(*v->backlog));
	v->pause_number = c->job->verify.backlog;
	return v->backlog && verify_backlog_init(v->backlog, &v->source, c);
}

/* Creates the state that the job saves, or reads the one that it loads. Returns false after clone_fail. */
static bool init_state(struct verify *v, struct clone *c)
{
	const struct plan_verify *p = &c->job->verify;
	struct diag d = { 0 };
	int ret = p->state_load ? verify_state_image_read(&v->loaded_state, p->state_path, &d) : 0;

	if (!ret && p->state_load &&
	    !plan_verify_map_fits(c->job, v->loaded_state.state.version,
				  v->loaded_state.state.layout.map_bytes))
		ret = diag_err(&d, -EINVAL, "%s: has changed since the run began", p->state_path);
	if (ret)
		clone_fail_diag(c, -ret, &d);
	diag_fini(&d);
	return !ret && verify_save_init(&v->save, c);
}

static bool init_source(struct verify *v, const struct clone *c, const struct io_source *live)
{
	const struct verify_state *loaded = &v->loaded_state.state;

	if (!verify_source_init(&v->source, c, live,
				v->loaded_state.mem ? (void *)loaded->map : verify_save_map(&v->save),
				v->loaded_state.mem ? loaded->layout.map_bytes
						    : v->save.file.layout.map_bytes))
		return false;
	if (v->loaded_state.mem)
		verify_source_load(&v->source, loaded);
	return true;
}

static void watch_passes(struct verify *v, const struct clone *c)
{
	const struct time_cfg *t = &c->opts->time;
	uint64_t bytes = c->job->pass_bytes, ios = t->number_ios;

	v->watches_passes = c->job->verify.passes_differ;
	v->first_pass_bytes = ios && ios < bytes / c->job->bs_min ? ios * c->job->bs_min : bytes;
}

bool verify_init(struct worker *w)
{
	struct clone *c = &w->clone;
	const struct plan_verify *p = &c->job->verify;
	struct verify *v;

	if (!p->writes && !plan_verifies(c->job))
		return true;
	v = w->verify = calloc(1, sizeof(*v));
	if (v)
		v->slot = calloc(c->job->depth, sizeof(*v->slot));
	if (v)
		v->size = calloc(c->job->nfiles, sizeof(*v->size));
	if (v && !init_state(v, c))
		return false;
	if (!v || !v->slot || !v->size || !init_source(v, c, &w->source) || !init_backlog(v, c)) {
		clone_fail(c, ENOMEM, "out of memory for {verify}");
		return false;
	}
	verify_format_init(&v->format, &c->opts->verify.format, &c->opts->buffer, c->job->content.unit);
	v->any_run = !p->writes && !p->state_load;
	v->seed = verify_run_seed(p->seed, p->state_load ? verify_state_run(&v->loaded_state.state) : p->run);
	v->writer.own_blocks = p->writes || p->state_load;
	verify_trim_init(&v->trim, c);
	watch_passes(v, c);
	if (p->run_reads && (v->watches_passes || v->trim.percent) && !verify_seen_init(&v->seen, c->job)) {
		clone_fail(c, ENOMEM, "out of memory for {verify}");
		return false;
	}
	v->thread = (uint16_t)(c->job->index + 1);
	v->verified_number = UINT64_MAX;
	v->damages.to = plan_verifies(c->job) ? slot_verify(c->slot, c->job) : &v->unreported;
	if (p->writes)
		verify_writes_begin(w);
	return !plan_verifies(c->job) || !c->opts->verify.async ||
	       verify_async_start(w, &v->format, w->q.bufs.stride);
}

void verify_fini(struct worker *w)
{
	struct verify *v = w->verify;

	if (!v)
		return;
	if (v->backlog)
		verify_backlog_fini(v->backlog);
	free(v->backlog);
	verify_save_fini(&v->save, &w->clone);
	verify_state_image_free(&v->loaded_state);
	verify_source_fini(&v->source);
	verify_seen_fini(&v->seen);
	verify_doubtful_fini(&v->writer.pending);
	verify_doubtful_fini(&v->newest_run.blocks);
	free(v->slot);
	free(v->size);
	free(v);
}

/* ---- completed I/Os ---- */

/* Checks a read of a job that only reads. */
static void check_read(struct worker *w, const struct io *io, unsigned char *buf)
{
	const struct verify *v = w->verify;
	struct verify_block_ref b = {
		.offset = io->offset, .whole = io->total, .bytes = io->total, .number_unknown = true
	};

	if (v->slot[io->index].later_pass && w->clone.job->verify.unit != w->clone.job->verify.block_max) {
		v->damages.to->not_checked++; /* where the writer's blocks begin is not known */
		return;
	}
	b.maybe_unwritten =
		v->slot[io->index].later_pass && !verify_seen_has(&v->seen, io->target, io->offset);
	verify_check_block(w, io->target, &b, buf);
}

/* Handles an I/O that has transferred all its bytes. */
static void completed(struct worker *w, const struct io *io)
{
	struct verify *v = w->verify;
	struct verify_slot *s = &v->slot[io->index];
	unsigned char *buf = io->buf;

	if (io->dir == DIR_READ && w->clone.job->verify.run_reads)
		check_read(w, io, buf);
	else if (io->dir == DIR_READ && s->state == SLOT_READING)
		verify_check_block(w, s->file, &s->block, buf);
	if (s->state == SLOT_WRITING && io->dir == DIR_READ) /* an earlier write of this slot failed */
		verify_write_failed(v, s);
	if (s->state == SLOT_WRITING && io->dir == DIR_WRITE)
		verify_save_done(&v->save, io->index, true);
	if (io->dir <= DIR_TRIM)
		s->state = SLOT_IDLE;
}

/* Returns whether all bytes were transferred. After a short transfer the buffer of the I/O begins at the
   rest, which may be as long as that transfer. */
static bool is_complete(const struct iobuf *bufs, const struct io *io)
{
	return io->res == (int64_t)io->len && io->buf == bufs->base + io->index * bufs->stride;
}

void verify_after_batch(struct worker *w, unsigned n)
{
	struct verify *v = w->verify;

	for (unsigned i = 0; i < n; i++) {
		const struct io *io = w->q.reaped[i];

		verify_save_fsync_done(&v->save, io);
		if (io->dir == DIR_TRIM && v->slot[io->index].state != SLOT_TRIMMING)
			verify_source_trimmed(&v->source, io->target, io->offset, io->total);
		else if (is_complete(&w->q.bufs, io))
			completed(w, io);
	}
	verify_count_checked(w, false);
	verify_reads_count_time(w, w->clock.now_ns);
	if (!v->reading && w->clone.job->verify.reads)
		verify_reads_set_expected(v, verify_unread_so_far(&v->source));
}
