/* rows.h: the rows of the core options, and the kinds of value that one or a few of them have.

   The rows of a group stand in rows_GROUP.inc (the groups are those of --cmdhelp and the manual), options of
   engines in the engine's file, options of fio's other engines in rows_foreign.c, those of the whole run in
   cmdline_flags.c. A kind of value is in type_NAME.c. */
#ifndef ROWS_H
#define ROWS_H

#include "bsize.h"
#include "diag.h"
#include "dist.h"
#include "opt.h"

extern const struct opt_table job_options; /* of struct job_opts */

/* Options of fio's other engines and profiles, which fiord refuses. They are searched after those of the core
   and of the job's engine. */
extern const struct opt_table foreign_options;

/* Reads size/percent:size/percent...[,writes[,trims]] into c->split and c->split_n, percentages resolved:
   blank ones share what is left of 100; without blanks the last entry gets it, as in fio. A missing tail
   copies the direction before it; a direction left empty gets split_n 0. Returns 0 or -errno with d, *c then
   unchanged. */
int opt_bssplit(const char *text, unsigned kb_base, struct bsize_cfg *c, struct diag *d);

/* Reads zipf:theta[:center], pareto:h[:center] or normal:deviation[:center]; gauss is normal. Without a
   number zipf is zipf:1.1 and pareto is pareto:0.2, as in fio. Returns 0 or -errno with d. */
int opt_skew(const char *text, struct skew_cfg *c, struct diag *d);
/* Reads a random_distribution that is not uniform into c, which is zeroed. Returns 0 or -errno with d. */
int opt_distribution(const char *text, unsigned kb_base, struct dist_cfg *c, struct diag *d);
/* Returns whether all blocks are equally likely, so that there are no zones to read. */
bool opt_distribution_uniform(const char *text);
extern const struct opt_type job_type_distribution; /* char *, a valid random_distribution */

extern const struct opt_type job_type_rw;         /* struct offset_cfg: rw, rw_nr, rw_stride */
extern const struct opt_type job_type_file_order; /* struct file_order_cfg */
extern const struct opt_type job_type_bssplit;    /* char *, a valid bssplit */
extern const struct opt_type job_type_pattern;    /* const struct pattern *, shared by copies */
extern const struct opt_type job_type_percent;    /* double, 0 to 100 */
extern const struct opt_type job_type_rate_steps; /* struct pace_steps */
extern const struct opt_type job_type_steady;     /* struct steady_cfg: of, by, limit, percent */
/* Returns the name of the criterion, such as "iops_slope". */
struct steady_cfg;
const char *steady_name(const struct steady_cfg *c);
extern const struct opt_type
	job_type_percentiles; /* struct report_cfg: percentile, percentiles; ascending, distinct */
extern const struct opt_type job_type_complement;        /* unsigned: 100 minus the value */
extern const struct opt_type job_type_continue_on_error; /* struct error_cfg: survive */
extern const struct opt_type job_type_ignore_error;      /* struct error_cfg: listed, nlisted, survive */
extern const struct opt_type job_type_cpus;              /* struct cpuset, as a list */
extern const struct opt_type job_type_cpumask;           /* struct cpuset, as a number */
extern const struct opt_type job_type_id;                /* uint32_t: of a user or a group */
extern const struct opt_type job_type_nodes;             /* struct cpuset, as a list; "all" is the full set */
extern const struct opt_type job_type_numa_policy;       /* struct numa_policy */
extern const struct opt_type job_type_sync_range;        /* struct sync_range_cfg: FLAG,...:N */
extern const struct opt_type job_type_mem;               /* struct mem_source: KIND[:FILE] */
extern const struct opt_type job_type_file_weights;      /* char *, a weight for each file */
extern const struct opt_type job_type_cpu_list;          /* char *, CPUs between commas */
extern const struct opt_type job_type_cpu_order;         /* char *, letters */
extern const struct opt_type job_type_thread_weights; /* char *, a weight, or thread/weight:thread/weight */
extern const struct opt_type job_type_prefix;         /* char *, of log files; bare: "" */

/* Returns the CPU of the n-th worker, by a valid cpu_list. */
unsigned cpu_list_nth(const char *list, uint32_t n);
/* Returns the number of CPUs in the list, duplicates included. */
uint32_t cpu_list_count(const char *list);

/* Stores the first n weights of a valid file_weights. Returns how many it has. */
uint32_t file_weights_read(const char *list, uint32_t *weight, uint32_t n);
/* Returns the weight of this thread in a valid thread_group_weight; 0 if the thread does not use the
   section's files. */
uint32_t thread_weight(const char *list, uint32_t thread);
/* Returns the highest thread in the list; 0 if it names none. */
uint32_t thread_weight_last(const char *list);

/* Largest number of I/Os that a worker has in flight. */
#define DEPTH_MAX 65536
/* For rows of options that do not work. */
#define OPT_NEVER(reason)   .status = OPT_REFUSED, .why = (reason)
#define OPT_NO_EFFECT(note) .status = OPT_NOTED, .why = (note)

#endif
