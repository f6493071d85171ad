/* shell_vars.h: names that a shell or a script fills in: how they are written ($x, ${env:x}, %X%, %%i) and
   their values. Pure. */
#ifndef DISKSPD_SHELL_VARS_H
#define DISKSPD_SHELL_VARS_H

#include <stdbool.h>
#include <stddef.h>
#include "arena.h"
#include "diag.h"

struct shell_var {
	const char *name, *value;
	bool user_defined; /* by the user: a script does not change it */
	bool splits_words; /* the words in the value are words of the line; otherwise it is a part of one word
			    */
};

/* Zeroed at first; fini it in any case. */
struct shell_vars {
	struct arena mem;
	struct shell_var *v;
	size_t n, cap;
};

/* "NAME=VALUE" of the user; the name may be written as in a script ($x, %X%). 0 or -errno with d. */
int shell_vars_define(struct shell_vars *vars, const char *text, struct diag *d);
/* A script sets it. A value that is NULL is one that only the shell can work out: the name has none then. */
int shell_vars_set(struct shell_vars *vars, const char *name, size_t len, const char *value, bool text,
		   struct diag *d);
/* Letters of either case are the same, as in cmd and PowerShell, and "env:x" is x; a name in the same letters
   goes first. NULL: it has no value. */
const struct shell_var *shell_vars_find(const struct shell_vars *vars, const char *name, size_t len);
void shell_vars_fini(struct shell_vars *vars);

/* A reference in a line. */
struct shell_ref {
	const char *name; /* "env:" taken away */
	size_t name_len, len;
	bool needs_shell; /* $(Get-Item x), %X:~0,2%: only a shell can work it out */
};

/* Whether one begins here; `start`: a word begins here, too. */
bool shell_ref_at(const char *s, bool start, struct shell_ref *ref);

/* The length up to the bracket that closes the first one. */
size_t shell_bracket_len(const char *s);

#endif
