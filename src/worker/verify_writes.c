/* verify_writes.c: numbers the writes that can be verified, makes their blocks, and finds writes that overlap
   in flight. */
#include <time.h>
#include "clock.h"
#include "clone.h"
#include "io_queue.h"
#include "verify_job.h"
#include "verify.h"
#include "worker.h"

/* Returns the time in ns from 1970 to the zero of clock_ns(). */
static int64_t day_offset(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_REALTIME, &ts);
	return (int64_t)ts.tv_sec * 1000000000 + ts.tv_nsec - (int64_t)clock_ns();
}

static bool overlaps(const struct verify_slot *s, uint32_t file, uint64_t offset, uint64_t bytes)
{
	return s->state == SLOT_WRITING && s->file == file && s->block.offset < offset + bytes &&
	       offset < s->block.offset + s->block.bytes;
}

/* Returns the number of the oldest write in flight; `next` if there is none. */
static uint64_t oldest_in_flight(const struct verify *v, unsigned depth, uint64_t next)
{
	for (unsigned i = 0; i < depth; i++)
		if (v->slot[i].state == SLOT_WRITING && v->slot[i].block.number < next)
			next = v->slot[i].block.number;
	return next;
}

/* Returns whether this write overlaps with one in flight, so that either may end up on the disk. */
static bool overlaps_in_flight(struct worker *w, uint32_t file, uint64_t offset, uint32_t bytes)
{
	struct verify *v = w->verify;
	struct verify_source *s = &v->source;
	unsigned depth = w->clone.job->depth;

	if (depth == 1 || w->clone.job->serialize || !verify_source_maybe_recent(s, file, offset, bytes))
		return false;
	s->oldest = oldest_in_flight(v, depth, s->next_number);
	for (unsigned i = 0; i < depth; i++)
		if (overlaps(&v->slot[i], file, offset, bytes))
			return true;
	return false;
}

void verify_write_failed(struct verify *v, struct verify_slot *s)
{
	s->state = SLOT_IDLE;
	if (!s->block.uncertain)
		verify_source_set_uncertain(&v->source, s->file, &s->block);
	verify_save_done(&v->save, (uint32_t)(s - v->slot), false);
}

/* Makes the block of the next write. For struct content_maker. */
static void make_block(void *arg, void *buf, size_t bytes, uint64_t offset)
{
	struct worker *w = arg;
	struct verify *v = w->verify;
	const struct iobuf *bufs = &w->q.bufs;
	size_t i = (size_t)((unsigned char *)buf - bufs->base) / bufs->stride;
	uint64_t time_ns = w->clock.now_ns + (uint64_t)v->realtime_offset_ns, number = v->source.next_number;
	struct verify_slot *s = &v->slot[i];
	struct verify_write write = { .offset = offset,
				      .bytes = (uint32_t)bytes,
				      .seconds = (uint32_t)(time_ns / 1000000000),
				      .nanoseconds = (uint32_t)(time_ns % 1000000000),
				      .seed = rng_mix64(v->seed + number),
				      .number = number,
				      .thread = v->thread };

	if (s->state == SLOT_WRITING) /* its last write never completed */
		verify_write_failed(v, s);
	verify_block_make(&v->format, &write, buf);
	*s = (struct verify_slot){ .file = w->q.ios[i].target,
				   .block = { offset, (uint32_t)bytes, 0, (uint32_t)bytes, number, false } };
	if (v->backlog)
		verify_backlog_add(v->backlog, s->file, &s->block);
	s->block.uncertain = overlaps_in_flight(w, s->file, offset, (uint32_t)bytes);
	verify_source_add(&v->source, s->file, &s->block, s->block.uncertain);
	s->state = SLOT_WRITING;
}

void verify_next_pass(struct verify *v, uint64_t drawn_bytes)
{
	uint64_t left = drawn_bytes - v->noted_bytes;

	v->first_pass_bytes = left < v->first_pass_bytes ? left : v->first_pass_bytes;
	verify_source_next_pass(&v->source);
	verify_save_next_pass(&v->save, v->source.next_number);
}

bool verify_watches_submits(const struct verify *v)
{
	return v->save.on || v->watches_passes;
}

/* Notes which reads belong to later passes than the first. */
static void note_passes(struct verify *v, struct io *const *ios, unsigned n)
{
	for (unsigned i = 0; i < n; i++) {
		struct verify_slot *s = &v->slot[ios[i]->index];

		v->noted_bytes += ios[i]->total;
		s->later_pass = ios[i]->total > v->first_pass_bytes;
		v->first_pass_bytes -= s->later_pass ? v->first_pass_bytes : ios[i]->total;
	}
}

bool verify_before_submit(struct worker *w, struct io *const *ios, unsigned n)
{
	struct verify *v = w->verify;
	bool ok = true;

	if (v->reading)
		return true;
	if (v->watches_passes)
		note_passes(v, ios, n);
	for (unsigned i = 0; i < n && ok; i++) {
		const struct verify_slot *s = &v->slot[ios[i]->index];

		if (ios[i]->op == IO_TRIM)
			verify_source_trimmed(&v->source, ios[i]->target, ios[i]->offset, ios[i]->total);
		else if (ios[i]->op == IO_WRITE && s->state == SLOT_WRITING)
			ok = verify_save_write(&v->save, &w->clone, ios[i]->index, s->file, &s->block,
					       &v->source);
	}
	for (unsigned i = 0; i < n; i++)
		verify_save_fsync(&v->save, ios[i]);
	return ok && verify_save_submit(&v->save, &w->clone);
}

/* No write of these bytes is in flight, so slots that are still writing are those of failed writes. */
void verify_forget_zone(struct verify *v, uint32_t file, uint64_t offset, uint64_t bytes)
{
	for (unsigned i = 0; i < v->source.clone->job->depth; i++)
		if (overlaps(&v->slot[i], file, offset, bytes))
			verify_write_failed(v, &v->slot[i]);
	verify_source_forget(&v->source, file, offset, bytes);
}

void verify_files_synced(struct verify *v)
{
	verify_save_all_synced(&v->save);
}

void verify_writes_begin(struct worker *w)
{
	struct content_maker maker = { make_block, w };
	struct verify *v = w->verify;
	uint64_t now_ns;

	v->realtime_offset_ns = day_offset();
	now_ns = clock_ns() + (uint64_t)v->realtime_offset_ns;
	v->start_ns = verify_time_ns((uint32_t)(now_ns / 1000000000), (uint32_t)(now_ns % 1000000000));
	content_use_maker(w->source.content, &maker);
}
