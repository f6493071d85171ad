#include "verify_trim.h"

#include "block_check.h"
#include "clone.h"
#include "trim_choice.h"

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
