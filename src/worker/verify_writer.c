/* verify_writer.c: collects blocks of other writes until the first block of the job itself is read. */
#include <inttypes.h>
#include "block_check.h"
#include "clone.h"
#include "worker.h"

bool verify_writer_defers(struct verify_writer *v, struct worker *w, struct verify_damages *damages,
			  const struct block_check *c)
{
	if (c->other_write && c->block.maybe_unwritten) {
		*(v->own_blocks ? &damages->to->not_checked : &damages->to->checked) += 1;
		v->older += !v->own_blocks;
		return true;
	}
	if (v->own_blocks)
		return false;
	if (c->other_write) {
		verify_doubtful_add(&v->pending, w, damages, c->file, &c->damage);
		v->zero += c->zero;
		return true;
	}
	if (c->intact && c->block.bytes == c->block.whole && !c->other_section) {
		v->own_blocks = true;
		damages->to->checked -= v->older;
		damages->to->not_checked += v->older;
		verify_doubtful_condemn(&v->pending, w, damages);
	}
	return false;
}

void verify_writer_end(const struct verify_writer *v, const struct worker *w)
{
	if (v->others)
		clone_note(&w->clone,
			   "{verify}: other jobs of this run wrote %" PRIu64
			   " of these blocks: their seeds and numbers are not checked",
			   v->others);
	if (v->other_headers)
		clone_note(&w->clone,
			   "{verify}: %" PRIu64 " of the blocks that are not checked have headers of another "
			   "kind or size: the job has probably never written them, or had other options",
			   v->other_headers);
	if (!v->own_blocks && (v->pending.blocks || v->older))
		clone_note(
			&w->clone,
			"{verify}: another job or program wrote these blocks, or the options were different: "
			"seeds and numbers are not checked");
}
