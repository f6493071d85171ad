/* rules.h: the rules of resolve, and the helpers that they share. Private to job/. */
#ifndef RULES_H
#define RULES_H

#include <stdbool.h>
#include "job.h"

/* The job that the rules check and complete. */
struct rule_ctx {
	struct job_set *set;
	struct job *job;
	struct job_opts *o;
	struct diag *d;
};

/* The text has the form "FILE:LINE: option=value: TEXT". rule_refuse sets the error and returns -EINVAL;
   rule_note adds a note. */
int rule_refuse(struct rule_ctx *r, const char *option, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));
void rule_note(struct rule_ctx *r, const char *option, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));
/* Returns the option if the section itself sets it, otherwise NULL. */
const struct user_option *rule_section_option(const struct rule_ctx *r, const char *name);

/* "reads", "writes", "trims" */
extern const char *const rule_dir_names[DIR_DATA];

static inline bool rule_creates_files(const struct engine *e)
{
	return e->caps & ENG_CREATES;
}

static inline bool rule_has_dir(const struct rule_ctx *r, unsigned dir)
{
	return r->o->offset.rw & 1u << dir;
}

/* resolve_replay.c */
int rule_replay(struct rule_ctx *r);

/* resolve_io.c */
int rule_directions(struct rule_ctx *r);
int rule_trims(struct rule_ctx *r);
int rule_block_sizes(struct rule_ctx *r);
int rule_randrepeat(struct rule_ctx *r);
int rule_distribution(struct rule_ctx *r);
int rule_direct(struct rule_ctx *r);
int rule_no_io(struct rule_ctx *r);
int rule_no_data(struct rule_ctx *r);
int rule_passthrough(struct rule_ctx *r);
int rule_write_options(struct rule_ctx *r);
int rule_offset(struct rule_ctx *r);
int rule_offload(struct rule_ctx *r);
int rule_depth(struct rule_ctx *r);
int rule_overlap(struct rule_ctx *r);
int rule_mix(struct rule_ctx *r);
/* resolve_files.c */
int rule_files(struct rule_ctx *r);
int rule_opendir(struct rule_ctx *r);
int rule_creation(struct rule_ctx *r);
int rule_fill(struct rule_ctx *r);
int rule_unlink_each_loop(struct rule_ctx *r);
int rule_rank_shared(struct rule_ctx *r);
int rule_cache(struct rule_ctx *r);
int rule_numjobs(struct rule_ctx *r);
int rule_sync(struct rule_ctx *r);
/* resolve_worker.c */
int rule_time(struct rule_ctx *r);
int rule_sweep(struct rule_ctx *r);
int rule_user(struct rule_ctx *r);
int rule_cgroup(struct rule_ctx *r);
int rule_dedupe(struct rule_ctx *r);
int rule_contents(struct rule_ctx *r);
int rule_memory(struct rule_ctx *r);
int rule_place(struct rule_ctx *r);
int rule_latencies(struct rule_ctx *r);
int rule_per_file_stats(struct rule_ctx *r);
int rule_clocks(struct rule_ctx *r);
/* resolve_verify.c */
/* Makes a job that only reads, and loads a state, the check of the load that saved it. Before all rules that
   look at the directions. */
int rule_saved_load(struct rule_ctx *r);
int rule_verify(struct rule_ctx *r);
/* resolve_zones.c */
int rule_zones(struct rule_ctx *r);
/* Refuses the options that contradict zones, once the other rules have set the order of the I/Os. */
int rule_zone_orders(struct rule_ctx *r);
/* resolve_diskspd.c */
int rule_diskspd(struct rule_ctx *r);
/* Refuses the option if a file may end before the others, because each file has its own speed. */
int rule_endless(struct rule_ctx *r, const char *option);
int rule_events(struct job_set *set, struct diag *d);
/* resolve_thread_group.c */
int rule_thread_group(struct rule_ctx *r);
int rule_thread_groups(struct job_set *set, struct diag *d);
/* resolve_until.c */
int rule_steady_rounds(struct rule_ctx *r); /* first: it sets the runtime of steadystate=snia */
int rule_steady(struct rule_ctx *r);
int rule_latency_target(struct rule_ctx *r);
/* resolve_placement.c */
int rule_placement(struct rule_ctx *r);
/* resolve_flow.c */
int rule_flow(struct rule_ctx *r);
/* resolve_logs.c */
int rule_logs(struct rule_ctx *r);
/* resolve_rates.c */
int rule_rates(struct rule_ctx *r);
int rule_think(struct rule_ctx *r);

#endif
