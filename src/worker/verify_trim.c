#include "verify_trim.h"

#include "block_check.h"
#include <inttypes.h>
#include "clone.h"
#include "mix.h"
#include "verify_sizes.h"
#include "worker.h"

/* With verify_interval a job may read blocks of a larger write in up to this many pieces. */
#define PIECES_MAX 256

void verify_trim_init(struct verify_trim *t, const struct clone *c)
{
	const struct verify_opts *o = &c->opts->verify;

	t->percent = o->trim_percentage;
	t->own_blocks = c->job->verify.writes;
	t->check_zero = o->trim_zero;
}

/* Returns whether this block was chosen for a trim. Returns false if only its header could say which write it
   is of. */
static bool chosen(const struct verify_trim *t, const struct verify_block_ref *b)
{
	return (t->own_blocks || !b->number_unknown) && trim_choice(b->number, t->percent);
}

bool verify_trim_includes(const struct verify_trim *t, const struct verify_block_ref *b,
			  uint64_t *not_checked)
{
	if (!t->percent)
		return true;
	if (t->trimming)
		return chosen(t, b);
	if (t->check_zero || !chosen(t, b))
		return true;
	(*not_checked)++;
	return false;
}

void verify_trim_expect(const struct verify_trim *t, struct block_check *c, const uint64_t *header)
{
	if (!t->percent)
		return;
	c->maybe_trimmed = !t->own_blocks;
	if (!t->own_blocks && header)
		c->trimmed = t->check_zero && trim_choice(*header, t->percent);
	else
		c->trimmed = t->check_zero && chosen(t, &c->block);
}

void verify_trim_count(struct verify_trim *t, const struct block_check *c)
{
	struct verify_trim_share *s = &t->share;
	const uint64_t from = c->block.offset + c->block.from, to = from + c->block.bytes;

	s->blocks++;
	s->zero += c->zero;
	if (!c->zero || c->trimmed)
		return;
	s->several_files |= s->to && s->file != c->file;
	s->file = c->file;
	s->from = s->to && s->from < from ? s->from : from;
	s->to = s->to > to ? s->to : to;
	s->accepted += c->intact;
}

/* Returns how many of the blocks that were read may be of one write. */
static unsigned pieces_of_write(const struct plan_job *pj)
{
	if (pj->verify.pieces)
		return verify_sizes_max(&pj->job->opts.offset) / pj->verify.unit;
	return pj->verify.run_reads && pj->job->opts.verify.format.interval ? PIECES_MAX : 1;
}

static void note_lost(const struct verify_trim_share *s, const struct worker *w, uint64_t most, uint64_t lost)
{
	clone_note(&w->clone,
		   "{trim_percentage=%u}: %" PRIu64 " of %" PRIu64
		   " blocks are zero, and trims explain at most %" PRIu64 ": %" PRIu64
		   " or more have lost their data, and nothing tells which of the zero ones",
		   w->clone.opts->verify.trim_percentage, s->zero, s->blocks, most, lost);
}

void verify_trim_end(struct verify_trim *t, struct worker *w, struct verify_damages *damages,
		     uint64_t deferred)
{
	struct verify_trim_share *s = &t->share;
	uint64_t most = trim_choice_most(s->blocks, t->percent, pieces_of_write(w->clone.job)), lost;

	damages->to->checked -= deferred;
	damages->to->in_part += deferred;
	s->accepted += deferred;
	lost = s->zero > most ? s->zero - most : 0;
	lost = lost < s->accepted ? lost : s->accepted;
	if (!lost)
		return;
	damages->to->in_part -= lost;
	note_lost(s, w, most, lost);
	if (s->several_files)
		verify_damages_add_more(damages, w, lost);
	else
		verify_damages_add_some(damages, w, s->file,
					&(struct verify_damage){ .kind = DAMAGE_ZEROED,
								 .offset = s->from,
								 .bytes = s->to - s->from },
					lost);
}
