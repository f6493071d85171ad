/* job.h: the job set: the jobs that the user asked for, read from job files and the command line. Every
   option is parsed; the system has not been examined yet. */
#ifndef JOB_H
#define JOB_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "arena.h"
#include "diag.h"
#include "engine.h"
#include "opt.h"
#include "options.h"
#include "out_format.h"

struct place {
	const char *file; /* as the user named it; "command line"; "standard input" */
	unsigned line;    /* 0: command line */
};

/* One option as the user gave it. */
struct user_option {
	const char *name; /* canonical */
	const char *text; /* as typed; NULL for a bare word */
	struct place at;
};
struct user_options {
	struct user_option *v;
	size_t n, cap;
};

/* One section, before numjobs makes clones of it. */
struct job {
	const char *name;
	const char *section; /* the name of its section, as in the names of its files; name= may differ */
	struct place at;
	struct job_opts opts;
	const struct engine *engine;
	void *engine_opts;             /* engine->opts_size bytes, or NULL */
	struct user_options inherited; /* from the command line and [global]s; each where it was given last */
	struct user_options own;       /* of the section itself, with --set, in the same order */
	struct user_options overridden; /* of the command line, where the job file sets another value */
	bool first_of_file; /* the first section of a file after the first: starts as if after stonewall */
};

enum eta_mode { ETA_AUTO, ETA_ALWAYS, ETA_NEVER, ETA_FULL };

/* --debug topics that print more. The others only add a note. */
enum debug_topic {
	DEBUG_PROCESS = 1 << 0,
	DEBUG_FILE = 1 << 1,
	DEBUG_IO = 1 << 2,
	DEBUG_RANDOM = 1 << 6,
	DEBUG_PARSE = 1 << 7,
	DEBUG_JOB = 1 << 9,
	DEBUG_KNOWN = DEBUG_PROCESS | DEBUG_FILE | DEBUG_IO | DEBUG_RANDOM | DEBUG_PARSE | DEBUG_JOB,
};

/* Conditions outside the run that end it. */
struct trigger_cfg {
	char *file;          /* its appearance ends the run; NULL: none */
	uint64_t timeout_ns; /* time after the start; 0: never */
	char *command;       /* runs at the end; NULL: none */
};

enum idle_prof { IDLE_OFF, IDLE_SYSTEM, IDLE_PERCPU, IDLE_CALIBRATE };

/* The series in the document: one for each run status group or for each worker. The default is that JSON+
   has a coarse one for each group. */
enum series_of { SERIES_DEFAULT, SERIES_NONE, SERIES_GROUP, SERIES_JOB };

/* This program among those that run the jobs together (fiord-mpi). fiord alone is rank 0 of 1. */
struct rank_info {
	uint32_t rank, ranks; /* ranks 0: 1 */
	uint64_t entropy;     /* the same on all ranks: for randrepeat=0 and the number of the run; 0: none */
};

/* Options of the whole run, from the command line only. */
struct run_opts {
	bool as_fio; /* started under the name fio */
	/* The name of the preset, and a note on how to read its report. NULL: the jobs are the user's. The
	   jobs of a preset write only files that fiord created. The caller owns both texts. */
	const char *preset, *reading;
	/* The files of --output=FORMAT:FILE, one or several formats each, and the formats of `output`.
	   Standard output, or the file of a plain --output, has the formats that have no file of their own.
	 */
	struct out_file output; /* path NULL: stdout; formats 0: nothing goes there */
	struct out_file *files;
	size_t nfiles;
	char *report, *csv;            /* files for the HTML page and the table; NULL: none */
	char *junit;                   /* file for the verdicts; NULL: none */
	const char *const *assertions; /* --assert, as typed */
	size_t nassertions;
	char *live; /* file or FIFO for lines about each interval; "-": stdout, which then has no formats;
		       NULL: none */
	char *prometheus;          /* file for metrics; NULL: none */
	uint64_t live_interval_ns; /* of both; 0: neither is given */
	uint32_t repeat;           /* runs of the whole job set; 0: 1 */
	unsigned formats;          /* enum out_format bits of all files together; default OUT_NORMAL */
	unsigned terse_version;    /* 2 to 5 */
	bool merge;            /* the result is merged with others: it has bins and a series in any format */
	struct rank_info rank; /* set by the program */
	const char *message_name; /* begins messages, such as "fiord-mpi: n3 (rank 2)"; NULL: usual */
	bool parse_only, showcmd, readonly, warnings_fatal;
	enum eta_mode eta;
	uint64_t eta_newline_ns, eta_interval_ns; /* 0: off; default 500 ms */
	uint64_t status_interval_ns;              /* 0: none */
	char *aux_path;
	char *bandwidth_log; /* prefix, "" for the usual one; NULL: none */
	/* The name of this rank, if several run the jobs: it ends the names of the files that the run writes
	   beside its targets. NULL: one machine runs them alone. The caller owns it. */
	const char *rank_name;
	int64_t realtime_ns; /* add to CLOCK_REALTIME for that of the rank with the smallest number */
	struct trigger_cfg trigger;
	enum idle_prof idle_prof;
	enum series_of series;
	uint32_t debug; /* enum debug_topic, bits in the order of fio's list */
};

