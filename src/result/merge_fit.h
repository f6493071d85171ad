/* merge_fit.h: whether counts of several results can be added up. Documents come from anywhere, so their
   counts may be so large that a sum exceeds its 64 bits. */
#ifndef MERGE_FIT_H
#define MERGE_FIT_H

#include "result.h"

/* Returns whether all counts fit when they are added, also if all directions are mixed afterwards. */
bool merge_counts_fit(const struct snapshot *to, const struct snapshot *from);
/* Returns whether the sampled rates are finite numbers. */
bool merge_rows_fit(const struct samples *s);
/* Returns whether the sums over all files fit. */
bool merge_files_fit(const struct result_files *f);

#endif
