/* verify.c: set-up of verification, and the phase that reads back what was written. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "clock.h"
#include "clone.h"
#include "file_set.h"
#include "io_queue.h"
#include "next_io.h"
#include "phase.h"
#include "schedule.h"
#include "verify.h"
#include "verify_async.h"
#include "verify_files.h"
#include "verify_job.h"
#include "verify_unread.h"
#include "worker.h"

#define AWAIT_NS 1000000 /* between two looks at other workers */

/* ---- set-up ---- */

static bool init_backlog(struct verify *v, const struct clone *c)
{
	if (!v->source.backlog)
		return true;
	v->backlog = calloc(1, sizeof(*v->backlog));
	v->pause_at = c->job->verify.backlog;
	return v->backlog && verify_backlog_init(v->backlog, &v->source, c);
}

/* Creates the state that the job saves, or reads the one that it loads. Returns false after clone_fail. */
static bool init_state(struct verify *v, struct clone *c)
{
	const struct plan_verify *p = &c->job->verify;
	struct diag d = { 0 };
	int ret = p->state_load ? verify_state_image_read(&v->loaded, p->state_path, &d) : 0;

	if (!ret && p->state_load &&
	    !plan_verify_map_fits(c->job, v->loaded.state.version, v->loaded.state.layout.map_bytes))
		ret = diag_err(&d, -EINVAL, "%s: has changed since the run began", p->state_path);
	if (ret)
		clone_fail_diag(c, -ret, &d);
	diag_fini(&d);
	return !ret && verify_save_init(&v->save, c);
}

static bool init_source(struct verify *v, const struct clone *c, const struct io_source *live)
{
	const struct verify_state *loaded = &v->loaded.state;

	if (!verify_source_init(&v->source, c, live,
				v->loaded.mem ? (void *)loaded->map : verify_save_map(&v->save),
				v->loaded.mem ? loaded->layout.map_bytes : v->save.file.layout.map_bytes))
		return false;
	if (v->loaded.mem)
		verify_source_load(&v->source, loaded);
	return true;
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
	v->seed = p->seed;
	v->writer.own = p->writes || p->state_load;
	verify_trim_init(&v->trim, c);
	v->thread = (uint16_t)(c->job->index + 1);
	v->verified = UINT64_MAX;
	if (plan_verifies(c->job))
		v->damages.to = slot_verify(c->slot, c->job);
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
	verify_state_image_free(&v->loaded);
	verify_source_fini(&v->source);
	free(v->writer.more);
	free(v->slot);
	free(v->size);
	free(v);
}

/* ---- the phase ---- */

bool verify_reading(const struct verify *v)
{
	return v->reading;
}

static bool reread_all(struct file_set *s, struct clone *c)
{
	for (uint32_t i = 0; i < c->job->nfiles; i++)
		if (s->file[i].fd >= 0 && verify_files_reread(s, c, i))
			return false;
	return true;
}

/* Counts the blocks that the phase does not read, because the run or the job has ended. */
static void skip_rest(struct verify *v)
{
	struct verify_block_ref block;
	uint32_t file;

	v->damages.to->not_checked += v->has_next;
	v->has_next = false;
	while (verify_source_next(&v->source, &file, &block))
		v->damages.to->not_checked++;
}

static void set_expected(struct verify *v, uint64_t unread)
{
	struct region_verify *to = v->damages.to;

	to->expected =
		unread == VERIFY_UNREAD_UNKNOWN ? 0 : to->checked + to->in_part + to->not_checked + unread;
}

/* Waits until the other jobs that write the same bytes have stopped writing. */
static void await_writers(const struct clone *c)
{
	clone_set_phase(c, PHASE_VERIFY);
	for (uint32_t i = 0; i < c->plan->njobs; i++) {
		const struct plan_job *other = &c->plan->jobs[i];

		while (other->wave == c->job->wave && other->stage == c->job->stage &&
		       region_phase(c->region, i) < PHASE_VERIFY && other->verify.shared && !clone_stopped(c))
			futex_wait_until(&c->slot->stop, 0, clock_ns() + AWAIT_NS);
	}
}

