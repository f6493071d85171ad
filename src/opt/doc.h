/* doc.h: what the rows say, as help and as manual. */
#ifndef DOC_H
#define DOC_H

#include <stdbool.h>
#include "opt.h"

/* --cmdhelp: a line per option. all (--cmdhelp=all): everything about each but refused choices. */
void doc_list(const struct opt_table *t, struct strbuf *out, bool all);
void doc_line(const struct opt_row *row, struct strbuf *out);
/* Choices of fio's that are refused are left out by tools that look for words that work. */
enum doc_choices { DOC_USABLE, DOC_ALL };
/* --cmdhelp=OPT: everything the row says. 0, or -ENOMEM. */
int doc_option(const struct opt_row *row, enum doc_choices which, struct strbuf *out);
/* A line of a list of choices; the label ("values", "not yet", "refused") is left out if it is *last's. */
void doc_choice(const struct opt_choice *c, const char **last, struct strbuf *out);

/* The manual's reference of the options that work, in scdoc, by group; `dashes` stands before each name.
   Prose of an option, if it needs some, is in prose_dir/NAME.scd; prose_dir may be NULL. */
void doc_scd(const struct opt_table *t, const char *dashes, const char *prose_dir, struct strbuf *out);
/* The same of one option. */
void doc_scd_row(const struct opt_row *row, const char *dashes, const char *prose_dir, struct strbuf *out);
/* Text in which scdoc sees nothing of its own. */
void doc_scd_text(struct strbuf *out, const char *text);
/* The names that do not work yet, never will, or mean nothing here, each with the reason. Nothing if there
 * are none. */
void doc_scd_others(const struct opt_table *t, struct strbuf *out);

#endif
