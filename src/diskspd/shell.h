/* shell.h: a command as pasted from a guide, a script or a terminal -> the arguments that DISKSPD would see.
   Prompts, "& $exe", cmd /c, quotes, redirects, pipes, comments and REM are furniture; backslashes are never
   escapes. Names that a shell would fill in ($x, %x%) get their values from shell_vars.h; those without one
   are refused together, and what only a shell can work out ($( )) is refused by name. Pure. */
#ifndef DISKSPD_SHELL_H
#define DISKSPD_SHELL_H

#include <stdbool.h>
#include "arena.h"
#include "diag.h"
#include "shell_vars.h"

struct strbuf;

/* What joins the rest of a line to its first command. */
enum shell_join { SHELL_END, SHELL_THEN /* ; & */, SHELL_AND, SHELL_OR, SHELL_PIPE };

/* Text without a value. */
struct shell_unset {
	char *text, *name; /* "${env:x}", "x"; name is NULL where only a shell can work it out */
	unsigned line;     /* of the script; 0: not said */
};

struct shell_line {
	struct arena mem;
	char **argv; /* without the program's name; NULL-terminated */
	int argc;
	bool has_program;     /* the program was named: a line of arguments only begins with '-' */
	bool replaced_dashes; /* typographic dashes were read as "-" */
	char *redirect;       /* "> out.txt" as written, NULL: none. It may have swallowed the target. */
	char *rest;           /* what follows a pipe, ; or &&, as written; NULL: nothing */
	enum shell_join join;
	struct {
		struct shell_unset *v;
		size_t n, cap;
	} unset;
};

/* Splits one command. 0, or -errno with d worded for the user; s needs a fini in any case. */
int shell_split(struct shell_line *s, const char *line, const struct shell_vars *vars, struct diag *d);
void shell_fini(struct shell_line *s);

/* The operator at *at, if one stands there; *at moves to what it joins. SHELL_THEN where none stands. */
enum shell_join shell_join_at(const char **at);

/* One word with its quotes taken away and names filled in, in `mem`; *at moves behind it. -ENODATA: a name in
   it has no value. */
int shell_word(const char **at, const struct shell_vars *vars, char **value, struct arena *mem,
	       struct diag *d);

/* "$x, %y%: a shell or script fills in these names: --define x=VALUE ..." */
void shell_unset_text(const struct shell_unset *m, size_t n, struct strbuf *out);

#endif