/* Begins to walk over the blocks that were written. Writes and trims that never completed leave theirs open.
   Returns false after clone_fail. */
static bool prepare_reads(struct worker *w)
{
	struct verify *v = w->verify;

	for (unsigned i = 0; i < w->clone.job->depth; i++)
		if (v->slot[i].state == SLOT_WRITING || v->slot[i].state == SLOT_TRIMMING)
			verify_write_failed(v, &v->slot[i]);
	if (verify_source_rewind(&v->source))
		return true;
	clone_fail(&w->clone, ENOMEM, "out of memory for {verify}");
	return false;
}

/* Does the same for the reads after the trims, which take the blocks of the backlog, too. */
static bool prepare_all_reads(struct worker *w)
{
	if (w->clone.job->verify.trims)
		verify_source_forget_backlog(&w->verify->source);
	return prepare_reads(w);
}

/* Begins to read, or to trim, all blocks. Returns false if there are none, or if the job ends. */
static bool begin_reads(struct worker *w)
{
	struct verify *v = w->verify;
	struct clone *c = &w->clone;

	if (!c->job->verify.reads || v->verified == v->source.made || !prepare_reads(w))
		return false;
	if (c->job->verify.shared && !w->quota.between_loops)
		await_writers(c);
	v->batch = UINT64_MAX;
	v->reading = !c->failed && !clone_stopped(c) && reread_all(&w->files, c);
	if (v->reading) {
		set_expected(v, verify_unread(&v->source));
		if (!w->files.dynamic) /* reread_all() has synced all files */
			verify_save_all_synced(&v->save);
		memset(v->size, 0, c->job->nfiles * sizeof(*v->size));
		next_io_drop_ready(w);
		io_queue_drop_ready(&w->q);
		v->trim.on = c->job->verify.trims;
	} else if (!c->job->verify.trims || prepare_all_reads(w)) {
		skip_rest(v);
		v->verified = v->source.made;
	}
	return v->reading;
}

bool verify_begin(struct worker *w)
{
	if (!begin_reads(w))
		return false;
	slot_write_begin(w->clone.slot);
	phase_begin_verify(w);
	slot_write_end(w->clone.slot);
	w->verify->since_ns = w->clock.now_ns;
	return true;
}

void verify_set_pause(struct worker *w)
{
	struct verify *v = w->verify;

	if (v->backlog)
		w->quota.pause_ios = w->quota.issued_ios + (v->pause_at - v->source.made);
}

/* Begins to read, or to trim, blocks of the backlog. Returns false after clone_fail, or if there are too few
   blocks, because some of the I/Os were reads. */
static bool begin_backlog(struct worker *w)
{
	const struct plan_verify *p = &w->clone.job->verify;
	struct verify *v = w->verify;

	if (v->source.made < v->pause_at || !prepare_reads(w))
		return false;
	v->batch = p->backlog_batch;
	v->pause_at = v->source.made + p->backlog;
	v->reading = true;
	v->trim.on = p->trims;
	return true;
}

bool verify_begin_part(struct worker *w)
{
	struct verify *v = w->verify;

	v->pause.runtime = !w->quota.between_loops;
	slot_write_begin(w->clone.slot);
	phase_pause(w, &v->pause);
	slot_write_end(w->clone.slot);
	v->since_ns = w->clock.now_ns;
	return v->pause.runtime ? begin_backlog(w) : begin_reads(w);
}

/* Counts the time of the reads in the measured phase. */
static void count_time(struct worker *w, uint64_t now)
{
	uint64_t *since = &w->verify->since_ns;

	if (*since < w->clock.start_ns)
		*since = w->clock.start_ns;
	if (w->verify->reading && now > *since) {
		w->stats.cnt->verify_ns += now - *since;
		if (w->verify->trim.on)
			w->stats.cnt->verify_trim_ns += now - *since;
		*since = now;
	}
}

