/* prompt.h: what stands before the arguments in a pasted line: prompts, "&", cmd /c, the program's name. */
#ifndef DISKSPD_PROMPT_H
#define DISKSPD_PROMPT_H

#include <stdbool.h>
#include <stddef.h>

/* Blanks, those of web pages included; where the next other character is. */
const char *prompt_blanks(const char *s);

/* Passes over prompts, "&", "cmd /c", "$x =", sudo and the like. *inner: the command stands in quotes up to
   the end of the text, which the caller has to take away. */
const char *prompt_skip(const char *line, bool *inner);

/* Whether the word (quotes taken away) names DISKSPD: a path or variable whose last part is diskspd[.exe].
   After "&" any variable does. */
bool prompt_is_program(const char *word, bool called);

/* Behind the prompts and list marks of a line. */
const char *prompt_start(const char *line);

/* Whether the line says nothing to run: blank, a comment, REM, echo. */
bool prompt_is_comment(const char *line);

/* Of a statement, behind its prompt: a remark up to the end of the line; a command that starts nothing
   (pause, mkdir, Get-Item); a loop, a condition or a jump; a command that names DISKSPD or calls a variable
   (&). */
bool prompt_is_remark(const char *s);
bool prompt_starts_nothing(const char *s);
bool prompt_is_flow(const char *s);
bool prompt_is_command(const char *s);

/* Whether "diskspd" stands anywhere in it. */
bool prompt_names_program(const char *s);
/* Whether it stands there with an option behind it. */
bool prompt_runs_program(const char *s);

#endif
