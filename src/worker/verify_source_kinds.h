/* verify_source_kinds.h: the kinds of sources of verify_source.h. Private to the files of verify_source. */
#ifndef VERIFY_SOURCE_KINDS_H
#define VERIFY_SOURCE_KINDS_H

#include "clone.h"
#include "verify_source.h"

/* Returns whether a block may lack this write, by the state of an earlier run; false without such a state. */
static inline bool verify_source_may_lack(const struct verify_source *s, uint32_t file, uint64_t number)
{
	return s->saved &&
	       verify_state_of(s->saved, s->clone->opts->verify.policy, file, number) != VERIFY_STATE_MUST;
}

/* ---- verify_source_map.c ---- */

/* The arguments are those of verify_source_init. Returns false if memory is short. */
bool verify_source_map_init(struct verify_source *s, void *entries, uint64_t bytes);
/* Returns the next block, as verify_source_next does. */
bool verify_source_map_next(struct verify_source *s, uint32_t *file, struct verify_block_ref *b);
/* verify_only: fills the map by drawing the earlier run's writes again. Returns false if memory is short. */
bool verify_source_fill_map(struct verify_source *s);
/* Adds to the undo log the entries that the next write is about to replace. */
void verify_source_log_replaced(struct verify_source *s, uint32_t file, const struct verify_block_ref *b);

/* ---- verify_source_replay.c ---- */

/* Starts to draw this pass again. Returns false if memory is short. */
bool verify_source_start_replay(struct verify_source *s, uint64_t pass);
/* Returns the next block, as verify_source_next does. */
bool verify_source_replay_next(struct verify_source *s, uint32_t *file, struct verify_block_ref *b);
/* Adds a write whose block is uncertain. If memory is short, all blocks become uncertain. */
void verify_source_add_uncertain(struct verify_source *s, uint64_t number);
/* Sorts these writes, so that the walk finds them. */
void verify_source_sort_uncertain(struct verify_source *s);
/* Forgets those before this number. */
void verify_source_forget_uncertain(struct verify_source *s, uint64_t before);

#endif
