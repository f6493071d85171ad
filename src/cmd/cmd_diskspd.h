/* cmd_diskspd.h: the command line and tasks of the verb diskspd. Private to cmd_diskspd*.c and diskspd_*.c.
 */
#ifndef CMD_DISKSPD_H
#define CMD_DISKSPD_H

#include "cmd.h"
#include "cpuset.h"
#include "tojob.h"
#include "line.h"
#include "path_map.h"
#include "script.h"
#include "vec.h"
#include <stdbool.h>
#include "diag.h"

enum ds_verb { DS_RUN, DS_TO_JOB, DS_TO_PROFILE, DS_TO_SWEEP, DS_SUMMARY, DS_EXPLAIN, DS_FROM_JOB };

/* The command line: fiord's options, and DISKSPD's own arguments. */
struct ds_cmd {
	enum ds_verb verb;
	enum ds_dialect dialect;
	bool verb_given, for_fio, help, from_stdin;
	bool as_diskspd;       /* started under the name diskspd */
	bool recreate;         /* -c recreates files of other programs, too */
	enum ds_layout layout; /* --layout, or the dialect's */
	bool layout_given;
	struct ds_map map;
	struct shell_vars vars; /* --define, and assignments in scripts */
	const char *line_text;  /* --line, or a line that is one argument */
	char separator;         /* of the cells of --summary */
	const char *from_job;
	bool from_job_profile; /* --from-job prints a profile instead of a line */
	struct {
		const char **v;
		size_t n, cap;
	} run_args, line;       /* options for fiord run; DISKSPD's arguments */
	cmd_use_jobs *use_jobs; /* takes the jobs in place of a run; NULL: they are run */
	void *use_ctx;
	int argc; /* the whole command line, for the JSON document and --to-sweep */
	char *const *argv;
};

/* Splits the arguments after the verb: fiord's options begin with two dashes and may stand anywhere;
   DISKSPD's begin with one. Returns 0 or -errno with d; call ds_cmd_fini in any case. */
int ds_cmd_parse(struct ds_cmd *c, int argc, char *const *argv, struct diag *d);
/* cmd_diskspd_normalize.c: drops a program's name before the line, and moves a line in one argument to
   line_text. Refuses paths whose backslashes the shell has removed. Returns 0 or -errno with d. */
int ds_cmd_normalize(struct ds_cmd *c, struct diag *d);
void ds_cmd_fini(struct ds_cmd *c);
void ds_cmd_usage(const struct ds_cmd *c, struct strbuf *out);

/* One parsed line. */
struct ds_task {
	const struct ds_cmd *cmd;
	struct ds_line line;
	struct ds_profile xml_profile; /* of -X */
	struct ds_profile *profile;    /* the line's profile, or &xml_profile */
	const char *command;           /* "diskspd -b4K f": argv joined */
	int argc;
	const char *const *argv;
	struct notes notes;
};

/* Adds notes on what is not run: other commands of the script, and text behind its command i. */
void ds_script_notes(const struct script *s, size_t i, struct notes *notes);
/* --to-sweep: prints the command of fiord sweep that does the same as the loops of a script. Returns the exit
   code, with d on failure. */
int ds_to_sweep(struct ds_cmd *c, const char *script, struct diag *d);

/* --summary: prints a table of DISKSPD's XML results, given as files. Returns the exit code, with d
   on failure. */
int ds_summary(const struct ds_cmd *c, struct diag *d);

/* Under DISKSPD's name prints its warnings about the order of the I/Os on stderr: of a line those about the
   first target, whose settings the others share. fiord's own notes say more, and stand in the report. */
void ds_warn_as_diskspd(const struct ds_task *t);
/* Runs the line. Returns the exit code, with d on failure. */
int ds_run(struct ds_task *t, struct diag *d);
/* diskspd_check.c: checks that the processors and targets exist on this machine. Writes nothing. Returns 0 or
   -errno with d. */
int ds_check_machine(const struct ds_task *t, const struct cpuset *cpus, struct diag *d);
/* Translates the line and checks it against this machine. Returns 0 or -errno with d in DISKSPD's words. */
int ds_translate(struct ds_task *t, struct ds_job_cfg *cfg, struct ds_job *job, struct diag *d);
/* Plans the job on this machine, which checks files and free space. Returns 0 or -errno with d. */
int ds_plan_job(struct ds_task *t, const struct ds_job *job, struct diag *d);
/* -Rs: describes the system. Returns 0 or -errno with d. */
int ds_show_system(const struct ds_task *t, struct strbuf *out, struct diag *d);
/* Adds DISKSPD's XML of a run that could not start: the machine, the profile, and one time span with the
   reason in <Error>. Returns 0 or -errno. */
int ds_put_refusal(const struct job_set *set, const char *why, struct strbuf *out);
/* diskspd_probe.c: fills in the CPUs of this machine, and an engine that works on it. */
void ds_probe_machine(struct ds_job_cfg *cfg, struct cpuset *cpus);
/* Returns the size of a target; 0: it does not exist. For ds_job_cfg.size, so ctx is not used. */
uint64_t ds_probe_size(void *ctx, const char *path);
/* Returns true if -c leaves an existing file alone, because another program created it and the options in ctx
   (struct ds_cmd) do not permit writing it. */
bool ds_probe_preserved(void *ctx, const char *path);
/* Returns true if a line that writes to this existing file is refused, because another program put data
 * there. */
bool ds_probe_refused(void *ctx, const char *path);
/* DISKSPD's exit code for a refused line. */
#define DS_EXIT_REFUSED 3
int ds_exit_code(const struct diag *d);

/* cmd_fromjob.c. */
/* Prints a DISKSPD line to stdout if the jobs fit into one, otherwise (or if `profile`) an XML profile, with
   the options that have no counterpart as comments. Returns the exit code, with d on failure. */
int cmd_from_job(const char *file, bool profile, struct diag *d);

#endif
