/* csv.h: the figures of one or several results as one table, in RFC 4180's format: a header line, then a line
   for each job and direction, and lines for all jobs of each group ("all jobs") if it has several jobs or
   directions. */
#ifndef REPORT_CSV_H
#define REPORT_CSV_H

#include <stddef.h>
#include "result.h"

struct strbuf;

/* source[i] names the i-th result in the first column; source and its elements may be NULL. The names of the
   columns have units. A cell is empty where a figure is unknown or was not measured. Lines end with CR LF.
   Returns 0 or -ENOMEM. */
int report_csv(const struct result *const *res, const char *const *source, size_t n, struct strbuf *b);

#endif
