#include "verify_source.h"

#include "clone.h"

/* Drawing that many writes takes about a tenth of a second. */
#define DRAWN_MAX ((uint64_t)1 << 22)

/* Counts the blocks of a walk over the map or the files. The walk changes only its position in s. */
static uint64_t count_walk(const struct verify_source *s)
{
	struct verify_source walk = *s;
	struct verify_block_ref block;
	uint64_t n = 0;
	uint32_t file;

	walk.undo.nrecords = 0; /* to count, it needs only the last write of each block */
	while (verify_source_next(&walk, &file, &block))
		n++;
	return n;
}

/* Draws the writes of an earlier run, unless they are too many or memory is short. */
static uint64_t count_drawn(const struct verify_source *s)
{
	struct verify_replay r;
	struct replayed_write write;
	bool ok = verify_replay_init(&r, s->clone);
	uint64_t n = 0;

	while (ok && n < DRAWN_MAX && verify_replay_next(&r, &write))
		n++;
	verify_replay_fini(&r);
	return ok && n < DRAWN_MAX ? n : VERIFY_UNREAD_UNKNOWN;
}

/* Each pass writes all blocks once, so blocks that the last pass has not yet written are those of the pass
   before. */
static uint64_t count_passes(const struct verify_source *s)
{
	uint64_t last = s->next_number - s->pass_first;
	uint64_t before = s->prev_first == UINT64_MAX ? 0 : s->pass_first - s->prev_first;
	uint64_t drawn = s->backlog ? s->walk_writes : 0;

	if (s->backlog && s->in_previous_pass)
		return before - drawn;
	return (last > before ? last : before) - drawn;
}

uint64_t verify_unread_so_far(const struct verify_source *s)
{
	return s->memory == VERIFY_REPLAY ? count_passes(s) : VERIFY_UNREAD_UNKNOWN;
}

uint64_t verify_unread(const struct verify_source *s)
{
	if (s->memory != VERIFY_REPLAY)
		return count_walk(s);
	return s->next_number == UINT64_MAX ? count_drawn(s) : count_passes(s);
}
