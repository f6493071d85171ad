/* help_topic.h: the texts of `fiord help WORD...` and --cmdhelp=OPTION. */
#ifndef HELP_TOPIC_H
#define HELP_TOPIC_H

#include "doc.h"

/* Adds the whole row of an option. Returns 0, or -errno with d that names the nearest option. */
int help_option(const char *name, enum doc_choices which, struct strbuf *b, struct diag *d);
/* Adds the help of an engine, or of its option: "ENGINE" or "ENGINE,OPTION". Returns 0 or -errno with d. */
int help_engine(const char *topic, struct strbuf *b, struct diag *d);
/* Adds the row with the manual's prose and an example. The topic may also be a word that newcomers use
   ("queue depth"), an engine, or words from the help of options, which lists these options. Returns 0 or
   -errno with d. */
int help_topic(const char *topic, struct strbuf *b, struct diag *d);

/* help_terms.c: returns what a term of measuring means, such as "clat" or "knee"; NULL if it has no entry. */
const char *help_term(const char *topic);
/* Returns the term that a misspelt topic probably means; NULL if none is near. */
const char *help_term_nearest(const char *topic);

/* From man/options, examples and jobs, by helptext.py: for `fiord help OPTION`. */
struct help_text {
	const char *name;          /* name of the option as examples write it, perhaps an alias */
	const char *prose;         /* plain text; NULL: none */
	const char *file, *sample; /* a section of a job file that uses it; NULL: none */
};
extern const struct help_text help_texts[]; /* sorted; ends with a NULL name */

#endif
