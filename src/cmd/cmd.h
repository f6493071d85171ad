/* cmd.h: the verbs. Each returns the exit code; main prints the error in d. */
#ifndef CMD_H
#define CMD_H

#include "cmdline.h"
#include "diag.h"
#include "exit_code.h"
#include "plan.h"

struct strbuf;

/* Prepares the standard streams and the signals of a program; call it first. */
void cmd_init_process(void);
/* Returns true if the program was started under the name diskspd. */
bool cmd_is_diskspd(const char *program);
/* argv[1] is the verb, unless the program was started as diskspd. Prints its own errors. */
int cmd_diskspd(int argc, char *const *argv);
/* What a verb does with the jobs of a command line. text: the job file that a DISKSPD line became; else NULL.
   Returns 0 or -errno with d. */
typedef int cmd_use_jobs(void *ctx, struct job_set *set, const char *text, struct diag *d);
/* Translates `fiord diskspd LINE...` and passes its jobs on in place of running them. Returns 0 or -errno
   with d. */
int cmd_diskspd_jobs(int argc, char *const *argv, cmd_use_jobs *use, void *ctx, struct diag *d);
/* Parses `fiord preset NAME OPTION...`, like cmdline_parse; argv[at] is the name. */
int cmd_preset_parse(int at, enum cmdline_verb verb, struct cmdline *c, struct job_set *set, int argc,
		     char *const *argv, struct diag *d);
int cmd_run(struct job_set *set, struct diag *d);
int cmd_check(struct job_set *set, struct diag *d);
/* Adds the text that the verb check prints. */
void cmd_check_text(const struct plan *p, struct strbuf *b);
/* Writes documents about a refused run to stdout, in those of the formats asked for there that can hold it:
   JSON, and DISKSPD's XML if the line is right but a target is missing, as in DISKSPD. Creates and replaces
   no file. */
void cmd_put_refusal(const struct job_set *set, int code, const struct diag *d);
/* Reports a run that did not start: renders d in the words of the set, and calls cmd_put_refusal. Returns
   code. */
int cmd_refuse(const struct job_set *set, int code, struct diag *d);
/* Refuses a run whose output, logs, trigger file or other files would replace targets or lie below /dev.
   Returns 0 or -errno with d. */
int check_outputs(const struct plan *p, struct diag *d);
/* Prints help: the list of verbs, the page of a verb, or what cmd_info prints. */
int cmd_help(const struct cmdline *c, const struct job_set *set, struct diag *d);
/* Prints the version, engines, options, or the help of an option. The verbs call this function. They
   cannot call cmd_help, which lists the verbs. */
int cmd_info(const struct cmdline *c, const struct job_set *set, struct diag *d);
/* Prints a compressed log. Returns the exit code. */
int cmd_inflate(const char *path, struct diag *d);
/* Closes standard output at the end of the program. Prints an error if this fails: a file system may say only
   then that it had no room. Returns the exit code, which was `code` so far. */
int cmd_close_stdout(const char *name, int code);
/* Returns the exit code of an error before the run started. */
int cmd_code(const struct diag *d);
/* Returns the program's name in messages; of a rank of fiord-mpi with its host. */
const char *cmd_name(const struct job_set *set);
/* Returns the exit code of the program. Under the name fio it is 0, 1 for every failure, or 128 for a
   signal. */
int cmd_exit_code(const struct job_set *set, int code);
/* Writes all of text to stdout. Returns 0 or EXIT_OUTPUT with d. */
int cmd_put(const char *text, struct diag *d);
/* The same for a buffer, which it frees. */
int cmd_put_buffer(struct strbuf *b, struct diag *d);

#endif
