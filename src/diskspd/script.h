/* script.h: reads the DISKSPD commands from pasted lines or from a script of cmd, PowerShell or sh.
   Understands assignments, "A && B", "A ; B", remarks, and commands that start no program. Refuses
   conditions, and loops unless they are removed before. Pure. */
#ifndef DISKSPD_SCRIPT_H
#define DISKSPD_SCRIPT_H

#include <stddef.h>
#include "shell.h"
#include "vec.h"

struct strbuf;

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

#define SCRIPT_LOOPS_MAX 8

/* The loops of a script, the outermost first. */
struct script_loops {
	struct arena mem;
	struct script_loop {
		const char *name; /* of its variable */
		VEC(const char *) value;
	} v[SCRIPT_LOOPS_MAX];
	size_t n;
};

/* Adds the text without its loops to `out`, for script_read. The variables of the loops get marks as their
   values. Returns 0, or -errno with d. Call script_loops_fini in any case. */
int script_remove_loops(struct script_loops *l, const char *text, struct shell_vars *vars, struct strbuf *out,
			struct diag *d);
void script_loops_fini(struct script_loops *l);

/* Adds the options of fiord sweep that do the same as the loops around the script's only line
   (" --sweep -b=4K,64K"), and the arguments of this line that do not change. Returns 0, or -errno with d: no
   sweep does the same. */
int script_sweep(const struct script_loops *l, const struct script *s, struct strbuf *options,
		 struct strbuf *line, struct diag *d);
/* Returns an argument of that line with the first or the last value of its loop; NULL: memory is short.
   Call it only after script_sweep has succeeded. */
char *script_end_point(const struct script_loops *l, const char *arg, bool last, struct arena *mem);

/* Returns true if a list of values stands here whose pipe ends in a block: 1..4 | % { ... } */
bool script_is_loop_pipe(const char *s);

/* Returns the end of a statement: the first of the characters `ends` outside of quotes and brackets, or the
   end of the text. A remark belongs to the statement, unless `ends` has a '#'. */
const char *script_skip(const char *s, const char *ends);

/* ---- encoding.c: converts the bytes of a pasted text or script to UTF-8. Pure. ---- */

struct diag;

/* Reads UTF-8, and UTF-16 of either byte order with or without a byte order mark. Converts quotation marks
   and dashes of Windows-1252, and drops invisible characters (byte order marks, direction marks). Returns 0
   or -errno with d. */
int encoding_decode(const char *bytes, size_t len, struct strbuf *out, struct diag *d);

#endif
