/* shell.h: a line as pasted from a guide, a script or a terminal -> the arguments that DISKSPD would see.
   Prompts, "& $exe", cmd /c, quotes, redirects, pipes, continued lines, comments and REM are furniture;
   backslashes are never escapes. What a shell would still have to fill in ($x, %x%, $( )) is refused by name.
   Pure. */
#ifndef DISKSPD_SHELL_H
#define DISKSPD_SHELL_H

#include <stdbool.h>
#include "arena.h"
#include "diag.h"

struct shell_line {
	struct arena mem;
	char **argv; /* without the program's name; NULL-terminated */
	int argc;
	bool program;   /* the program was named: a line of arguments only begins with '-' */
	char *redirect; /* "> out.txt" as written, NULL: none. It may have swallowed the target. */
	char *rest;     /* what follows a pipe, ; or &&, as written; NULL: nothing */
};

/* The next line of a text, continued lines (` ^ or \ at the end) joined; *text moves behind it. Lines without
   a command (blank, comment, REM, @echo off) are passed over. NULL: no more lines, or memory is short (then
   *text is not at its end). The line is the caller's to free. */
char *shell_next(const char **text);

/* Splits one such line. 0, or -errno with d worded for the user; s needs a fini in any case. */
int shell_split(struct shell_line *s, const char *line, struct diag *d);
void shell_fini(struct shell_line *s);

#endif
