/* trace_saved.h: copies of streams (standard input, FIFOs), so that a trace can be read more than once. A
   copy is a file without a name in the directory of TMPDIR, or in /tmp: it is gone when the last process that
   has it open has ended, however that ends. Processes that fork later have the copies, too. */
#ifndef TRACE_SAVED_H
#define TRACE_SAVED_H

#include <stdbool.h>
#include <stddef.h>
#include "diag.h"

struct trace_saved {
	struct trace_copy {
		const char *path; /* "-": standard input; the caller's */
		int fd;
	} * v;
	size_t n, cap;
};

/* Returns true if a trace can only be read once from this path. */
bool trace_is_stream(const char *path);
/* Copies the stream to its end, unless there is a copy already. Returns 0 or -errno with d. A signal that
   ends the program meanwhile (ending_signals.h) is an error, DIAG_SIGNAL. */
int trace_saved_add(struct trace_saved *s, const char *path, struct diag *d);
bool trace_saved_has(const struct trace_saved *s, const char *path);
/* Opens a copy at its beginning. Returns a file descriptor, or -1 with errno. */
int trace_saved_open(const struct trace_saved *s, const char *path);
void trace_saved_fini(struct trace_saved *s);

#endif
