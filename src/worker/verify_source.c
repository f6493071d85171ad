/* verify_source.c: the blocks that a job has written. */
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include "clone.h"
#include "verify_sizes.h"
#include "verify_source.h"

/* ---- VERIFY_MAP ---- */

/* Uses the memory behind the maps for the undo log. `bytes` is the size of both together. */
static void undo_init(struct verify_source *s, uint64_t bytes)
{
	uint64_t at = plan_verify_undo_at(s->clone->job);

	if (s->own_entries || bytes <= at)
		return;
	verify_undo_init(&s->undo, (char *)s->entries + at, bytes - at);
}

static bool map_init(struct verify_source *s, void *entries, uint64_t bytes)
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

/* Returns whether the state of an earlier run leaves it open that a block holds this write; false without
   such a state. */
static bool is_unsettled(const struct verify_source *s, uint32_t file, uint64_t number)
{
	return s->saved &&
	       verify_state_of(s->saved, s->clone->opts->verify.policy, file, number) != VERIFY_STATE_MUST;
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
				      .before = UINT64_MAX };
}

/* Begins the history of a block that this pass and the one before have written. */
static void replay_history(struct verify_history *h, const struct verify_block_ref *b)
{
	*h = (struct verify_history){ .before = b->number, .pending = b->since };
}

static bool replay_history_next(struct verify_history *h, uint64_t *number)
{
	*number = h->before;
	h->ended = h->complete;
	h->complete = h->before == h->pending - 1;
	h->before = h->pending - 1;
	return !h->ended;
}

bool verify_history_next(struct verify_history *h, uint64_t *number)
{
	const struct verify_source *s = h->source;
	int64_t n;

	if (!s)
		return replay_history_next(h, number);
	n = h->complete || h->ended ? -1 : map_number(s, h->entry & ~VERIFY_MAP_OPEN);

	if (n < 0 || (uint64_t)n >= h->before)
		return false;
	*number = h->before = (uint64_t)n;
	/* An open entry may be of an older write than it says. */
	h->complete = !(h->entry & VERIFY_MAP_OPEN) && !is_unsettled(s, h->file, *number);
	if (!h->complete)
		h->ended = !verify_undo_entry(&s->undo, h->index, h->entry & ~VERIFY_MAP_OPEN, &h->entry);
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
	return h.complete ? h.before + 1 : 0;
}

/* Returns 1 + the oldest of the durable writes of a run's units; 0 if one of them is not known. */
static uint64_t oldest_durable(const struct verify_source *s, const struct verify_run *run)
{
	uint64_t oldest = UINT64_MAX;

	for (uint64_t at = run->offset; at < run->offset + run->bytes; at += s->map[s->file].unit) {
		uint64_t number = durable_write(s, s->file, at);

		oldest = number < oldest ? number : oldest;
	}
	return oldest;
}

/* Finds the next run of the current file that the backlog has not read. Returns false at the file's end. */
static bool map_run(struct verify_source *s, uint32_t max, struct verify_run *run)
{
	while (verify_map_next(&s->map[s->file], &s->at, max, run)) {
		int64_t number = map_number(s, run->number31);

		if (number < 0 || (uint64_t)number >= s->read_back)
			return true;
	}
	return false;
}

static bool map_next(struct verify_source *s, uint32_t *file, struct verify_block_ref *b)
{
	const struct plan_job *pj = s->clone->job;
	uint32_t max = verify_sizes_max(&pj->job->opts.offset);
	struct verify_run run;
	int64_t number;

	for (; s->file < pj->nfiles; s->file++, s->at = 0) {
		if (!s->at)
			s->at = s->map[s->file].start;
		if (!map_run(s, max, &run))
			continue;
		*file = s->file;
		number = map_number(s, run.number31);
		*b = (struct verify_block_ref){ .offset = run.offset,
						.whole = run.bytes,
						.bytes = run.bytes,
						.number = number < 0 ? 0 : (uint64_t)number,
						.open = run.open || number < 0 ||
							is_unsettled(s, s->file, (uint64_t)number),
						.may_lack = pj->verify.may_lack,
						.piece = pj->verify.pieces };
		if (b->open && s->undo.records && s->saved)
			b->since = oldest_durable(s, &run);
		b->any_number =
			s->next_number > VERIFY_MAP_NUMBERS || (!pj->verify.writes && !pj->verify.numbered);
		return true;
	}
	return false;
}

