/* compare.h: compares the runs of two sides, A and B: pairs their jobs by name, lists the settings and the
   environment in which they differ, computes the change of each figure with its confidence interval
   (compare_change.h says by which methods), and judges conditions. The result is plain data for
   compare_report.h. */
#ifndef COMPARE_H
#define COMPARE_H

#include "compare_change.h"
#include "diag.h"
#include "result.h"
#include "vec.h"
#include "where.h"

#define COMPARE_PERCENTILES 16
#define COMPARE_GOAL        0.05 /* a change that users of a comparison want to see */

/* Settings whose difference makes a comparison meaningless, unless the user asks for it. */
enum compare_setting {
	COMPARE_RW,
	COMPARE_BS,
	COMPARE_DIRECT,
	COMPARE_ENGINE,
	COMPARE_DEPTH,
	COMPARE_NUMJOBS,
	COMPARE_RATE,
	COMPARE_THINKTIME,
	COMPARE_SYNC,
	COMPARE_DISTRIBUTION,
	COMPARE_MIX,
	COMPARE_SIZE,
	COMPARE_CONTENTS,
	COMPARE_DEVICE,
	COMPARE_SAME, /* the same run on both sides, or twice on one */
	COMPARE_SETTINGS,
	COMPARE_OTHER = COMPARE_SETTINGS, /* listed, never refused */
};
/* "rw", "bs" ...: the words of --allow; ends with NULL. */
extern const char *const compare_setting_name[COMPARE_SETTINGS + 1];

enum compare_what {
	COMPARE_IOPS,
	COMPARE_BW,
	COMPARE_LAT_MEAN,
	COMPARE_LAT_PERCENTILE,
	COMPARE_LAT_MAX,
	COMPARE_CPU,
	COMPARE_WHATS
};

/* --fail-if: a limit on the change of a figure, or on the figure of B. */
enum compare_limit { COMPARE_RELATIVE, COMPARE_DELTA, COMPARE_FIGURE };
struct compare_condition {
	const char *text;     /* as typed */
	const char *job;      /* owned; NULL: every job */
	unsigned dir;         /* DIR_COUNT: every direction */
	bool mixed;           /* all directions together, of a mixed job: dir is DIR_READ */
	bool resp;            /* the response time, not the latency */
	enum where_part part; /* of a direction; WHERE_NAMES: the figure is of no part */
	enum compare_what what;
	double percentile; /* 99.9 */
	bool above;        /* > */
	enum compare_limit kind;
	double limit; /* 0.1 for 10 %; ns, I/Os per s or bytes per s */
};
/* compare_condition.c: parses "p99 > +10%", "read.p99 > 2ms", "JOB.write.iops < -5%". Returns 0 or -errno
   with d. The condition points to text. */
int compare_condition_parse(struct compare_condition *c, const char *text, struct diag *d);
void compare_condition_fini(struct compare_condition *c);

struct compare_cfg {
	double confidence;            /* 0.95 */
	bool allow[COMPARE_SETTINGS]; /* compare in spite of this difference */
	double percentiles[COMPARE_PERCENTILES];
	unsigned npercentiles; /* 0: 50, 99, 99.9 */
	const struct compare_condition *conditions;
	size_t nconditions;
	bool allow_unjudged; /* a condition that cannot be judged does not fail the comparison */
	bool fail_unsure;    /* a condition that is met, but not shown, fails the comparison */
	bool list_lost;      /* find lost jobs also without conditions */
};

/* The runs of a side, at least one. */
struct compare_runs {
	const struct result *const *res;
	const char *const *source; /* file names */
	size_t n;
};

/* The source of the sampling error of a figure. */
enum compare_basis {
	COMPARE_BY_NOTHING, /* no error is known; `why` has the reason */
	COMPARE_BY_SERIES,
	COMPARE_BY_SAMPLES, /* bw_mean, bw_dev, bw_samples */
	COMPARE_BY_RUNS,
	COMPARE_BY_POOLED_RUNS, /* one side has a single run and gets the other side's deviation */
	COMPARE_BASES
};

struct compare_figure {
	enum compare_what what;
	unsigned dir;       /* DIR_COUNT: of the whole job */
	bool mixed;         /* all directions together: dir is DIR_READ */
	enum lat_kind kind; /* of latencies */
	bool of_part;       /* of this part of the latency of requests (latency_split) */
	enum where_part part;
	double percentile;
	struct compare_side a, b; /* without their quantiles, whose histograms are freed */
	struct compare_change change;
	bool limits; /* b_lo and b_hi, the limits of B's figure alone, are known */
	double b_lo, b_hi;
	enum compare_basis basis;
	unsigned runs_needed; /* of each side, to show a true change of COMPARE_GOAL; 0: unknown, or too many
			       */
	const char *why;      /* the reason why there is no interval; NULL: there is one */
};

struct compare_job {
	const char *name;       /* with a number if several jobs have the name: "job (2)" */
	const char *plain_name; /* without it */
	bool total;             /* all jobs of a group together */
	struct compare_figure *figures;
	size_t nfigures;
};

struct compare_difference {
	enum compare_setting setting;
	bool refused;
	const char *job;  /* NULL: of the machine, the target or the program */
	const char *name; /* "bs", "kernel", "vda: scheduler" */
	const char *a, *b;
	const char *run_a, *run_b; /* the files */
};