struct ds_profile;

/* The DISKSPD line from which the jobs were translated. Without such a line all fields are zero. */
struct job_diskspd {
	const struct ds_profile *profile; /* as run, mapped; the caller's */
	const char *command;              /* argv joined */
	unsigned layout;                  /* enum ds_layout of src/diskspd/profile.h */
	bool as_diskspd;                  /* spans.h */
	uint64_t dots;                    /* -P: number of I/Os for each dot; 0: no dots */
	bool verbose;                     /* -v: a line for each phase */
};

struct job_set {
	struct arena arena; /* owns all text and arrays here */
	struct job *jobs;
	size_t njobs;
	struct user_options globals; /* for JSON "global options": of the only file, or empty */
	bool has_globals;
	struct notes notes;
	const struct speller
		*speller; /* the words of errors and notes; NULL: those of job files. The caller's */
	struct run_opts run;
	struct job_diskspd diskspd;
	struct trace_saved *streams; /* copies of those that are traces; NULL: none. Owned */
	bool stdin_has_jobs;         /* standard input is a job file */
	bool is_translation;         /* translated from a line of another program */
	bool count_reap_waits;       /* count how often a reap waits, and how many I/Os it returns */
	int argc;                    /* the command line, for the document */
	char *const *argv;
};

void job_set_fini(struct job_set *s);
/* Makes the jobs behave as in DISKSPD: a failed I/O ends the run; an I/O that ends after the measured time
   does not count; a file that is only written is opened for writing only. */
void job_set_as_diskspd(struct job_set *s);

/* Appends an option in place of an earlier one of the same name. With `adds` (opt_adds) the earlier value and
   this character stand before the new value. The array is in the arena. Returns false when memory is short.
 */
bool user_options_put(struct user_options *l, struct arena *a, const struct user_option *option, char adds);
void user_options_remove(struct user_options *l, const char *name);
/* Returns the last option of this name, or NULL. */
const struct user_option *user_options_find(const struct user_options *l, const char *name);
/* Returns the option that applies to this section, or NULL. */
const struct user_option *job_user_option(const struct job *job, const char *name);
/* Returns whether both have the same text, or both are NULL. */
bool user_option_equal(const struct user_option *a, const struct user_option *b);

/* thread_group_same returns whether both sections belong to one thread_group, thread_group_lead the first
   section of the job's group. */
bool thread_group_same(const struct job *a, const struct job *b);
const struct job *thread_group_lead(const struct job_set *set, const struct job *job);

/* Returns the directions in which the job uses its files, rw_bits: verification reads the files of a job that
   writes, and verify_only reads in place of writing. Layout is not included. */
unsigned job_access(const struct job *job);
/* Returns whether the job verifies data of an earlier run, which its files must have. */
bool job_checks_earlier(const struct job *job);

/* Returns whether the worker itself does each I/O in the call that submits it. rule_depth() makes the depth
 * of such a job 1. */
static inline bool job_synchronous(const struct job *job)
{
	return job->engine->caps & ENG_SYNC && !job->opts.queue.offload;
}

/* The table of core options (job/rows.c); its struct is struct job_opts. */
extern const struct opt_table job_options;

#endif
