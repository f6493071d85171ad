/* trace_parts.h: finds the logs in a file to which fio appended those of several jobs. */
#ifndef TRACE_PARTS_H
#define TRACE_PARTS_H

#include "trace_input.h"

struct trace_part {
	uint64_t from; /* byte of the file */
	uint64_t line; /* lines before it */
};

struct trace_parts {
	struct trace_part *v; /* n parts, and an entry for the end of the file */
	size_t n, cap;
};

/* Looks for the first lines of iologs. n stays 0 if the file cannot be read again. Returns 0 or -errno with
 * d.
 */
int trace_parts_find(struct trace_parts *p, const struct trace_input *in, struct diag *d);
void trace_parts_fini(struct trace_parts *p);

#endif
