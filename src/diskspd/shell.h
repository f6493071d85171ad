/* shell.h: splits a pasted command (from a guide, a script or a terminal) into the arguments that
   DISKSPD would see. Ignores prompts, "& $exe", cmd /c, redirections, pipes, comments and REM; removes
   quotes; backslashes are not escapes. Fills in names ($x, %x%). An error lists all
   names without a value, and expressions that only a shell can compute, such as $( ). Pure. */
#ifndef DISKSPD_SHELL_H
#define DISKSPD_SHELL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "arena.h"
#include "diag.h"
#include "vec.h"

/* shell_vars.c: variables of shells and scripts: how a line refers to them ($x, ${env:x}, %X%, %%i), and
   their values. Pure. */

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

struct strbuf;

/* The operator between a command and the rest of the line. */
enum shell_join { SHELL_END, SHELL_THEN /* ; & */, SHELL_AND, SHELL_OR, SHELL_PIPE };

/* A name or expression without a value. */
struct shell_unset {
	char *text, *name; /* "${env:x}", "x"; an expression is its own name */
	unsigned line;     /* line of the script; 0: not known */
};

struct shell_line {
	struct arena mem;
	char **argv; /* without the program's name; ends with NULL */
	int argc;
	bool has_program;     /* the line names the program; otherwise it begins with '-' */
	bool other_program;   /* refused because it does not begin with DISKSPD, nor name it */
	bool replaced_dashes; /* typographic dashes were read as "-" */
	char *redirect;       /* "> out.txt" as written; NULL: none. It may have taken the target. */
	char *rest;           /* the text after a pipe, ; or &&, as written; NULL: nothing */
	enum shell_join join;
	VEC(struct shell_unset) unset;
};

/* Splits one command. Returns 0, or -errno with d for the user. Call shell_fini in any case. */
int shell_split(struct shell_line *s, const char *line, const struct shell_vars *vars, struct diag *d);
void shell_fini(struct shell_line *s);

/* Returns true if the arguments have a target, or an option that needs none (-X, -?, -Rs, -ye). */
bool shell_has_target(const struct shell_line *s);

/* Reads the operator at *at, and moves *at to the next command. SHELL_THEN if no operator stands there. */
enum shell_join shell_join_at(const char **at);

/* Reads one word: removes its quotes, fills in names, and allocates it in `mem`; moves *at after it. Returns
   0, -ENODATA if a name in it has no value, or another -errno with d. */
int shell_word(const char **at, const struct shell_vars *vars, char **value, struct arena *mem,
	       struct diag *d);

/* Adds the error about names without a value: "$x, %y%: ... --define x=VALUE ..." */
void shell_unset_text(const struct shell_unset *m, size_t n, struct strbuf *out);

/* shell_number.c: arithmetic of PowerShell, cmd and sh: 30*60, $d * 2, 4KB, (1 + %N%) / 2. Pure. */

/* PowerShell knows 4KB, and a variable counts only if it is a number there. In cmd and sh a bare name is a
   variable. Divisions of cmd drop the remainder; elsewhere a remainder is an error. */
enum shell_number_kind { SHELL_NUMBER_PS, SHELL_NUMBER_CMD, SHELL_NUMBER_SH };

/* Computes the expression `text` of `len` bytes. Returns 0, or -ENODATA if it is not an expression of whole
   numbers, or if a name in it has no number as its value. */
int shell_number_eval(const char *text, size_t len, enum shell_number_kind kind,
		      const struct shell_vars *vars, int64_t *value);

/* ---- shell_assign.c: assignments of cmd, PowerShell and sh: $x = "a", set X=a, x=a. Pure. ---- */

struct diag;

/* Reads an assignment at *at, and moves *at after it. Returns 1; 0 if no assignment stands there, or if
   it assigns the output of a command; or -errno with d. A value that only a shell can compute leaves the
   name without a value. */
int shell_assign_read(const char **at, struct shell_vars *vars, struct diag *d);

#endif
