/* format_names.h: the names of the output formats, in --output-format and before the file of --output. */
#ifndef FORMAT_NAMES_H
#define FORMAT_NAMES_H

#include <stddef.h>
#include "diag.h"
#include "out_format.h"

struct strbuf;

/* Adds the bits of a format's name, n bytes, to the unsigned at `formats`. Returns 0 or -EINVAL with d. */
int format_add(void *formats, const char *text, size_t n, struct diag *d);
/* Prints the names with commas between. */
void format_print(unsigned formats, struct strbuf *out);

/* The value of --output: FILE, or FORMAT:FILE with the name of a format before the first colon. */
struct output_value {
	const char *path; /* in the text */
	unsigned formats; /* enum out_format bits; 0: a FILE, or a page */
	bool page;        /* html:FILE */
};
/* Takes the value apart. Returns 0, or -EINVAL with d for a FORMAT that looks like a misspelled name or that
   has two meanings, and for a FILE that is empty or "-". A name before a colon that has a slash, and one that
   is like no format's, belongs to a FILE. */
int output_value_parse(struct output_value *v, const char *text, struct diag *d);

#endif
