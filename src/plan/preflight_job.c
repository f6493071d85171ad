/* preflight_job.c: facts about a job that several checks use. */
#include <string.h>
#include "preflight_checks.h"

const struct target_facts *preflight_target_of(const struct preflight_ctx *fl, const struct plan_file *pf)
{
	return fl->p->targets[pf->target].facts;
}

const char *preflight_path_of(const struct preflight_ctx *fl, const struct plan_file *pf)
{
	return fl->p->targets[pf->target].path;
}

const struct media *preflight_media_of(const struct preflight_ctx *fl, const struct plan_file *pf)
{
	static const struct media unknown;

	return pf->target < fl->f->ntargets ? &fl->f->targets[pf->target].media : &unknown;
}

bool preflight_moves_data(const struct plan_job *pj)
{
	return pj->nfiles && !pj->job->opts.verify.only &&
	       !(pj->job->engine->caps &
		 (ENG_NOFILE | ENG_NOIO | ENG_META | ENG_VIRTUAL | ENG_CHANGES_FILES));
}

bool preflight_in_memory(const struct preflight_ctx *fl, const struct plan_file *pf)
{
	const char *fs = preflight_target_of(fl, pf)->fstype;

	return !strcmp(fs, "tmpfs") || !strcmp(fs, "ramfs") || preflight_media_of(fl, pf)->in_memory;
}

bool preflight_measures(const struct preflight_ctx *fl, const struct plan_job *pj)
{
	return preflight_moves_data(pj) && !preflight_in_memory(fl, &pj->files[0]) &&
	       preflight_target_of(fl, &pj->files[0])->type != TARGET_CHAR;
}

bool preflight_cached(const struct plan_job *pj)
{
	return !pj->job->opts.file.direct;
}

bool preflight_flushes(const struct job_opts *o)
{
	return o->sync.fsync || o->sync.fdatasync || o->sync.end_fsync || o->sync.end_syncfs ||
	       o->file.sync != FILE_SYNC_NONE || o->file.fsync_on_close;
}

uint64_t preflight_footprint(const struct plan_job *pj)
{
	uint64_t bytes = 0;

	for (uint32_t i = 0; i < pj->nfiles; i++)
		bytes += pj->files[i].len;
	return bytes;
}

bool preflight_repeats(const struct plan_job *pj)
{
	const struct time_cfg *t = &pj->job->opts.time;

	return t->time_based || t->loops > 1 || pj->pass_bytes > preflight_footprint(pj);
}