/* verify_only: fills the map by drawing the earlier run's writes again. Returns false if memory is short. */
static bool fill_map(struct verify_source *s)
{
	struct verify_replay r;
	struct replayed_write write;
	bool ok = verify_replay_init(&r, s->clone);

	while (ok && verify_replay_next_of_job(&r, &write))
		verify_map_mark(&s->map[write.file], write.offset, write.bytes, s->next_number++, false);
	verify_replay_fini(&r);
	return ok;
}

/* ---- VERIFY_SCAN ---- */

static bool scan_next(struct verify_source *s, uint32_t *file, struct verify_block_ref *b)
{
	const struct plan_job *pj = s->clone->job;
	uint32_t bs = verify_sizes_max(&pj->job->opts.offset);

	for (; s->file < pj->nfiles; s->file++, s->at = 0) {
		if (pj->files[s->file].len < bs || s->at > pj->files[s->file].len - bs)
			continue;
		*file = s->file;
		*b = (struct verify_block_ref){ .offset = pj->files[s->file].start + s->at,
						.whole = bs,
						.bytes = bs,
						.any_number = true,
						.may_lack = true };
		s->at += bs;
		return true;
	}
	return false;
}

/* ---- VERIFY_REPLAY ---- */

/* Adds a write that failed or overlapped. If memory is short, all blocks become open. */
static void add_lost(struct verify_source *s, uint64_t number)
{
	struct lost_writes *last = s->nlost > s->sorted ? &s->lost[s->nlost - 1] : NULL;

	if (last && last->first + last->count == number) {
		last->count++;
		return;
	}
	if (s->nlost == s->room) {
		size_t room = s->room ? 2 * s->room : 64;
		void *more = realloc(s->lost, room * sizeof(*s->lost));

		if (!more) {
			s->all_open = true;
			return;
		}
		s->lost = more;
		s->room = room;
	}
	s->lost[s->nlost++] = (struct lost_writes){ number, 1 };
}

/* Forgets writes before this number. */
static void forget_lost(struct verify_source *s, uint64_t before)
{
	size_t n = 0;

	for (size_t i = 0; i < s->nlost; i++)
		if (s->lost[i].first + s->lost[i].count > before)
			s->lost[n++] = s->lost[i];
	s->nlost = n;
	s->sorted = 0;
}

static int compare_lost(const void *a, const void *b)
{
	const struct lost_writes *x = a, *y = b;

	return (x->first > y->first) - (x->first < y->first);
}

static bool is_lost(const struct verify_source *s, uint64_t number)
{
	size_t lo = 0, hi = s->sorted;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (number < s->lost[mid].first)
			hi = mid;
		else if (number - s->lost[mid].first >= s->lost[mid].count)
			lo = mid + 1;
		else
			return true;
	}
	return false;
}

/* Starts to draw this pass again. Returns false if memory is short. */
static bool start_replay(struct verify_source *s, uint64_t pass)
{
	if (s->replaying)
		verify_replay_fini(&s->replay);
	s->replaying = true;
	if (!verify_replay_init(&s->replay, s->clone))
		return false;
	for (uint64_t i = 0; s->clone->job->verify.fresh && i < pass; i++)
		verify_replay_next_pass(&s->replay, true);
	return true;
}

