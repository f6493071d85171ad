/* verify_writer.c: collects blocks of other writes until the first block of the job itself is read. */
#include <inttypes.h>
#include <stdlib.h>
#include "block_check.h"
#include "clone.h"
#include "file_stats_account.h"
#include "verify_damage.h"
#include "verify_writer.h"
#include "worker.h"

/* Makes the block wait; until then it counts as checked and intact. */
static void defer(struct verify_writer *v, const struct worker *w, struct verify_damages *damages,
		  const struct block_check *c)
{
	if (v->pending == VERIFY_DAMAGES && w->stats.files)
		v->more = calloc(w->clone.job->nfiles, sizeof(*v->more));
	if (v->more)
		v->more[c->file]++;
	damages->to->checked++;
	if (v->pending < VERIFY_DAMAGES) {
		v->first[v->pending].file = c->file;
		v->first[v->pending].damage = c->damage;
	}
	v->pending++;
	v->zero += c->zero;
}

/* Counts the blocks that wait as damaged. Their contents are gone, so verify_dump cannot dump them. */
static void add_damages(const struct verify_writer *v, struct worker *w, struct verify_damages *damages)
{
	damages->to->checked -= v->pending;
	for (uint64_t i = 0; i < v->pending && i < VERIFY_DAMAGES; i++)
		verify_damages_add(damages, w, v->first[i].file, &v->first[i].damage);
	if (v->pending > VERIFY_DAMAGES)
		verify_damages_add_more(damages, w, v->pending - VERIFY_DAMAGES);
	for (uint32_t i = 0; v->more && i < w->clone.job->nfiles; i++)
		file_stats_account_errors(w, i, DIR_READ, v->more[i]);
}

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
		defer(v, w, damages, c);
		return true;
	}
	if (c->intact && c->block.bytes == c->block.whole) {
		v->own_blocks = true;
		damages->to->checked -= v->older;
		damages->to->not_checked += v->older;
		add_damages(v, w, damages);
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
	if (!v->own_blocks && (v->pending || v->older))
		clone_note(
			&w->clone,
			"{verify}: another job or program wrote these blocks, or the options were different: "
			"seeds and numbers are not checked");
}
