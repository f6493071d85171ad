/* verify_doubtful.c: blocks about which later blocks decide: whether they are damaged, whether the job has
   written them, and whether they are of the newest run. */
#include "block_check.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include "account.h"
#include "clone.h"
#include "worker.h"

void verify_doubtful_fini(struct verify_doubtful *v)
{
	free(v->more);
	v->more = NULL;
}

void verify_doubtful_add(struct verify_doubtful *v, const struct worker *w, struct verify_damages *damages,
			 uint32_t file, const struct verify_damage *d)
{
	if (v->blocks == VERIFY_DAMAGES && w->stats.files && !v->more)
		v->more = calloc(w->clone.job->nfiles, sizeof(*v->more));
	if (v->blocks < VERIFY_DAMAGES) {
		v->first[v->blocks].file = file;
		v->first[v->blocks].damage = *d;
	} else if (v->more) {
		v->more[file]++;
	}
	damages->to->checked++;
	v->blocks++;
}

/* Forgets the blocks: they are intact. */
static void forget_doubtful(struct verify_doubtful *v, const struct worker *w)
{
	if (v->more)
		memset(v->more, 0, w->clone.job->nfiles * sizeof(*v->more));
	v->blocks = 0;
}

void verify_doubtful_condemn(struct verify_doubtful *v, struct worker *w, struct verify_damages *damages)
{
	damages->to->checked -= v->blocks;
	for (uint64_t i = 0; i < v->blocks && i < VERIFY_DAMAGES; i++)
		verify_damages_add(damages, w, v->first[i].file, &v->first[i].damage);
	if (v->blocks > VERIFY_DAMAGES)
		verify_damages_add_more(damages, w, v->blocks - VERIFY_DAMAGES);
	for (uint32_t i = 0; v->more && i < w->clone.job->nfiles; i++)
		file_stats_account_errors(w, i, DIR_READ, v->more[i]);
	forget_doubtful(v, w);
}

/* ---- whether the job has written the blocks ---- */

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

/* ---- blocks of older runs ---- */

/* Returns whether an older run's block here is a fault: this job alone should have written the block in its
   newest run, and headers tell the runs apart. */
static bool comparable(const struct worker *w, const struct block_check *c)
{
	const struct plan_verify *p = &w->clone.job->verify;

	return p->reads && !p->maybe_unwritten && p->memory != VERIFY_SCAN && !c->sharing && c->run.time_ns;
}

bool verify_newest_run_counts(struct verify_newest_run *v, struct worker *w, struct verify_damages *damages,
			      const struct block_check *c)
{
	const struct verify_damage older = { .kind = DAMAGE_EARLIER_RUN,
					     .offset = c->block.offset + c->block.from,
					     .bytes = c->block.bytes,
					     .expected = c->expect.write.number,
					     .found = c->expect.write.number };
	bool same = v->found && c->run.number == v->run, newer = c->run.time_ns > v->time_ns;

	if (!comparable(w, c))
		return false;
	if (!same && !newer) {
		verify_damages_add(damages, w, c->file, &older);
		return true;
	}
	if (!same)
		verify_doubtful_condemn(&v->blocks, w, damages);
	if (newer)
		v->time_ns = c->run.time_ns;
	v->run = c->run.number;
	v->found = true;
	verify_doubtful_add(&v->blocks, w, damages, c->file, &older);
	return true;
}
