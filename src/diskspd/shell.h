/* shell.h: splits a pasted command (from a guide, a script or a terminal) into the arguments that
   DISKSPD would see. Ignores prompts, "& $exe", cmd /c, redirections, pipes, comments and REM; removes
   quotes; backslashes are not escapes. Fills in names ($x, %x%) from shell_vars.h. An error lists all
   names without a value, and expressions that only a shell can compute, such as $( ). Pure. */
#ifndef DISKSPD_SHELL_H
#define DISKSPD_SHELL_H

#include <stdbool.h>
#include "arena.h"
#include "diag.h"
#include "shell_vars.h"

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
	struct {
		struct shell_unset *v;
		size_t n, cap;
	} unset;
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

#endif
