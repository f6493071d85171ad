/* cmd_diskspd.h: what the parts of the verb diskspd share. */
#ifndef CMD_DISKSPD_H
#define CMD_DISKSPD_H

#include "cmd.h"
#include "cpuset.h"
#include "emit.h"
#include "line.h"
#include "paths.h"
#include "vars.h"
#include "vec.h"

enum ds_verb { DS_RUN, DS_TO_JOB, DS_TO_PROFILE, DS_EXPLAIN, DS_FROM_JOB };

/* What the command line says besides DISKSPD's own arguments. */
struct ds_cmd {
	enum ds_verb verb;
	enum ds_dialect dialect;
	bool verb_given, fio, help, from_stdin;
	bool named;            /* started as "diskspd": as DISKSPD does */
	bool recreate;         /* -c makes files anew whosesoever they are */
	enum ds_layout layout; /* --layout, else that of the dialect */
	bool layout_given;
	struct ds_map map;
	struct shell_vars vars; /* --define, and what scripts assign */
	const char *text;       /* --line, or a line that is one argument */
	const char *from_job;
	bool from_job_profile; /* as a profile */
	struct {
		const char **v;
		size_t n, cap;
	} ours, line; /* options of the run itself; DISKSPD's arguments */
	int argc;     /* all of it, for the document */
	char *const *argv;
};

/* Splits the arguments behind the verb. Ours begin with two dashes and stand anywhere; DISKSPD's have one. 0
   or -errno with d; fini it in any case. */
int ds_cmd_parse(struct ds_cmd *c, int argc, char *const *argv, struct diag *d);
/* Arguments as people type them: a program's name in front is dropped, a line that is one argument becomes
   the text. Paths that lost their backslashes are refused: 0 or -errno with d. */
int ds_cmd_typed(struct ds_cmd *c, struct diag *d);
void ds_cmd_fini(struct ds_cmd *c);
void ds_cmd_usage(const struct ds_cmd *c, struct strbuf *out);

/* One line, read and complete. */
struct ds_task {
	const struct ds_cmd *cmd;
	struct ds_line line;
	struct ds_profile xml;      /* of -X */
	struct ds_profile *profile; /* the one that counts */
	const char *command;        /* "diskspd -b4K f": argv joined */
	int argc;
	const char *const *argv;
	struct notes notes;
};

/* Runs it: the exit code, with d of what was refused. */
int ds_run(struct ds_task *t, struct diag *d);
/* diskspd_check.c: whether its processors and targets are here. 0 or -errno with d; nothing is touched. */
int ds_check_here(const struct ds_task *t, const struct cpuset *cpus, struct diag *d);
/* Translates it and looks whether that runs here, too; d is in the line's words. */
int ds_emit_here(struct ds_task *t, struct ds_job_cfg *cfg, struct ds_job *job, struct diag *d);
/* Whether that job can be planned here: its files, and room for them. */
int ds_plan_here(struct ds_task *t, const struct ds_job *job, struct diag *d);
/* -Rs: what the system is like. 0, or -errno with d. */
int ds_show_system(const struct ds_task *t, struct strbuf *out, struct diag *d);
/* diskspd_here.c: fills in the CPUs of this machine, and an engine that works here. */
void ds_job_here(struct ds_job_cfg *cfg, struct cpuset *cpus);
/* How large a target is that is there; 0: it is missing. */
uint64_t ds_size_here(void *ctx, const char *path);
/* Whether a file is there that -c leaves alone: fiord has not made it, and ctx, the struct ds_cmd, does not
   name it. */
bool ds_kept_here(void *ctx, const char *path);
/* The exit code of an error, as DISKSPD has it: 3 refused, 1 failed. */
#define DS_EXIT_REFUSED 3
int ds_exit_code(const struct diag *d);

#endif