/* The judgement of one condition about one figure. */
enum compare_state {
	COMPARE_PASSES,
	COMPARE_FAILS,    /* beyond the limit, and the data shows a change in this direction */
	COMPARE_UNSURE,   /* beyond the limit, but the data does not show it */
	COMPARE_UNJUDGED, /* beyond the limit, and nothing says how much noise moves it; or there is no figure
			   */
};
struct compare_verdict {
	const struct compare_condition *condition;
	const struct compare_job *job;
	const struct compare_figure *figure; /* NULL: of the whole job, which B has lost */
	enum compare_state state;
	const char *why; /* the job is lost, or the condition cannot be judged; NULL otherwise */
};

/* A job of A that a run of B lacks, or that ended with an error there. */
struct compare_lost {
	struct compare_job job; /* without figures */
	bool dir[DIR_COUNT];    /* it did such I/O in A; all false for a mixed job */
	bool mixed;             /* it has figures of all directions together */
	unsigned group;
	const char *why;
};

/* The jobs of a run, sorted by name and host; those with one name and host in their order. */
struct compare_names {
	struct compare_name {
		const struct result_job *job;
		size_t at; /* the job's number in its result */
	} * sorted;
	size_t n;
	/* For each job, by number: how many earlier jobs have its name, how many jobs have its name, and how
	   many are in its group. */
	unsigned *ordinal, *namesakes, *in_group;
};

struct compare {
	struct arena mem;
	bool failed; /* memory was short */
	struct compare_cfg cfg;
	struct compare_runs a, b;
	struct compare_names *names; /* of A's runs, then of B's */
	struct compare_job *jobs;
	size_t njobs;
	VEC(struct compare_difference) difference;
	VEC(const char *) only_a, only_b; /* jobs without a partner in every run of the other side */
	VEC(struct compare_lost) lost;
	VEC(struct compare_verdict) verdict;
	struct notes notes;
};

/* Compares two sides, which must outlive *c. Returns 0, or -errno with d: there is nothing to compare, a
   condition fits no figure, or a difference is refused (then c->difference is filled in). Call compare_fini
   in any case. */
int compare_results(struct compare *c, const struct compare_runs *a, const struct compare_runs *b,
		    const struct compare_cfg *cfg, struct diag *d);
void compare_fini(struct compare *c);
/* Returns whether this verdict, or any one, makes the comparison fail. */
bool compare_verdict_fails(const struct compare *c, const struct compare_verdict *v);
bool compare_fails(const struct compare *c);
/* Writes "read.p99.9", "write.resp.mean", "cpu". Returns buf. */
#define COMPARE_NAME 48
const char *compare_figure_name(const struct compare_figure *f, char buf[COMPARE_NAME]);
/* Returns whether a higher value is better. */
bool compare_more_is_better(const struct compare_figure *f);

/* A job in all runs. */
struct compare_pair {
	const char *name, *plain_name;
	const struct result_job **run; /* of A, then of B */
	size_t *index;                 /* the job's number in its result; of a total that of its first job */
	bool total;                    /* all jobs of a group together */
};

/* compare_pairs.c: */

/* Returns run i: of A, then of B. */
const struct result *compare_run(const struct compare *c, size_t i);
/* Returns the file of that run. */
const char *compare_source(const struct compare *c, size_t i);
/* Returns the number of the job with the name of `job`, after `ordinal` others; the number of jobs: none. */
size_t compare_find_job(const struct compare *c, size_t run, const struct result_job *job, unsigned ordinal);
/* Returns the name of the job, with its host, and with a number if others have the same name. */
const char *compare_label(struct compare *c, size_t run, size_t at);
/* Finds the pairs, in the order of A's first run, and the jobs of both sides that are in none. */
struct compare_pair *compare_find_pairs(struct compare *c, size_t *pairs);
/* Returns the pairs, with the totals of groups. The total of a group with several jobs follows its last job.
 */
struct compare_pair *compare_add_totals(struct compare *c, const struct compare_pair *pair, size_t *pairs);

/* compare_differences.c: fills c->difference. */
void compare_find_differences(struct compare *c, const struct compare_pair *pair, size_t pairs);

/* Two runs whose differences are listed: the first one of A and another one. */
struct compare_two {
	struct compare *c;
	const struct result *a, *b;
	const char *run_a, *run_b;
};
/* Lists a difference, unless both texts are the same or the difference is listed already. */
void compare_differ(struct compare_two *t, enum compare_setting setting, const char *job, const char *name,
		    const char *a, const char *b);
/* Returns a copy of the text, "not given" in place of none, in the memory of the comparison. */
const char *compare_keep(struct compare_two *t, const char *s);
/* Returns `known`, or `otherwise` if that is NULL or empty. */
const char *compare_either(const char *known, const char *otherwise);
/* compare_options.c: lists the options in which a job of the two runs differs. */
void compare_options(struct compare_two *t, const char *name, const struct result_job *a,
		     const struct result_job *b);
/* compare_figures.c: fills job->figure. Returns 0 or -ENOMEM. */
int compare_find_figures(struct compare *c, const struct compare_pair *pair, struct compare_job *job);
/* compare_condition.c: fills c->verdict. Returns 0, or -errno with d. */
int compare_judge(struct compare *c, struct diag *d);

#endif