/* Counts the last I/O of this slot if it has failed: its slot is not idle then. */
static void slot_failed(struct verify *v, struct verify_slot *s)
{
	v->damages.to->not_checked += s->state == SLOT_READING;
	if (s->state == SLOT_TRIMMING)
		verify_write_failed(v, s);
	s->state = SLOT_IDLE;
}

/* Ends the reads of this pause, or of the phase. */
static void end_reads(struct worker *w)
{
	struct verify *v = w->verify;

	if (!v->reading)
		return;
	verify_count_checked(w, true);
	slot_write_begin(w->clone.slot);
	count_time(w, clock_ns());
	slot_write_end(w->clone.slot);
	v->reading = false;
	for (unsigned i = 0; i < w->clone.job->depth; i++)
		slot_failed(v, &v->slot[i]);
}

/* Ends the reads of all blocks. */
static void end_all_reads(struct worker *w)
{
	struct verify *v = w->verify;

	if (!v->reading)
		return;
	end_reads(w);
	if (v->trim.on) /* the walk of the reads has not begun */
		prepare_all_reads(w);
	v->trim.on = false;
	skip_rest(v);
	v->verified = v->source.made;
}

void verify_end(struct worker *w)
{
	struct verify *v = w->verify;

	end_all_reads(w);
	if (!plan_verifies(w->clone.job))
		return;
	verify_count_checked(w, true);
	verify_writer_end(&v->writer, w);
	verify_damages_end(&v->damages, w);
	verify_dumps_end(&v->dumps, &w->clone);
}

/* Ends the reads of a loop. Damage fails the job here, because the next loop would write over it. */
static void end_loop(struct worker *w)
{
	struct verify *v = w->verify;

	end_all_reads(w);
	verify_damages_end(&v->damages, w);
	if (v->backlog) {
		verify_backlog_next_loop(v->backlog);
		v->pause_at = v->source.made + w->clone.job->verify.backlog;
	}
	next_io_begin_loop(w);
}

void verify_end_part(struct worker *w)
{
	struct verify *v = w->verify;

	if (v->pause.runtime) {
		end_reads(w);
		v->trim.on = false;
		verify_files_restore(&w->files, &w->clone);
	} else {
		end_loop(w);
	}
	slot_write_begin(w->clone.slot);
	phase_resume(w, &v->pause);
	slot_write_end(w->clone.slot);
	verify_set_pause(w);
}

/* Takes the next block of the backlog's batch, or of the walk over all blocks. Returns false at the end. */
static bool draw_block(struct verify *v)
{
	if (v->batch == UINT64_MAX)
		return verify_source_next(&v->source, &v->next_file, &v->next_block);
	if (!v->batch)
		return false;
	v->batch--;
	return verify_backlog_next(v->backlog, &v->next_file, &v->next_block);
}

/* Finds the next block to trim, or to read. Returns false if there is none. */
static bool next_block(struct verify *v)
{
	while (draw_block(v))
		if (verify_trim_takes(&v->trim, &v->next_block, &v->damages.to->not_checked))
			return true;
		else if (v->trim.on && v->batch != UINT64_MAX)
			v->batch++; /* a batch counts trims */
	return false;
}

/* Returns whether the file has all bytes of the next block. */
static bool in_file(struct worker *w)
{
	struct verify *v = w->verify;
	const struct verify_block_ref *b = &v->next_block;
	uint64_t end = b->offset + b->from + b->bytes, *size = &v->size[v->next_file];

	if (end > *size)
		*size = verify_files_size(&w->files.file[v->next_file]);
	return end <= *size;
}