/* Keeps the generators that drew the last pass of an earlier run: they say which blocks it wrote. */
static void keep_last(struct verify_source *s)
{
	if (s->has_last)
		verify_replay_fini(&s->last);
	s->last = s->replay;
	s->has_last = true;
	s->replaying = false;
	s->live = &s->last.source;
}

/* Draws the next write of the last pass. After these it draws the writes of the pass before whose blocks the
   last pass has not written again. Returns false at the end. */
static bool draw_again(struct verify_source *s, struct replayed_write *write, uint64_t *number)
{
	bool fresh = s->clone->job->verify.fresh;
	uint64_t here = s->next_number - s->pass_first;

	if (s->walk_writes == here && !s->before) {
		s->before = true;
		if (s->prev_first == UINT64_MAX)
			return false;
		if (fresh) {
			if (s->saved)
				keep_last(s);
			if (!start_replay(s, s->passes - 1))
				return false;
			s->walk_writes = 0;
		}
	}
	if (s->before && s->prev_first == UINT64_MAX)
		return false;
	do {
		if (!verify_replay_next(&s->replay, write))
			return false;
		*number = (s->before ? s->prev_first : s->pass_first) + s->walk_writes++;
	} while (s->before && fresh &&
		 offset_has_drawn(io_source_gen(s->live, write->file, 0), write->offset));
	return true;
}

/* Returns 1 + the number of the write of the same block in the pass before, if the block must hold that one
   or a newer one; else 0. */
static uint64_t durable_before(const struct verify_source *s, uint32_t file, uint64_t number)
{
	uint64_t before = s->prev_first + (number - s->pass_first);

	if (s->before || s->clone->job->verify.fresh || s->prev_first == UINT64_MAX)
		return 0;
	return is_unsettled(s, file, before) ? 0 : before + 1;
}

static bool replay_next(struct verify_source *s, uint32_t *file, struct verify_block_ref *b)
{
	struct replayed_write write;
	uint64_t number;

	if (!draw_again(s, &write, &number))
		return false;
	*file = write.file;
	*b = (struct verify_block_ref){ .offset = write.offset,
					.whole = write.bytes,
					.bytes = write.bytes,
					.number = number,
					.may_lack = s->clone->job->verify.may_lack,
					.open = s->all_open || is_lost(s, number) ||
						is_unsettled(s, write.file, number) };
	if (b->open && s->saved)
		b->since = durable_before(s, write.file, number);
	return true;
}

/* ---- all ---- */

bool verify_source_init(struct verify_source *s, const struct clone *c, const struct io_source *live,
			void *entries, uint64_t bytes)
{
	s->clone = c;
	s->live = live;
	s->memory = c->job->verify.memory;
	s->prev_first = UINT64_MAX;
	s->backlog = c->job->verify.backlog && plan_verifies_between(c->job);
	return s->memory != VERIFY_MAP || map_init(s, entries, bytes);
}

void verify_source_fini(struct verify_source *s)
{
	if (s->replaying)
		verify_replay_fini(&s->replay);
	if (s->has_last)
		verify_replay_fini(&s->last);
	free(s->lost);
	free(s->map);
	if (s->entries && s->own_entries)
		munmap(s->entries, s->bytes ? s->bytes : 1);
}

/* Adds to the undo log the entries that this write is about to replace. */
static void log_replaced_entries(struct verify_source *s, uint32_t file, const struct verify_block_ref *b)
{
	const uint32_t *entry = s->entries, number31 = verify_map_number31(s->next_number);
	uint64_t at, bytes;

	if (!verify_source_entries(s, file, b, &at, &bytes))
		return;
	for (uint64_t i = at / sizeof(*entry); i < (at + bytes) / sizeof(*entry); i++)
		verify_undo_add(&s->undo, i, number31, entry[i]);
}

void verify_source_add(struct verify_source *s, uint32_t file, const struct verify_block_ref *b, bool open)
{
	if (s->undo.records)
		log_replaced_entries(s, file, b);
	if (s->memory == VERIFY_MAP)
		verify_map_mark(&s->map[file], b->offset, b->bytes, s->next_number, open);
	else if (s->memory == VERIFY_REPLAY && open)
		add_lost(s, s->next_number);
	s->next_number++;
}

