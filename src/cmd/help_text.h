/* help_text.h: the table that helptext.py generates from man/options, examples and jobs, for `fiord help
   OPTION`. */
#ifndef HELP_TEXT_H
#define HELP_TEXT_H

struct help_text {
	const char *name;          /* name of the option as examples write it, perhaps an alias */
	const char *prose;         /* plain text; NULL: none */
	const char *file, *sample; /* a section of a job file that uses it; NULL: none */
};

extern const struct help_text help_texts[]; /* sorted; ends with a NULL name */

#endif
