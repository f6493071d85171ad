/* script.h: reads the DISKSPD commands from pasted lines or from a script of cmd, PowerShell or sh.
   Understands assignments, "A && B", "A ; B", remarks, and commands that start no program; refuses loops
   and conditions. Pure. */
#ifndef DISKSPD_SCRIPT_H
#define DISKSPD_SCRIPT_H

#include "shell.h"

struct script_command {
	struct shell_line command;
	unsigned line;             /* number of its first line, from 1 */
	enum shell_join condition; /* SHELL_AND: runs if the command before succeeded; SHELL_OR: if it failed;
				      others always */
	char *skipped;             /* text after the command that is not run, as written; NULL: none */
};

struct script {
	struct arena mem;
	struct script_command *v;
	size_t n, cap;
	unsigned lines; /* number of lines of the text */
	char *others;   /* commands of other programs, which are skipped: "make (line 3)"; NULL: none */
};

/* Reads the whole text before anything is run. Assignments go into `vars`. Returns 0, or -errno with d, which
   names the line if the text has several. Call script_fini in any case. */
int script_read(struct script *s, const char *text, struct shell_vars *vars, struct diag *d);
void script_fini(struct script *s);

/* Returns the end of a statement: the first of the characters `ends` outside of quotes and brackets, or the
   end of the text. A remark belongs to the statement, unless `ends` has a '#'. */
const char *script_skip(const char *s, const char *ends);

#endif
