/* prompt.h: recognizes the words before the arguments of a pasted line: prompts, "&", cmd /c, the
   program's name. Pure. */
#ifndef DISKSPD_PROMPT_H
#define DISKSPD_PROMPT_H

#include <stdbool.h>

/* Returns the first character that is not a blank. Blanks of web pages count, too. */
const char *prompt_blanks(const char *s);

/* Returns the text after prompts, "&", "cmd /c", "$x =", sudo and the like. *inner: one pair of quotes holds
   the command up to the end of the text; the caller removes the closing mark. */
const char *prompt_skip(const char *line, bool *inner);

/* Returns true if the word, without its quotes, names DISKSPD: a path or variable whose last part is
   diskspd[.exe]. `called`: it stands after "&", where any variable may be the program. */
bool prompt_is_program(const char *word, bool called);

/* Returns the text after the prompts and list marks of a line. */
const char *prompt_start(const char *line);

/* Returns true if the line has nothing to run: it is blank, a comment, REM or echo. */
bool prompt_is_comment(const char *line);

/* These four examine a statement without its prompt. prompt_is_remark: it is a remark up to the end of the
   line. prompt_starts_nothing: it is a command that starts no program (pause, mkdir, Get-Item).
   prompt_is_flow: it is a loop, a condition or a jump. prompt_is_command: it is a command that names DISKSPD
   or calls a variable (&). */
bool prompt_is_remark(const char *s);
bool prompt_starts_nothing(const char *s);
bool prompt_is_flow(const char *s);
bool prompt_is_command(const char *s);

/* Returns true if "diskspd" stands anywhere in the text. */
bool prompt_names_program(const char *s);
/* Returns true if "diskspd" stands in the text with an option after it. */
bool prompt_runs_program(const char *s);

#endif
