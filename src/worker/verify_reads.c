/* verify_reads.c: which block the loop reads back next, or trims. */
#include <errno.h>
#include <string.h>
#include "clock.h"
#include "clone.h"
#include "io_queue.h"
#include "verify_job.h"
#include "verify.h"
#include "verify_source.h"
#include "worker.h"

bool verify_reading(const struct verify *v)
{
	return v->reading;
}

void verify_reads_set_expected(struct verify *v, uint64_t unread)
{
	struct region_verify *to = v->damages.to;

	to->expected =
		unread == VERIFY_UNREAD_UNKNOWN ? 0 : to->checked + to->in_part + to->not_checked + unread;
}

void verify_reads_slot_failed(struct verify *v, struct verify_slot *s)
{
	v->damages.to->not_checked += s->state == SLOT_READING;
	if (s->state == SLOT_TRIMMING)
		verify_write_failed(v, s);
	s->state = SLOT_IDLE;
}

void verify_reads_count_time(struct worker *w, uint64_t now)
{
	uint64_t *since = &w->verify->reads_counted_ns;

	if (*since < w->clock.start_ns)
		*since = w->clock.start_ns;
	if (w->verify->reading && now > *since) {
		w->stats.cnt->verify_ns += now - *since;
		if (w->verify->trim.trimming)
			w->stats.cnt->verify_trim_ns += now - *since;
		*since = now;
	}
}

bool verify_reads_reread_files(struct file_set *s, struct clone *c)
{
	for (uint32_t i = 0; i < c->job->nfiles; i++)
		if (s->file[i].fd >= 0 && verify_files_reread(s, c, i))
			return false;
	return true;
}

bool verify_reads_prepare(struct worker *w)
{
	struct verify *v = w->verify;

	for (unsigned i = 0; i < w->clone.job->depth; i++)
		if (v->slot[i].state == SLOT_WRITING || v->slot[i].state == SLOT_TRIMMING)
			verify_write_failed(v, &v->slot[i]);
	memset(v->size, 0, w->clone.job->nfiles * sizeof(*v->size));
	if (verify_source_rewind(&v->source))
		return true;
	clone_fail(&w->clone, ENOMEM, "out of memory for {verify}");
	return false;
}

bool verify_reads_prepare_all(struct worker *w)
{
	if (w->clone.job->verify.trims)
		verify_source_forget_backlog(&w->verify->source);
	return verify_reads_prepare(w);
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
		if (verify_trim_includes(&v->trim, &v->next_block, &v->damages.to->not_checked))
			return true;
		else if (v->trim.trimming && v->batch != UINT64_MAX)
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
	if (b->maybe_unwritten)
		v->damages.to->not_checked++;
	else if (b->uncertain && !b->oldest_write)
		v->damages.to->in_part++;
	else
		verify_damages_add(&v->damages, w, v->next_file,
				   &(struct verify_damage){ .kind = DAMAGE_BEYOND_END,
							    .offset = size > at ? size : at,
							    .bytes = end - (size > at ? size : at) });
}

/* Takes the next block of the walk and opens its file. */
static enum verify_open_result take_block(struct worker *w)
{
	struct verify *v = w->verify;
	enum verify_open_result open = VERIFY_OPEN;

	while (!w->clone.failed && !clone_stopped(&w->clone)) {
		if (!v->has_next)
			v->has_next = next_block(v);
		if (v->has_next && w->files.dynamic)
			open = verify_files_open(&w->files, &w->clone, v->next_file, !v->size[v->next_file]);
		if (!v->has_next || open != VERIFY_OPEN || in_file(w))
			return open;
		if (!v->trim.trimming)
			count_beyond_end(w);
		else if (v->next_block.uncertain)
			v->has_next = false;
		else
			return open;
	}
	return VERIFY_OPEN_FAILED;
}

/* Begins the reads after all trims have completed. Returns false after clone_fail, or if the job reads
   nothing back. */
static bool end_trims(struct worker *w)
{
	slot_write_begin(w->clone.slot);
	verify_reads_count_time(w, clock_ns());
	slot_write_end(w->clone.slot);
	if (w->clone.job->verify.only_trims)
		return false;
	if (!verify_reads_prepare_all(w) || !verify_reads_reread_files(&w->files, &w->clone))
		return false;
	verify_reads_set_expected(w->verify, verify_unread(&w->verify->source));
	w->verify->trim.trimming = false;
	return true;
}

static void fill_check(struct worker *w, struct verify_slot *s, struct io *io)
{
	struct verify *v = w->verify;

	*s = (struct verify_slot){ v->trim.trimming ? SLOT_TRIMMING : SLOT_READING, v->next_file,
				   v->next_block };
	v->has_next = false;
	io->op = io->dir = v->trim.trimming ? DIR_TRIM : DIR_READ;
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
	enum verify_open_result open;

	verify_reads_slot_failed(v, s);
	open = take_block(w);
	if (!v->has_next && v->trim.trimming && v->batch == UINT64_MAX) {
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
	fill_check(w, s, io);
	return NEXT_IO;
}
