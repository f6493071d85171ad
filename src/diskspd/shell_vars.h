/* shell_vars.h: variables of shells and scripts: how a line refers to them ($x, ${env:x}, %X%, %%i), and
   their values. Pure. */
#ifndef DISKSPD_SHELL_VARS_H
#define DISKSPD_SHELL_VARS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "arena.h"
#include "diag.h"

struct shell_var {
	const char *name, *value;
	bool user_defined; /* by --define: assignments in a script do not change it */
	bool splits_words; /* the value may have several words; otherwise it is a part of one word */
	bool is_number;    /* PowerShell computes with it; "+" joins other values */
};

/* Zeroed at first. Call shell_vars_fini in any case. */
struct shell_vars {
	struct arena mem;
	struct shell_var *v;
	size_t n, cap;
};

/* Adds "NAME=VALUE" of --define. The name may be written as in a script ($x, %X%, (dir x)). Returns 0 or
   -errno with d. */
int shell_vars_define(struct shell_vars *vars, const char *text, struct diag *d);
/* Sets a variable by an assignment in a script. value NULL: only a shell can compute it, and the variable has
   no value from now on. Returns 0 or -errno with d. */
int shell_vars_set(struct shell_vars *vars, const char *name, size_t len, const char *value, bool text,
		   struct diag *d);
int shell_vars_set_number(struct shell_vars *vars, const char *name, size_t len, int64_t number,
			  struct diag *d);
/* Finds a variable. Upper and lower case are the same, as in cmd and PowerShell, but an exact match comes
   first. "env:x" is x. Returns NULL if the variable has no value. */
const struct shell_var *shell_vars_find(const struct shell_vars *vars, const char *name, size_t len);
void shell_vars_fini(struct shell_vars *vars);

/* A reference to a variable in a line. */
struct shell_ref {
	const char *name; /* without "env:"; the whole text if only a shell can compute it */
	size_t name_len, len;
	bool needs_shell; /* only a shell can compute it: $(Get-Item x), %X:~0,2%, (dir x) */
};

/* Returns true if a reference begins at s. `start`: a word begins here, too. */
bool shell_ref_at(const char *s, bool start, struct shell_ref *ref);

/* Returns the length of the variable's name that begins at s; 0: none. */
size_t shell_vars_name_len(const char *s);

/* Returns the length of an expression for a shell that begins a word: (dir x), @(1, 2). 0: none. */
size_t shell_vars_expression_len(const char *s);

/* Returns the length of the text up to the closing bracket. */
size_t shell_bracket_len(const char *s);

#endif
