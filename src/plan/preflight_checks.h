/* preflight_checks.h: the checks of the preflight, and the facts about jobs that they share. Private to
   preflight*.c. */
#ifndef PREFLIGHT_CHECKS_H
#define PREFLIGHT_CHECKS_H

#include "plan_build.h"
#include "preflight.h"

struct preflight_ctx {
	const struct plan *p;
	const struct facts *f;
	const struct plan_job **jobs; /* all of the plan; a thread_group's sections instead of the group */
	uint32_t njobs;
};

/* Writes a note about the job, or nothing. */
typedef void preflight_check(const struct preflight_ctx *fl, const struct plan_job *pj, struct strbuf *out);

/* preflight_cache.c */
preflight_check preflight_check_memory;
preflight_check preflight_check_cache;
preflight_check preflight_check_ahead;
preflight_check preflight_check_loop;
preflight_check preflight_check_depth;
/* preflight_data.c */
preflight_check preflight_check_unwritten;
preflight_check preflight_check_clones;
preflight_check preflight_check_open_files;
/* preflight_time.c */
preflight_check preflight_check_time;
preflight_check preflight_check_rate;
/* preflight_device.c */
preflight_check preflight_check_use;
preflight_check preflight_check_statistics;
preflight_check preflight_check_write_cache;
preflight_check preflight_check_block;
preflight_check preflight_check_kind;
preflight_check preflight_check_governor;

/* preflight_job.c: facts about a file of a job. What preflight_media_of returns is zeroed where probe knows
   nothing. */
const struct target_facts *preflight_target_of(const struct preflight_ctx *fl, const struct plan_file *pf);
const char *preflight_path_of(const struct preflight_ctx *fl, const struct plan_file *pf);
const struct media *preflight_media_of(const struct preflight_ctx *fl, const struct plan_file *pf);
/* Returns whether the file is in memory: tmpfs, a RAM disk. */
bool preflight_in_memory(const struct preflight_ctx *fl, const struct plan_file *pf);
/* Returns whether the job moves data of files or devices; false with verify_only, which measures nothing. */
bool preflight_moves_data(const struct plan_job *pj);
/* Returns whether the job moves data of a device that its figures can describe. */
bool preflight_measures(const struct preflight_ctx *fl, const struct plan_job *pj);
/* Returns whether the job goes through the page cache. */
bool preflight_cached(const struct plan_job *pj);
/* Returns whether the job writes its data back before its figures are final. */
bool preflight_flushes(const struct job_opts *o);
/* Returns the bytes of all files that the job uses. */
uint64_t preflight_footprint(const struct plan_job *pj);
/* Returns whether the job uses blocks more than once. */
bool preflight_repeats(const struct plan_job *pj);

#endif
