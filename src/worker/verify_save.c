#include "verify_job.h"

#include "clone.h"
#include "io.h"
#include "verify_source.h"

static struct verify_state_shape shape_of(const struct clone *c)
{
	const struct plan_job *pj = c->job;
	const struct plan_verify *v = &pj->verify;
	const uint64_t undo = plan_verify_undo_bytes(pj);

	return (struct verify_state_shape){
		.depth = pj->depth,
		.files = pj->nfiles,
		.map_bytes = undo ? plan_verify_undo_at(pj) + undo : plan_verify_bytes(pj),
		.durable = c->opts->file.sync != FILE_SYNC_NONE,
		.synced = c->opts->verify.state_sync,
		.copied = clone_caps(c) & ENG_MAPPED,
		.settings = v->nsettings,
		.setting_bytes = (uint32_t)verify_state_settings(v->settings, v->nsettings, NULL),
	};
}

bool verify_save_init(struct verify_save *s, struct clone *c)
{
	const struct plan_verify *v = &c->job->verify;
	struct verify_state_shape shape;
	struct diag d = { 0 };
	int ret;

	if (!v->state_save)
		return true;
	shape = shape_of(c);
	s->synced = shape.synced;
	s->undo_at = plan_verify_undo_at(c->job);
	ret = verify_state_file_create(&s->file, v->state_path, &shape, v->settings, &d);
	s->on = ret == 0;
	if (s->on)
		return true;
	verify_state_file_close(&s->file);
	if (plan_verify_state_explicit(c->job->job))
		clone_fail_diag(c, -ret, &d);
	else
		clone_note(c, "%s; the job runs without it", diag_text(&d));
	diag_fini(&d);
	return !c->failed;
}

void *verify_save_map(const struct verify_save *s)
{
	return s->on && s->file.layout.map_bytes ? (char *)s->file.mem + s->file.layout.map_at : NULL;
}

static bool fail_save(struct clone *c, int err)
{
	clone_fail(c, -err, "{verify_state_sync}: %s: %s%s", c->job->verify.state_path, diag_errno(err),
		   diag_hint(err));
	return false;
}

void verify_save_fini(struct verify_save *s, struct clone *c)
{
	int err = s->on && s->synced ? verify_state_file_sync(&s->file) : 0;

	if (err)
		fail_save(c, err);
	if (s->on)
		verify_state_file_close(&s->file);
	s->on = false;
}

/* Writes the records of the undo log that were added since the last call. */
static int put_undo(struct verify_save *s, const struct verify_source *source)
{
	const struct verify_undo *u = &source->undo;
	const uint64_t bytes = sizeof(*u->records);

	if (u->next - s->undo_saved > u->nrecords)
		s->undo_saved = u->next - u->nrecords;
	while (s->undo_saved < u->next) {
		uint64_t from = s->undo_saved % u->nrecords, n = u->next - s->undo_saved;
		int err;

		n = n < u->nrecords - from ? n : u->nrecords - from;
		err = verify_state_file_put_map(&s->file, s->undo_at + from * bytes, n * bytes);
		if (err)
			return err;
		s->undo_saved += n;
	}
	return 0;
}

bool verify_save_write(struct verify_save *s, struct clone *c, uint32_t slot, uint32_t file,
		       const struct verify_block_ref *b, const struct verify_source *source)
{
	uint64_t at, bytes;
	int err;

	if (!s->on)
		return true;
	verify_state_issue(&s->file.writer, slot, file, b->number);
	if (b->uncertain && source->memory == VERIFY_REPLAY) /* a map has its own mark */
		verify_state_set_uncertain(&s->file.writer, b->number);
	if (!s->synced || !verify_source_entries(source, file, b, &at, &bytes))
		return true;
	err = put_undo(s, source);
	if (!err)
		err = verify_state_file_put_map(&s->file, at, bytes);
	return err ? fail_save(c, err) : true;
}

static bool makes_durable(const struct io *io)
{
	return io->op == IO_FSYNC || io->op == IO_FDATASYNC;
}

void verify_save_fsync(struct verify_save *s, const struct io *io)
{
	if (s->on && makes_durable(io))
		verify_state_sync_issue(&s->file.writer, io->index, io->target);
}

bool verify_save_submit(struct verify_save *s, struct clone *c)
{
	int err;

	if (!s->on)
		return true;
	verify_state_issued(&s->file.writer);
	err = s->synced ? verify_state_file_sync(&s->file) : 0;
	return err ? fail_save(c, err) : true;
}

void verify_save_done(struct verify_save *s, uint32_t slot, bool whole)
{
	if (s->on)
		verify_state_done(&s->file.writer, slot, whole);
}

void verify_save_fsync_done(struct verify_save *s, const struct io *io)
{
	if (s->on && makes_durable(io))
		verify_state_sync_done(&s->file.writer, io->index, io->res == 0);
}

void verify_save_all_synced(struct verify_save *s)
{
	for (uint32_t i = 0; s->on && i < s->file.writer.files; i++) {
		verify_state_sync_issue(&s->file.writer, 0, i);
		verify_state_sync_done(&s->file.writer, 0, true);
	}
}

void verify_save_next_pass(struct verify_save *s, uint64_t first)
{
	if (s->on)
		verify_state_pass(&s->file.writer, ++s->pass, first);
}
