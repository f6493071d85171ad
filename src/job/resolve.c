#include <inttypes.h>
#include "rules.h"
#include "sections.h"

#define JOBS_MAX 65536

int resolve_count(struct job_set *set, struct diag *d)
{
	uint64_t total = 0;
	int err;

	for (size_t i = 0; i < set->njobs; i++) {
		struct rule_ctx r = { .set = set, .job = &set->jobs[i], .d = d };

		total += set->jobs[i].opts.group.numjobs;
		if (total > JOBS_MAX)
			return rule_refuse(&r, "numjobs", "makes %" PRIu64 " jobs; at most %u are allowed",
					   total, JOBS_MAX);
	}
	err = rule_thread_groups(set, d);
	return err ? err : rule_events(set, d);
}

/* The rules that join options, in the order in which they need each other. */
static int (*const rules[])(struct rule_ctx *) = {
	/* clang-format off */
	rule_saved_load,
	rule_steady_rounds,
	rule_replay, /* first: the trace sets what others check */
	rule_place,
	rule_memory,
	rule_user,
	rule_sweep,
	rule_cgroup,
	rule_directions,
	rule_trims,
	rule_block_sizes,
	rule_randrepeat,
	rule_distribution,
	rule_zones,
	rule_no_data,
	rule_no_io,
	rule_passthrough,
	rule_direct,
	rule_write_options,
	rule_offset,
	rule_opendir,
	rule_files,
	rule_creation,
	rule_fill,
	rule_cache,
	rule_numjobs,
	rule_offload, rule_depth, rule_overlap,
	rule_time,
	rule_unlink_each_loop,
	rule_rank_shared,
	rule_rates,
	rule_think,
	rule_mix,
	rule_sync,
	rule_dedupe,
	rule_contents,
	rule_verify,
	rule_latencies,
	rule_per_file_stats,
	rule_diskspd,
	rule_zone_orders,
	rule_clocks,
	rule_logs,
	rule_steady,
	rule_latency_target,
	rule_flow,
	rule_placement,
	/* clang-format on */
};

int resolve_job(struct job_set *set, struct job *job, struct diag *d)
{
	struct rule_ctx r = { .set = set, .job = job, .o = &job->opts, .d = d };
	int err = 0;

	for (unsigned i = 0; i < sizeof(rules) / sizeof(rules[0]) && !err; i++)
		err = rules[i](&r);
	return err;
}
