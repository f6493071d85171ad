/* result.h: the description and the figures of a run, whether they come from a run or from a file. Reports,
   compare and merge read only this. The result owns all its data: its functions copy their arguments. */
#ifndef RESULT_H
#define RESULT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "arena.h"
#include "diag.h"
#include "limit.h"
#include "props.h"
#include "result_job.h"
#include "series.h"
#include "summary.h"

struct figure;

struct result_disk_counts {
	uint64_t ios[2], sectors[2], merges[2], ticks_ms[2]; /* read, write */
	uint64_t in_queue_ms;
	double util; /* percent */
};

/* Disks are in the order of output. The members of a stacked device (dm, md) follow it, and their level is
   one higher. */
struct result_disk {
	const char *name;
	unsigned level;
	struct result_disk_counts counts;
	unsigned members;               /* set by result_finish, as is aggr, unless a document has them */
	struct result_disk_counts aggr; /* the members' mean counts, and their highest util */
};

/* The machine. Strings are never NULL after result_environment. */
struct result_env {
	const char *host, *os, *kernel, *arch, *cpu;
	unsigned cpus; /* online: hardware threads */
	uint64_t memory_bytes;
	struct props props; /* host.h */
};

/* A device below the targets that share one file system or device. */
struct result_device {
	unsigned level; /* 0: directly below the targets; its disk or members follow, one level higher */
	struct props props;
};
struct result_target {
	const char *path; /* of the first target */
	const char *type; /* "file", "block device", a literal */
	uint64_t files;   /* number of targets */
	struct props fs;  /* empty for a device */
	struct result_device *devs;
	unsigned ndevs;
};

struct result_clock {
	const char *source; /* "tsc" or "clock_gettime" */
	double drift_ppm;
};

/* The figures of the plan. */
struct result_plan {
	unsigned sections, workers, processes, threads, groups, waves;
	uint64_t seed;
	uint64_t layout_bytes;                  /* to be written before the clocks start */
	const struct result_plan_space *spaces; /* the file systems that files are made or grow on */
	size_t nspaces;
	struct result_overwrite *overwrites; /* files of others that jobs write over */
	size_t noverwrites;
	const struct result_plan_job *jobs; /* the sections, in their order */
	size_t njobs;
};
struct result_overwrite {
	const char *path, *job; /* job: the first one that overwrites the file */
	uint64_t size_bytes;
	uint64_t modified_s; /* since 1970, as it was before the run; 0: earlier */
};
struct result_plan_space {
	const char *path, *fstype;       /* path: of a target there */
	uint64_t need_bytes, peak_bytes; /* laid out and preallocated; with what may be written */
	uint64_t free_bytes;
};
struct result_plan_job {
	const char *name;
	unsigned group, wave,
		stage; /* stage: of the whole plan; those of a wave start at different moments */
	unsigned workers;
	bool threads;
	bool repeat;                 /* randrepeat */
	uint64_t randseed;           /* as given, or the default */
	uint64_t seed;               /* of its first worker; it changes from run to run with randrepeat=0 */
	const char *verify_known_by; /* as in struct result_verify; NULL: it does not verify */
	uint64_t verify_memory_bytes;
};

/* The idle time of the CPUs in percent. */
struct result_idle {
	bool on;
	bool calibrated; /* a calibration without jobs: only the unit of work is known */
	double system;
	unsigned ncpus; /* 0: CPUs are not listed */
	struct result_cpu {
		unsigned number;
		double idle;
	} * cpus; /* ncpus of them */
	double unit_mean_us, unit_stddev_us;
};

/* The resources that fiord itself used, without the workers. */
struct result_self {
	uint64_t wall_ns, user_us, sys_us, region_bytes, max_rss_bytes;
	uint64_t children_user_us, children_sys_us; /* all child processes, from fork to exit */
};

#define RESULT_CODES 8

/* The end of the run. code: the exit code of the program; all: every code that applied, in order of rank. */
struct result_exit {
	int code, all[RESULT_CODES];
	unsigned count;
	int signal;      /* the signal that interrupted the run; 0: none */
	uint64_t ran_ns; /* duration of the run until the signal */
};