/* Counts the next block, which lies partly or wholly beyond the end of its file. This is damage, unless the
   write may have failed because the device was full, or the job may never have written the block. */
static void count_beyond_end(struct worker *w)
{
	struct verify *v = w->verify;
	const struct verify_block_ref *b = &v->next_block;
	uint64_t at = b->offset + b->from, end = at + b->bytes, size = v->size[v->next_file];

	v->has_next = false;
	if (b->may_lack)
		v->damages.to->not_checked++;
	else if (b->open && !b->since)
		v->damages.to->in_part++;
	else
		verify_damages_add(&v->damages, w, v->next_file,
				   &(struct verify_damage){ .kind = DAMAGE_BEYOND_END,
							    .offset = size > at ? size : at,
							    .bytes = end - (size > at ? size : at) });
}

/* Takes the next block of the walk and opens its file. */
static enum verify_open take_block(struct worker *w)
{
	struct verify *v = w->verify;
	enum verify_open open = VERIFY_OPEN;

	while (!w->clone.failed && !clone_stopped(&w->clone)) {
		if (!v->has_next)
			v->has_next = next_block(v);
		if (v->has_next && w->files.dynamic)
			open = verify_files_open(&w->files, &w->clone, v->next_file);
		if (!v->has_next || open != VERIFY_OPEN || in_file(w))
			return open;
		if (!v->trim.on)
			count_beyond_end(w);
		else if (v->next_block.open)
			v->has_next = false;
		else
			return open;
	}
	return VERIFY_OPEN_FAILED;
}

/* Begins the reads after all trims have completed. Returns false after clone_fail. */
static bool end_trims(struct worker *w)
{
	slot_write_begin(w->clone.slot);
	count_time(w, clock_ns());
	slot_write_end(w->clone.slot);
	if (!prepare_all_reads(w) || !reread_all(&w->files, &w->clone))
		return false;
	set_expected(w->verify, verify_unread(&w->verify->source));
	w->verify->trim.on = false;
	return true;
}

static void fill_in(struct worker *w, struct verify_slot *s, struct io *io)
{
	struct verify *v = w->verify;

	*s = (struct verify_slot){ v->trim.on ? SLOT_TRIMMING : SLOT_READING, v->next_file, v->next_block };
	v->has_next = false;
	io->op = io->dir = v->trim.on ? DIR_TRIM : DIR_READ;
	io->file = &w->files.file[s->file];
	io->target = s->file;
	io->offset = s->block.offset + s->block.from;
	io->len = io->total = s->block.bytes;
	io->done = 0;
	io->prefilled = false;
	io->due_ns = w->clock.now_ns;
	w->files.inflight[io->target] += w->files.count_inflight;
}

enum next_io_result verify_next(struct worker *w, struct io *io)
{
	struct verify *v = w->verify;
	struct verify_slot *s = &v->slot[io->index];
	enum verify_open open;

	slot_failed(v, s);
	open = take_block(w);
	if (!v->has_next && v->trim.on && v->batch == UINT64_MAX) {
		if (io_queue_busy(&w->q))
			return NEXT_WAIT;
		if (end_trims(w))
			open = take_block(w);
	}
	if (open == VERIFY_OPEN_LATER)
		return NEXT_WAIT;
	if (!v->has_next || open == VERIFY_OPEN_FAILED) {
		next_io_stop(&w->quota, &w->source);
		return NEXT_END;
	}
	fill_in(w, s, io);
	return NEXT_IO;
}

/* ---- completed I/Os ---- */

/* Checks a read of a job that only reads. */
static void check_read(struct worker *w, const struct io *io, unsigned char *buf)
{
	struct verify_block_ref b = {
		.offset = io->offset, .whole = io->total, .bytes = io->total, .any_number = true
	};

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
	count_time(w, w->clock.now_ns);
	if (!v->reading && w->clone.job->verify.reads)
		set_expected(v, verify_unread_so_far(&v->source));
}