void verify_source_lost(struct verify_source *s, uint32_t file, const struct verify_block_ref *b)
{
	if (s->memory == VERIFY_MAP)
		verify_map_open(&s->map[file], b->offset, b->bytes);
	else if (s->memory == VERIFY_REPLAY && !b->open) /* an open one is in the list already */
		add_lost(s, b->number);
}

void verify_source_trimmed(struct verify_source *s, uint32_t file, uint64_t offset, uint64_t bytes)
{
	if (s->memory == VERIFY_MAP)
		verify_map_open(&s->map[file], offset, bytes);
}

void verify_source_next_pass(struct verify_source *s)
{
	s->prev_first = s->pass_first;
	s->pass_first = s->next_number;
	s->passes++;
	forget_lost(s, s->prev_first);
}

void verify_source_next_loop(struct verify_source *s)
{
	if (s->replaying)
		verify_replay_fini(&s->replay);
	s->replaying = false;
	s->before = false;
	s->walk_writes = 0;
	s->prev_first = UINT64_MAX;
	s->read_back = s->next_number;
	s->backlog = s->clone->job->verify.backlog && plan_verifies_between(s->clone->job);
}

void verify_source_forget_backlog(struct verify_source *s)
{
	s->backlog = false;
	s->read_back = 0;
}

bool verify_source_maybe_recent(const struct verify_source *s, uint32_t file, uint64_t offset, uint32_t bytes)
{
	if (s->memory ==
	    VERIFY_REPLAY) /* a pass writes each block once, so the other write is of an earlier pass */
		return s->oldest < s->pass_first;
	return s->memory == VERIFY_MAP &&
	       verify_map_overlaps(&s->map[file], offset, bytes, s->next_number, s->oldest);
}

void verify_source_load(struct verify_source *s, const struct verify_state *saved)
{
	s->saved = saved;
	s->pass_first = verify_state_first(saved, 0);
	if (saved->pass > 0)
		s->prev_first = verify_state_first(saved, 1);
	s->passes = saved->pass;
	s->next_number = saved->issued > s->pass_first ? saved->issued : s->pass_first;
	verify_undo_sort(&s->undo);
}

bool verify_source_entries(const struct verify_source *s, uint32_t file, const struct verify_block_ref *b,
			   uint64_t *at, uint64_t *bytes)
{
	const struct verify_map *m = &s->map[file];
	uint64_t first, last;

	if (s->memory != VERIFY_MAP)
		return false;
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
		replay_history(h, b);
}

bool verify_source_rewind(struct verify_source *s)
{
	bool own = s->clone->job->verify.writes;

	s->file = 0;
	s->at = 0;
	if (s->memory == VERIFY_MAP)
		return own || s->saved || s->next_number || fill_map(s);
	if (s->memory == VERIFY_SCAN)
		return true;
	if (!own && !s->saved) /* an earlier run has written a whole pass */
		s->next_number = UINT64_MAX;
	if (s->nlost)
		qsort(s->lost, s->nlost, sizeof(*s->lost), compare_lost);
	s->sorted = s->nlost;
	if (!s->backlog || !s->replaying) {
		s->walk_writes = 0;
		s->before = false;
		if (!start_replay(s, s->passes))
			return false;
	}
	if (s->backlog && s->pass_first == s->next_number && s->prev_first != UINT64_MAX)
		s->before = true; /* a loop has ended, and only the rest of it is left */
	return true;
}

bool verify_source_next(struct verify_source *s, uint32_t *file, struct verify_block_ref *b)
{
	if (s->memory == VERIFY_MAP)
		return map_next(s, file, b);
	return s->memory == VERIFY_SCAN ? scan_next(s, file, b) : replay_next(s, file, b);
}
