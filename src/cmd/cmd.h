/* cmd.h: the verbs. Each returns the exit code; errors are printed by main. */
#ifndef CMD_H
#define CMD_H

#include "cmdline.h"
#include "diag.h"
#include "exit_code.h"
#include "plan.h"

/* fiord diskspd ...: argv[1] is the verb. Started as "diskspd" there is none. Prints its own errors. */
bool cmd_as_diskspd(const char *program);
int cmd_diskspd(int argc, char *const *argv);
int cmd_run(struct job_set *set, struct diag *d);
int cmd_check(struct job_set *set, struct diag *d);
/* Nothing was run: whoever reads JSON from stdout is told so in a document. No file is made or replaced for
 * that. */
void cmd_refused(const struct job_set *set, int code, const struct diag *d);
/* The result, the files of commands and the trigger must not be targets, nor be made below /dev; and whether
   the files behind buffers may be written. */
int check_outputs(const struct plan *p, struct diag *d);
int cmd_help(const struct cmdline *c, const struct job_set *set, struct diag *d);
/* Prints how long the unit of work of --idle-prof takes. Returns the exit code. */
int cmd_idle_calibrate(struct diag *d);
/* Prints a compressed log. */
int cmd_inflate(const char *path, struct diag *d);
/* The exit code of an error that came before anything was run. */
int cmd_code(const struct diag *d);
/* What the program calls itself. */
const char *cmd_name(const struct job_set *set);
/* In fio's name there are fewer exit codes: 0, 1 for everything that failed, 128 interrupted. */
int cmd_exit_code(const struct job_set *set, int code);
/* Writes all of text to stdout. 0 or EXIT_OUTPUT with d. */
int cmd_put(const char *text, struct diag *d);

#endif
