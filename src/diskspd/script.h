/* script.h: a text of pasted lines, or a script of cmd, PowerShell or sh -> its DISKSPD commands, one after
   the other. It knows assignments, "A && B", "A ; B", remarks, and commands that start nothing; it follows no
   loops and conditions: they are refused. Pure. */
#ifndef DISKSPD_SCRIPT_H
#define DISKSPD_SCRIPT_H

#include "shell.h"

struct script_command {
	struct shell_line command;
	unsigned line;             /* where it begins, from 1 */
	enum shell_join condition; /* SHELL_AND: if the one before succeeded; SHELL_OR: if it failed;
				      otherwise always */
	char *skipped;             /* what follows and is not done, as written; NULL: nothing */
};

struct script {
	struct arena mem;
	struct script_command *v;
	size_t n, cap;
	unsigned lines; /* of the text */
};

/* Reads all of it before anything is run. Assignments go into `vars`. 0, or -errno with d, which has the
   number of the line where the text has several; s needs a fini in any case. */
int script_read(struct script *s, const char *text, struct shell_vars *vars, struct diag *d);
void script_fini(struct script *s);

/* The end of a statement: one of the characters of `ends` outside of quotes and brackets, or the end of the
 * text. */
const char *script_skip(const char *s, const char *ends);

#endif