/* A run status group. result_finish fills it in. */
struct result_group {
	unsigned number;
	struct result_units units;     /* of its first job */
	bool mixed, both;              /* likewise */
	struct summary_group sum_both; /* in DIR_READ */
	struct summary_group sum;
};

/* The verdict of an assertion about one job, disk, or the whole run. */
struct result_verdict {
	const char *assertion; /* as typed */
	const char *of;     /* the job, with a number if several have its name, or the disk; NULL: the run */
	const char *figure; /* "read.clat.p99" */
	const char *op;     /* "<" */
	enum limit_unit unit; /* of both values */
	double limit, measured;
	bool passed;
	const char *why; /* the reason why no value was measured; NULL: there is one */
};
struct result_verdicts {
	struct result_verdict *v;
	size_t n, cap;
};

/* The status entries that report_json_status wrote during the run. They are not copied. */
struct result_statuses {
	char *const *text;
	size_t n;
};

/* One wave of a rank. */
struct result_host_wave {
	unsigned wave;          /* from 0 */
	bool late_known;        /* false: no job of the wave shows when it started, as with ramp_size */
	uint64_t start_ns;      /* the common start of this wave, after that of the first one */
	uint64_t start_late_ns; /* the last worker that starts with the wave, after its common start */
	uint64_t took_ns;       /* from the common start until the last worker was done */
};
enum result_straggler {
	STRAGGLER_NONE,
	STRAGGLER_LATE, /* took longer for a wave than others */
	STRAGGLER_SLOW, /* moved less data per second than others */
};

/* A rank of fiord-mpi. Times begin with the common start of the first wave. */
struct result_host {
	const char *hostname; /* as in its entries */
	unsigned rank;
	unsigned program;                     /* ranks with the same command line have the same number */
	const struct result_host_wave *waves; /* those that it ran, in their order */
	size_t nwaves;                        /* 0: it measured nothing, and the times are not known */
	bool late_known;
	uint64_t start_late_ns; /* the most of any wave */
	uint64_t done_ns;       /* its last worker was done */
	uint64_t ios, bytes;    /* reads, writes and trims */
	int code;               /* the exit code of its part of the run */
	const char *error;      /* NULL: none */
	/* Set by result_finish. Others: the median of the ranks of the same program. */
	enum result_straggler straggler;
	unsigned straggler_wave;                    /* STRAGGLER_LATE */
	uint64_t straggler_value, straggler_median; /* STRAGGLER_LATE: ns; STRAGGLER_SLOW: bytes per s */
};

/* The ranks of a run on several hosts, by rank; hosts.h. */
struct result_hosts {
	struct result_host *v;
	size_t n, cap;
	/* Set by result_finish: the ranks that began last, were done first, and were done last. */
	bool known, late_known;
	size_t latest, first_done, last_done;
};

/* The run over time. It is always recorded; reports print it only if `on` is set. */
struct result_series {
	bool on, per_job;  /* one for each worker, not each run status group */
	bool json_plus;    /* plain JSON does not have it */
	uint64_t start_ms; /* since 1970: when the grid begins */
	struct series data;
	const struct result_series_label {
		const char *name; /* of the job, or the group's first */
		unsigned group, clone;
		bool in_report; /* false for jobs with stats=0, which no report has */
	} * label;              /* data.ngroups of them */
};

