/* preflight_data.c: which blocks the jobs use: blocks never written, and clones that follow each other. */
#include <stdlib.h>
#include "plan_build.h"
#include "preflight_checks.h"
#include "units.h"

/* Returns a flag for each target that jobs before pj write, at the first of its names. The caller frees it.
 */
static bool *written_before(const struct preflight_ctx *fl, const struct plan_job *pj)
{
	bool *written = calloc((size_t)fl->p->ntargets + 1, sizeof(*written));

	for (uint32_t i = 0; written && i < fl->p->njobs && fl->p->jobs[i].wave <= pj->wave; i++) {
		const struct plan_job *other = &fl->p->jobs[i];

		if (!(other->rw & RW_WRITE) || !plan_ends_before(fl->p, other, pj))
			continue;
		for (uint32_t k = 0; k < other->nfiles; k++)
			if (other->files[k].user->rw & RW_WRITE)
				written[fl->p->targets[other->files[k].target].same] = true;
	}
	return written;
}

static bool has_unwritten(const struct preflight_ctx *fl, const struct plan_file *pf)
{
	return preflight_media_of(fl, pf)->unwritten && pf->layout == LAYOUT_NONE;
}

/* Returns the first file that the job reads, parts of which were never written; NULL if there is none. */
static const struct plan_file *find_unwritten(const struct preflight_ctx *fl, const struct plan_job *pj)
{
	const struct plan_file *found = NULL;
	bool *written = NULL;

	for (uint32_t i = 0; i < pj->nfiles && !found; i++) {
		if (!has_unwritten(fl, &pj->files[i]))
			continue;
		if (!written)
			written = written_before(fl, pj);
		if (!written)
			break;
		if (!written[fl->p->targets[pj->files[i].target].same])
			found = &pj->files[i];
	}
	free(written);
	return found;
}

void preflight_check_unwritten(const struct preflight_ctx *fl, const struct plan_job *pj, struct strbuf *out)
{
	bool reads = preflight_moves_data(pj) && pj->rw & RW_READ;
	const struct plan_file *pf = reads ? find_unwritten(fl, pj) : NULL;
	const struct media *m;

	if (!pf)
		return;
	m = preflight_media_of(fl, pf);
	message_printf(out,
		       "%s: %s of %s were never written (%s), so the device does not read them and the "
		       "figures are too "
		       "good; write the whole file first with {+rw=write}",
		       preflight_path_of(fl, pf), units_bytes(m->unwritten).text,
		       units_bytes(preflight_target_of(fl, pf)->size).text,
		       m->unwritten_allocated ? "room is reserved for them" : "holes");
}

static const struct plan_job *next_clone(const struct preflight_ctx *fl, const struct plan_job *pj)
{
	if (!fl->p->jobs[pj->index].nmembers)
		return pj->job->opts.group.numjobs > 1 ? pj + 1 : NULL;
	for (uint32_t i = 0; i < fl->njobs; i++)
		if (fl->jobs[i]->job == pj->job && fl->jobs[i]->index > pj->index)
			return fl->jobs[i];
	return NULL;
}

void preflight_check_clones(const struct preflight_ctx *fl, const struct plan_job *pj, struct strbuf *out)
{
	const struct plan_job *next = next_clone(fl, pj);
	uint32_t clones = pj->job->opts.group.numjobs;

	if (fl->p->set->is_translation)
		return; /* the DISKSPD translation has its own note */
	if (!next || !preflight_moves_data(pj) || pj->rw & RW_RANDOM ||
	    next->files[0].target != pj->files[0].target || next->files[0].start != pj->files[0].start ||
	    next->files[0].first != pj->files[0].first || pj->files[0].shared_position ||
	    (pj->files[0].zone_table && pj->rw & RW_WRITE)) /* they share write pointers */
		return;
	message_printf(out, "its %u {~clone|clones} use the same blocks of %s in the same order: %s", clones,
		       preflight_path_of(fl, &pj->files[0]),
		       pj->rw & RW_READ ? "the others find the data in a cache, perhaps the drive's"
					: "every clone writes every block");
	if (clones <= 100)
		message_printf(out, "; {+size=%u%%} with {offset_increment=%u%%} gives each its own",
			       100 / clones, 100 / clones);
}

void preflight_check_open_files(const struct preflight_ctx *fl, const struct plan_job *pj, struct strbuf *out)
{
	(void)fl;
	if (!preflight_moves_data(pj) || pj->openfiles >= pj->nfiles || pj->openfiles >= pj->depth ||
	    !file_order_drawn(pj->job->opts.files.file_order.kind))
		return;
	message_printf(out,
		       "only %u of its %u files are open at a time, and a drawn file waits until one of them "
		       "has no I/O in flight: fewer I/Os than {iodepth=%u} may be in flight; {+openfiles=%u} "
		       "avoids that",
		       pj->openfiles, pj->nfiles, pj->depth, pj->depth < pj->nfiles ? pj->depth : pj->nfiles);
}
