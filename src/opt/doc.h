/* doc.h: prints the help and the manual's reference of options from the rows. */
#ifndef DOC_H
#define DOC_H

#include <stdbool.h>
#include "opt.h"

/* --cmdhelp: prints one line for each option. With `all` (--cmdhelp=all) it prints whole rows, without the
   choices that are refused. */
void doc_list(const struct opt_table *t, struct strbuf *out, bool all);
/* Prints the line of one option: its name and help. */
void doc_line(const struct opt_row *row, struct strbuf *out);
/* Tools that look for supported words ask for DOC_USABLE, which leaves out the choices that are refused. */
enum doc_choices { DOC_USABLE, DOC_ALL };
/* --cmdhelp=OPT: prints the whole row. Returns 0 or -ENOMEM. */
int doc_option(const struct opt_row *row, enum doc_choices which, struct strbuf *out);
/* Prints one line of a list of choices. The label ("values", "refused") is omitted if it equals
 *last. */
void doc_choice(const struct opt_choice *c, const char **last, struct strbuf *out);

/* Prints the manual's reference of the options that work, in scdoc, by group, with `dashes` before each name.
   The prose of an option is read from prose_dir/NAME.scd if that file exists; prose_dir may be NULL. */
void doc_scd(const struct opt_table *t, const char *dashes, const char *prose_dir, struct strbuf *out);
/* Prints the same for one option. */
void doc_scd_row(const struct opt_row *row, const char *dashes, const char *prose_dir, struct strbuf *out);
/* Appends text with scdoc's special characters escaped. */
void doc_scd_text(struct strbuf *out, const char *text);
/* Prints the options that are not supported or have no effect, with `dashes` before each name, each with the
   reason. Leaves out the rows for which `skip` returns true, unless it is NULL. */
void doc_scd_others(const struct opt_table *t, const char *dashes, bool (*skip)(const struct opt_row *row),
		    struct strbuf *out);

#endif
