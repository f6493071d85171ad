/* trace_paths.h: the names of a trace -> its files: NAME becomes NAME.blktrace.0, NAME.blktrace.1 ...,
   which may end with .gz or .zst. */
#ifndef TRACE_PATHS_H
#define TRACE_PATHS_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/stat.h>
#include "arena.h"
#include "diag.h"

struct trace_paths {
	struct arena text;
	struct {
		const char **v;
		size_t n, cap;
	} list;
};

/* Returns 0, or -errno with d: also if the file of a CPU is missing. */
int trace_paths_expand(struct trace_paths *p, const char *const *path, size_t n, struct diag *d);
void trace_paths_fini(struct trace_paths *p);
/* Returns whether the file is one of those of these names. */
bool trace_paths_have(const char *const *path, size_t n, const struct stat *file);

#endif
