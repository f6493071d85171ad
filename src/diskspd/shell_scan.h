/* shell_scan.h: reads the words of one pasted command. Private to shell*.c. */
#ifndef DISKSPD_SHELL_SCAN_H
#define DISKSPD_SHELL_SCAN_H

#include "shell.h"
#include "strbuf.h"

struct shell_scan {
	struct shell_line *line;
	const struct shell_vars *vars;
	const char *pos;    /* the next character of the text */
	struct strbuf word; /* the word being read, without its quotes */
	bool quoted;        /* the word had quotes, so it counts even if it is empty */
	bool keeps_names;   /* names such as $x stay as they are */
	size_t argv_cap;
	struct diag *diag;
};

/* Returns the length of the typographic double quotation mark at s; 0: none. PowerShell accepts such marks.
 */
size_t shell_scan_double_quote(const char *s);
/* Returns the length of the single quotation mark at s, straight or typographic; 0: none. */
size_t shell_scan_single_quote(const char *s);

/* Reads one word into x->word: removes its quotes and escapes, and fills in names. Returns 0 or -errno with a
   diag. */
int shell_scan_word(struct shell_scan *x);
/* Adds the words of a value to the arguments: blanks outside of quotes separate them. The last one stays in
   x->word. Returns 0 or -errno with a diag. */
int shell_scan_insert_words(struct shell_scan *x, const char *value);
/* Adds x->word to the arguments and clears it. Returns 0 or -errno with a diag. */
int shell_scan_add_word(struct shell_scan *x);
/* Copies x->word to the line's memory. Returns 0 or -ENOMEM with a diag. */
int shell_scan_copy_word(struct shell_scan *x, char **out);
/* Notes that the name at x->pos has no value, and moves to the text after it. The name stays in the word; the
   line is refused when all such names are known. Returns 0 or -ENOMEM with a diag. */
int shell_scan_unset(struct shell_scan *x, const struct shell_ref *r);

/* Reads the program's name, if the line has one, and moves to its arguments. Returns 0 or
   -errno with a diag. */
int shell_program_read(struct shell_scan *x);

#endif
