/* verify_source_replay.c: the blocks that a job has written, drawn again from its seeds (VERIFY_REPLAY). */
#include <stdlib.h>
#include "clone.h"
#include "verify_source_kinds.h"

void verify_source_add_uncertain(struct verify_source *s, uint64_t number)
{
	struct uncertain_writes *last = s->nuncertain > s->sorted ? &s->uncertain[s->nuncertain - 1] : NULL;

	if (last && last->first + last->count == number) {
		last->count++;
		return;
	}
	if (s->nuncertain == s->uncertain_cap) {
		size_t cap = s->uncertain_cap ? 2 * s->uncertain_cap : 64;
		void *more = realloc(s->uncertain, cap * sizeof(*s->uncertain));

		if (!more) {
			s->all_uncertain = true;
			return;
		}
		s->uncertain = more;
		s->uncertain_cap = cap;
	}
	s->uncertain[s->nuncertain++] = (struct uncertain_writes){ number, 1 };
}

void verify_source_forget_uncertain(struct verify_source *s, uint64_t before)
{
	size_t n = 0;

	for (size_t i = 0; i < s->nuncertain; i++)
		if (s->uncertain[i].first + s->uncertain[i].count > before)
			s->uncertain[n++] = s->uncertain[i];
	s->nuncertain = n;
	s->sorted = 0;
}

static int compare_uncertain(const void *a, const void *b)
{
	const struct uncertain_writes *x = a, *y = b;

	return (x->first > y->first) - (x->first < y->first);
}

void verify_source_sort_uncertain(struct verify_source *s)
{
	if (s->nuncertain)
		qsort(s->uncertain, s->nuncertain, sizeof(*s->uncertain), compare_uncertain);
	s->sorted = s->nuncertain;
}

static bool is_uncertain(const struct verify_source *s, uint64_t number)
{
	size_t lo = 0, hi = s->sorted;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (number < s->uncertain[mid].first)
			hi = mid;
		else if (number - s->uncertain[mid].first >= s->uncertain[mid].count)
			lo = mid + 1;
		else
			return true;
	}
	return false;
}

bool verify_source_start_replay(struct verify_source *s, uint64_t pass)
{
	if (s->replaying)
		verify_replay_fini(&s->replay);
	s->replaying = true;
	if (!verify_replay_init(&s->replay, s->clone))
		return false;
	for (uint64_t i = 0; s->clone->job->verify.new_order && i < pass; i++)
		verify_replay_next_pass(&s->replay, true);
	return true;
}

/* Keeps the generators that drew the last pass of an earlier run: they say which blocks it wrote. */
static void keep_last(struct verify_source *s)
{
	if (s->has_last_pass)
		verify_replay_fini(&s->last_pass);
	s->last_pass = s->replay;
	s->has_last_pass = true;
	s->replaying = false;
	s->job_source = &s->last_pass.source;
}

/* Draws the next write of the last pass. After these it draws the writes of the pass before whose blocks the
   last pass has not written again. Returns false at the end. */
static bool draw_again(struct verify_source *s, struct replayed_write *write, uint64_t *number)
{
	bool fresh = s->clone->job->verify.new_order;
	uint64_t here = s->next_number - s->pass_first;

	if (s->walk_writes == here && !s->in_previous_pass) {
		s->in_previous_pass = true;
		if (s->prev_first == UINT64_MAX)
			return false;
		if (fresh) {
			if (s->saved)
				keep_last(s);
			if (!verify_source_start_replay(s, s->passes - 1))
				return false;
			s->walk_writes = 0;
		}
	}
	if (s->in_previous_pass && s->prev_first == UINT64_MAX)
		return false;
	do {
		if (!verify_replay_next(&s->replay, write))
			return false;
		*number = (s->in_previous_pass ? s->prev_first : s->pass_first) + s->walk_writes++;
	} while (s->in_previous_pass && fresh &&
		 offset_has_drawn(io_source_gen(s->job_source, write->file, 0), write->offset));
	return true;
}

/* Returns 1 + the number of the write of the same block in the pass before, if the block must hold that one
   or a newer one; else 0. */
static uint64_t durable_before(const struct verify_source *s, uint32_t file, uint64_t number)
{
	uint64_t before = s->prev_first + (number - s->pass_first);

	if (s->in_previous_pass || s->clone->job->verify.new_order || s->prev_first == UINT64_MAX)
		return 0;
	return verify_source_may_lack(s, file, before) ? 0 : before + 1;
}

bool verify_source_replay_next(struct verify_source *s, uint32_t *file, struct verify_block_ref *b)
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
					.maybe_unwritten = s->clone->job->verify.maybe_unwritten,
					.uncertain = s->all_uncertain || is_uncertain(s, number) ||
						     verify_source_may_lack(s, write.file, number) };
	if (b->uncertain && s->saved)
		b->oldest_write = durable_before(s, write.file, number);
	return true;
}
