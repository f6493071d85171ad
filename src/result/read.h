/* read.h: documents -> results. Reads the JSON of fiord and of fio (json and json+, client_stats, several
   documents in one file, text lines before and after them) and the data in fiord's HTML pages. The input may
   be hostile: a result that was read holds sums that fit, no negative counts and valid UTF-8, and the memory
   it takes has a limit.

   The figures are those of the document. counts.known says whether the counts behind them are known.
   counts.exact is set if the document has them, as fiord's do; otherwise they are computed from its rounded
   figures. Bins that contradict the number of I/Os are left out, with a note. */
#ifndef READ_H
#define READ_H

#include <stddef.h>
#include "diag.h"
#include "result.h"

/* The results of one or several documents, in their order. A zeroed set is empty. A caller who takes a result
   out puts NULL in its place. */
struct result_set {
	struct result **res;
	const char **source; /* "run.json"; "run.json, document 2" where a file has several */
	size_t n;
};

/* Appends the results of a text. Messages and sources contain `name`. Returns 0 or -errno with one line in d;
   the set is then unchanged. */
int result_read(struct result_set *set, const char *name, const char *text, size_t len, struct diag *d);
/* The same for a file; "-" is standard input. */
int result_read_file(struct result_set *set, const char *path, struct diag *d);
void result_set_free(struct result_set *set);

#endif
