/* verify_source_map.c: the blocks that a job has written, from a map of its last writes (VERIFY_MAP). */
#include <stdlib.h>
#include <sys/mman.h>
#include "clone.h"
#include "verify_sizes.h"
#include "verify_source_kinds.h"

/* Uses the memory behind the maps for the undo log. `bytes` is the size of both together. */
static void undo_init(struct verify_source *s, uint64_t bytes)
{
	uint64_t at = plan_verify_undo_at(s->clone->job);

	if (s->own_entries || bytes <= at)
		return;
	verify_undo_init(&s->undo, (char *)s->entries + at, bytes - at);
}

bool verify_source_map_init(struct verify_source *s, void *entries, uint64_t bytes)
{
	const struct plan_job *pj = s->clone->job;
	unsigned char *at;

	s->bytes = plan_verify_bytes(pj);
	s->map = calloc(pj->nfiles, sizeof(*s->map));
	s->own_entries = !entries;
	if (s->own_entries)
		entries = mmap(NULL, s->bytes ? s->bytes : 1, PROT_READ | PROT_WRITE,
			       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	at = s->entries = entries == MAP_FAILED ? NULL : entries;
	if (!s->map || !s->entries)
		return false;
	for (uint32_t i = 0; i < pj->nfiles; i++) {
		const struct plan_file *f = &pj->files[i];

		verify_map_init(&s->map[i], (uint32_t *)(void *)at, f->start, f->len, pj->verify.unit);
		at += verify_map_bytes(f->len, pj->verify.unit);
	}
	undo_init(s, bytes);
	return true;
}

/* Returns the number of the write that left this entry; a negative value if there is none. */
static int64_t map_number(const struct verify_source *s, uint32_t number31)
{
	/* The last entries before a crash may be of writes that were never issued. */
	return verify_map_number(number31, s->next_number + (s->saved ? s->saved->shape.depth : 0));
}

static void map_history(const struct verify_source *s, struct verify_history *h, uint32_t file,
			uint64_t offset)
{
	const struct verify_map *m = &s->map[file];
	const uint32_t *unit = m->entry + (offset - m->start) / m->unit;

	*h = (struct verify_history){ .source = s,
				      .file = file,
				      .index = (uint64_t)(unit - (const uint32_t *)s->entries),
				      .entry = *unit,
				      .last_number = UINT64_MAX };
}

static bool replay_history_next(struct verify_history *h, uint64_t *number)
{
	*number = h->last_number;
	h->ended = h->complete;
	h->complete = h->last_number == h->pending - 1;
	h->last_number = h->pending - 1;
	return !h->ended;
}

bool verify_history_next(struct verify_history *h, uint64_t *number)
{
	const struct verify_source *s = h->source;
	int64_t n;

	if (!s)
		return replay_history_next(h, number);
	n = h->complete || h->ended ? -1 : map_number(s, h->entry & ~VERIFY_MAP_UNCERTAIN);

	if (n < 0 || (uint64_t)n >= h->last_number)
		return false;
	*number = h->last_number = (uint64_t)n;
	/* An uncertain entry may be of an older write than it says. */
	h->complete = !(h->entry & VERIFY_MAP_UNCERTAIN) && !verify_source_may_lack(s, h->file, *number);
	if (!h->complete)
		h->ended =
			!verify_undo_entry(&s->undo, h->index, h->entry & ~VERIFY_MAP_UNCERTAIN, &h->entry);
	return true;
}

/* Returns 1 + the newest durable write of this unit; the unit must hold this write or a newer one. 0: it is
   not known. */
static uint64_t durable_write(const struct verify_source *s, uint32_t file, uint64_t offset)
{
	struct verify_history h;
	uint64_t number;

	map_history(s, &h, file, offset);
	while (verify_history_next(&h, &number))
		;
	return h.complete ? h.last_number + 1 : 0;
}

/* Returns 1 + the oldest of the durable writes of a run's units; 0 if one of them is not known. */
static uint64_t oldest_durable(const struct verify_source *s, const struct verify_run *run)
{
	uint64_t oldest = UINT64_MAX;

	for (uint64_t at = run->offset; at < run->offset + run->bytes; at += s->map[s->walk_file].unit) {
		uint64_t number = durable_write(s, s->walk_file, at);

		oldest = number < oldest ? number : oldest;
	}
	return oldest;
}

/* Finds the next run of the current file that the backlog has not read. Returns false at the file's end. */
static bool map_run(struct verify_source *s, uint32_t max, struct verify_run *run)
{
	while (verify_map_next(&s->map[s->walk_file], &s->walk_offset, max, run)) {
		int64_t number = map_number(s, run->number31);

		if (number < 0 || (uint64_t)number >= s->backlog_number)
			return true;
	}
	return false;
}

bool verify_source_map_next(struct verify_source *s, uint32_t *file, struct verify_block_ref *b)
{
	const struct plan_job *pj = s->clone->job;
	uint32_t max = verify_sizes_max(&pj->job->opts.offset);
	struct verify_run run;
	int64_t number;

	for (; s->walk_file < pj->nfiles; s->walk_file++, s->walk_offset = 0) {
		if (!s->walk_offset)
			s->walk_offset = s->map[s->walk_file].start;
		if (!map_run(s, max, &run))
			continue;
		*file = s->walk_file;
		number = map_number(s, run.number31);
		*b = (struct verify_block_ref){ .offset = run.offset,
						.whole = run.bytes,
						.bytes = run.bytes,
						.number = number < 0 ? 0 : (uint64_t)number,
						.uncertain = run.uncertain || number < 0 ||
							     verify_source_may_lack(s, s->walk_file,
										    (uint64_t)number),
						.maybe_unwritten = pj->verify.maybe_unwritten,
						.piece = pj->verify.pieces };
		if (b->uncertain && s->undo.nrecords && s->saved)
			b->oldest_write = oldest_durable(s, &run);
		b->number_unknown = s->next_number > VERIFY_MAP_NUMBERS ||
				    (!pj->verify.writes && !pj->verify.numbers_known);
		return true;
	}
	return false;
}

bool verify_source_fill_map(struct verify_source *s)
{
	struct verify_replay r;
	struct replayed_write write;
	bool ok = verify_replay_init(&r, s->clone);

	while (ok && verify_replay_next_of_job(&r, &write))
		verify_map_mark(&s->map[write.file], write.offset, write.bytes, s->next_number++, false);
	verify_replay_fini(&r);
	return ok;
}

bool verify_source_entries(const struct verify_source *s, uint32_t file, const struct verify_block_ref *b,
			   uint64_t *at, uint64_t *bytes)
{
	const struct verify_map *m;
	uint64_t first, last;

	if (s->memory != VERIFY_MAP)
		return false;
	m = &s->map[file];
	first = (b->offset - m->start) / m->unit;
	last = (b->offset + b->whole - 1 - m->start) / m->unit;
	*at = (uint64_t)((const char *)(m->entry + first) - (const char *)s->entries);
	*bytes = (last - first + 1) * sizeof(*m->entry);
	return true;
}

void verify_source_history(const struct verify_source *s, struct verify_history *h, uint32_t file,
			   const struct verify_block_ref *b, uint64_t offset)
{
	if (s->memory == VERIFY_MAP)
		map_history(s, h, file, offset);
	else
		/* The history of a block that this pass and the one before have written. */
		*h = (struct verify_history){ .last_number = b->number, .pending = b->oldest_write };
}

void verify_source_log_replaced(struct verify_source *s, uint32_t file, const struct verify_block_ref *b)
{
	const uint32_t *entry = s->entries, number31 = verify_map_number31(s->next_number);
	uint64_t at, bytes;

	if (!verify_source_entries(s, file, b, &at, &bytes))
		return;
	for (uint64_t i = at / sizeof(*entry); i < (at + bytes) / sizeof(*entry); i++)
		verify_undo_add(&s->undo, i, number31, entry[i]);
}
