/* rules.h: the rules of resolve, and the helpers that they share. Private to job/. */
#ifndef RULES_H
#define RULES_H

#include <stdbool.h>
#include "job.h"

/* The job that the rules check and complete. */
struct rules {
	struct job_set *set;
	struct job *job;
	struct job_opts *o;
	struct diag *d;
};

/* Format "FILE:LINE: option=value: TEXT". refuse makes it the error and returns -EINVAL; note adds a note. */
int refuse(struct rules *r, const char *option, const char *fmt, ...) __attribute__((format(printf, 3, 4)));
void note(struct rules *r, const char *option, const char *fmt, ...) __attribute__((format(printf, 3, 4)));
/* Returns the option as the section itself gives it, or NULL. */
const struct user_option *own(const struct rules *r, const char *name);

/* "reads", "writes", "trims" */
extern const char *const rule_dirs[DIR_DATA];

static inline bool makes(const struct engine *e)
{
	return e->caps & ENG_CREATES;
}

static inline bool moves(const struct rules *r, unsigned dir)
{
	return r->o->offset.rw & 1u << dir;
}

/* resolve_io.c */
int rule_directions(struct rules *r);
int rule_trims(struct rules *r);
int rule_block_sizes(struct rules *r);
int rule_distribution(struct rules *r);
int rule_direct(struct rules *r);
int rule_once(struct rules *r);
int rule_no_io(struct rules *r);
int rule_no_data(struct rules *r);
int rule_written(struct rules *r);
int rule_offset(struct rules *r);
int rule_offload(struct rules *r);
int rule_depth(struct rules *r);
int rule_mix(struct rules *r);
/* resolve_files.c */
int rule_files(struct rules *r);
int rule_creation(struct rules *r);
int rule_fill(struct rules *r);
int rule_renewal(struct rules *r);
int rule_cache(struct rules *r);
int rule_clones(struct rules *r);
int rule_sync(struct rules *r);
/* resolve_worker.c */
int rule_time(struct rules *r);
int rule_user(struct rules *r);
int rule_cgroup(struct rules *r);
int rule_dedupe(struct rules *r);
int rule_contents(struct rules *r);
int rule_memory(struct rules *r);
int rule_place(struct rules *r);
int rule_measure(struct rules *r);
int rule_clocks(struct rules *r);
/* resolve_diskspd.c */
int rule_diskspd(struct rules *r);
/* For files with speeds of their own: no file may end before the others. */
int rule_endless(struct rules *r, const char *option);
int rule_events(struct job_set *set, struct diag *d);
/* resolve_thread_group.c */
int rule_thread_group(struct rules *r);
int rule_thread_groups(struct job_set *set, struct diag *d);
/* resolve_logs.c */
int rule_logs(struct rules *r);
/* resolve_rates.c */
int rule_rates(struct rules *r);
int rule_think(struct rules *r);

#endif
