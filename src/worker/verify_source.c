/* verify_source.c: the blocks that a job has written. */
#include <stdlib.h>
#include <sys/mman.h>
#include "clone.h"
#include "verify_sizes.h"
#include "verify_source_kinds.h"

/* ---- VERIFY_SCAN ---- */

static bool scan_next(struct verify_source *s, uint32_t *file, struct verify_block_ref *b)
{
	const struct plan_job *pj = s->clone->job;
	uint32_t bs = verify_sizes_max(&pj->job->opts.offset);

	for (; s->walk_file < pj->nfiles; s->walk_file++, s->walk_offset = 0) {
		if (pj->files[s->walk_file].len < bs || s->walk_offset > pj->files[s->walk_file].len - bs)
			continue;
		*file = s->walk_file;
		*b = (struct verify_block_ref){ .offset = pj->files[s->walk_file].start + s->walk_offset,
						.whole = bs,
						.bytes = bs,
						.number_unknown = true,
						.maybe_unwritten = true };
		s->walk_offset += bs;
		return true;
	}
	return false;
}

/* ---- all ---- */

bool verify_source_init(struct verify_source *s, const struct clone *c, const struct io_source *job_source,
			void *entries, uint64_t bytes)
{
	s->clone = c;
	s->job_source = job_source;
	s->memory = c->job->verify.memory;
	s->prev_first = UINT64_MAX;
	s->backlog = c->job->verify.backlog && plan_verifies_between(c->job);
	return s->memory != VERIFY_MAP || verify_source_map_init(s, entries, bytes);
}

void verify_source_fini(struct verify_source *s)
{
	if (s->replaying)
		verify_replay_fini(&s->replay);
	if (s->has_last_pass)
		verify_replay_fini(&s->last_pass);
	free(s->uncertain);
	free(s->map);
	if (s->entries && s->own_entries)
		munmap(s->entries, s->bytes ? s->bytes : 1);
}

void verify_source_add(struct verify_source *s, uint32_t file, const struct verify_block_ref *b,
		       bool uncertain)
{
	if (s->undo.nrecords)
		verify_source_log_replaced(s, file, b);
	if (s->memory == VERIFY_MAP)
		verify_map_mark(&s->map[file], b->offset, b->bytes, s->next_number, uncertain);
	else if (s->memory == VERIFY_REPLAY && uncertain)
		verify_source_add_uncertain(s, s->next_number);
	s->next_number++;
}

void verify_source_set_uncertain(struct verify_source *s, uint32_t file, const struct verify_block_ref *b)
{
	if (s->memory == VERIFY_MAP)
		verify_map_set_uncertain(&s->map[file], b->offset, b->bytes);
	else if (s->memory == VERIFY_REPLAY && !b->uncertain) /* an uncertain one is in the list already */
		verify_source_add_uncertain(s, b->number);
}

void verify_source_trimmed(struct verify_source *s, uint32_t file, uint64_t offset, uint64_t bytes)
{
	if (s->memory == VERIFY_MAP)
		verify_map_set_uncertain(&s->map[file], offset, bytes);
}

void verify_source_forget(struct verify_source *s, uint32_t file, uint64_t offset, uint64_t bytes)
{
	if (s->memory == VERIFY_MAP)
		verify_map_forget(&s->map[file], offset, bytes);
}

void verify_source_next_pass(struct verify_source *s)
{
	s->prev_first = s->pass_first;
	s->pass_first = s->next_number;
	s->passes++;
	verify_source_forget_uncertain(s, s->prev_first);
}

void verify_source_next_loop(struct verify_source *s)
{
	if (s->replaying)
		verify_replay_fini(&s->replay);
	s->replaying = false;
	s->in_previous_pass = false;
	s->walk_writes = 0;
	s->prev_first = UINT64_MAX;
	s->backlog_number = s->next_number;
	s->backlog = s->clone->job->verify.backlog && plan_verifies_between(s->clone->job);
}

void verify_source_forget_backlog(struct verify_source *s)
{
	s->backlog = false;
	s->backlog_number = 0;
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

bool verify_source_rewind(struct verify_source *s)
{
	bool own = s->clone->job->verify.writes;

	s->walk_file = 0;
	s->walk_offset = 0;
	if (s->memory == VERIFY_MAP)
		return own || s->saved || s->next_number || verify_source_fill_map(s);
	if (s->memory == VERIFY_SCAN)
		return true;
	if (!own && !s->saved) /* an earlier run has written a whole pass */
		s->next_number = UINT64_MAX;
	verify_source_sort_uncertain(s);
	if (!s->backlog || !s->replaying) {
		s->walk_writes = 0;
		s->in_previous_pass = false;
		if (!verify_source_start_replay(s, s->passes))
			return false;
	}
	if (s->backlog && s->pass_first == s->next_number && s->prev_first != UINT64_MAX)
		s->in_previous_pass = true; /* a loop has ended, and only the rest of it is left */
	return true;
}

bool verify_source_next(struct verify_source *s, uint32_t *file, struct verify_block_ref *b)
{
	if (s->memory == VERIFY_MAP)
		return verify_source_map_next(s, file, b);
	return s->memory == VERIFY_SCAN ? scan_next(s, file, b) : verify_source_replay_next(s, file, b);
}
