/* assertion_words.h: the words of a path, taken from its end, and the errors about those that are unknown.
   For assertion_path.c and assertion_list.c. Errors return d->err. */
#ifndef ASSERTION_WORDS_H
#define ASSERTION_WORDS_H

#include "assertion.h"

/* Both take a word and its period before `at`, "clat." or "clat_ns.", "read.". They return its beginning, or
   `at` if another word stands there. */
const char *assertion_take_kind(struct assertion *a, const char *name, const char *at);
const char *assertion_take_dir(struct assertion *a, const char *name, const char *at);
/* Returns the beginning of "fiord." before `at`: an object of the document, which has no name in assertions.
   Returns `at` if another word stands there. */
const char *assertion_before_fiord(const char *name, const char *at);
/* Takes what precedes the rest as the name of the job, unless jobs[...] has named it or the part is no job:
   then the object "fiord" of the document may precede. */
int assertion_take_part(struct assertion *a, enum figure_part part, const char *from, const char *to,
			struct diag *d);
/* Refuses sync.clat. */
int assertion_check_sync(const struct assertion *a, struct diag *d);

/* Returns 0 unless a comparison stands in the path: "read.iops > 3 and write.iops". */
int assertion_bad_chain(const struct assertion *a, const char *name, const char *end, struct diag *d);
/* The last word is no figure. */
int assertion_bad_figure(const struct assertion *a, const char *name, const char *end, struct diag *d);
/* The path from `name` on should be a figure of `what`, such as an entry of files. of: bits of enum
 * figure_of.
 */
int assertion_bad_part_figure(const struct assertion *a, const char *what, unsigned of, const char *name,
			      const char *end, struct diag *d);
/* The words from `name` on stand before a figure. */
int assertion_bad_word(const struct assertion *a, const char *name, const char *end, struct diag *d);
/* An entry without a name is selected by one. */
int assertion_bad_name(const struct assertion *a, const char *list, struct diag *d);

/* assertion_list.c. Parses a path in which a key of a list stands. Returns 0 or -errno with d; 1: there is no
   list. */
int assertion_list(struct assertion *a, enum figure_part part, const char *name, const char *end,
		   struct diag *d);

#endif