struct result {
	struct arena mem;
	bool as_fio;             /* runs under fio's name: JSON without the key "fiord" */
	bool bins_off;           /* JSON without bins, as plain JSON is */
	bool compact;            /* JSON for a page: no blanks, short histograms in the series */
	bool has_shares;         /* of bandwidth, from a document; result_finish does not compute them */
	bool failed;             /* memory was short: the reports say -ENOMEM */
	const char *program;     /* "fiord" */
	const char *version;     /* "1.0.0" */
	const char *fio_version; /* "3.42" */
	const char *command;     /* the command line, one string */
	uint64_t timestamp_ms;   /* since 1970, when the result was made */
	const char *answer; /* a sentence that stands above the figures (fiord preset disk); NULL: none */
	unsigned run, runs; /* --repeat: number of this run, from 1, and how many; 0: the jobs ran once */
	const struct result_opt *globals;
	size_t nglobals;
	bool several_files; /* several job files: fio leaves "global options" out */
	struct result_job **jobs;
	size_t njobs, jobs_cap;
	struct result_group *groups;
	size_t ngroups;
	struct result_disk *disks;
	size_t ndisks, disks_cap;
	struct result_target *targets;
	size_t ntargets, targets_cap;
	struct notes notes;
	struct result_env env;
	struct result_clock clock;
	struct result_plan plan;
	struct result_self self;
	struct result_idle idle;
	struct result_exit exit;
	struct result_series series;
	struct result_statuses statuses;
	struct result_verdicts verdicts;
	struct result_hosts hosts;  /* of fiord-mpi; empty without it */
	bool client_stats;          /* a result of several hosts: the last entry is the sum of all */
	struct result_spans *spans; /* spans.h: data of DISKSPD's reports; NULL: none */
};

/* Initialises an empty result with copies of the three names. */
void result_init(struct result *r, const char *program, const char *version, const char *fio_version);
void result_free(struct result *r); /* accepts a zeroed one; not the memory of *r itself */

/* Returns a copy of the text that lives as long as the result; NULL stays NULL. When memory is short, it
   returns NULL and sets r->failed. */
const char *result_copy_text(struct result *r, const char *text);
/* The same for an array of n entries of this size; NULL if it has none. */
void *result_copy_array(struct result *r, const void *v, size_t n, size_t bytes);
/* Copies the texts and lists of the rows of figures.h, to which the struct `of` points. */
void result_copy_figures(struct result *r, const struct figure *rows, void *of);
/* Copies an entry to the end of a list of the struct `of`. No other function adds to it. */
void result_add_entry(struct result *r, const struct figure *list, void *of, const void *entry);
/* Both copy the caller's text; NULL stays NULL. */
void result_command(struct result *r, int argc, char *const *argv);
void result_globals(struct result *r, const struct result_opt *opt, size_t n);
bool result_same_options(const struct result_opt *a, size_t na, const struct result_opt *b, size_t nb);
/* Adds a copy of *v. Its texts must live as long as the result. Returns false when memory is short. */
bool result_add_verdict(struct result *r, const struct result_verdict *v);
void result_add_disk(struct result *r, const struct result_disk *disk);
/* Adds a copy of *target with all its devices. */
void result_add_target(struct result *r, const struct result_target *target);
void result_plan_jobs(struct result *r, const struct result_plan_job *job, size_t n);
/* Adds a copy of *file. */
void result_overwrite(struct result *r, const struct result_overwrite *file);
/* Adds a copy of *space. */
void result_plan_space(struct result *r, const struct result_plan_space *space);
/* Frees the targets; result_free calls this. */
void result_free_targets(struct result *r);
/* Copies *idle and its cpu array. */
void result_set_idle(struct result *r, const struct result_idle *idle);
void result_note(struct result *r, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* Renders all notes with the names of this speller. */
void result_spell(struct result *r, const struct speller *s);
/* Records that `code` applied. exit.code becomes the code of highest rank; the order is 2 and 3, then 4, 1,
   6, 128 + n, 5. */
void result_exit_code(struct result *r, int code);
/* Records that signal `sig` interrupted the run after ran_ns, and adds the code 128 + sig. */
void result_interrupted(struct result *r, int sig, uint64_t ran_ns);
/* Sets the time alone, for a status entry during the run, which has no facts about the machine. */
void result_set_time(struct result *r);
/* Sets env and clock.source from this machine, and the time. */
void result_environment(struct result *r);
/* Moves the series out of `from`, which is empty afterwards, and copies label[]. */
void result_move_series(struct result *r, struct series *from, const struct result_series_label *label,
			uint64_t start_ms);
/* Computes groups, shares and the aggregates of stacked devices. The caller adds all jobs and disks first. */
void result_finish(struct result *r);

#endif
