/* merge.h: merges the results of several machines, or of several runs, into one. It has the entries of all
   and, as its last entry, their sum, "All clients", like the client_stats of fio's server mode.

   Counts, bins and so percentiles are sums, and exact. Means and deviations are exact where the counts are
   (result_counts.exact). Rates are the sum of all I/Os over the longest run time. A figure that the results
   cannot give together is left out, and a note says why. */
#ifndef MERGE_H
#define MERGE_H

#include "diag.h"
#include "job_snapshot.h"
#include "result.h"

#define MERGE_ALL_CLIENTS "All clients"

struct result_merge;

/* Begins a merge. Returns NULL if memory is short. bins: every entry keeps its histograms, not only the sum.
   The other arguments are those of result_init. */
struct result_merge *result_merge_new(const char *program, const char *version, const char *fio_version,
				      bool bins);
/* Adds the entries of a result, which the caller may free afterwards. The sum in the last entry of a merged
   result is left out. source: the name for entries whose host the result does not know. Returns 0 or -errno
   with d; the merge can then only be freed. */
int result_merge_add(struct result_merge *m, const struct result *r, const char *source, struct diag *d);
/* Adds a rank without a result. */
void result_merge_host(struct result_merge *m, const struct result_host *host);
/* Moves the sum into *out, which is empty memory, with out->client_stats set. Returns 0 or -errno with d. */
int result_merge_finish(struct result_merge *m, struct result *out, struct diag *d);
void result_merge_free(struct result_merge *m); /* accepts NULL */

#endif
