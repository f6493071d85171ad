/* sweep_child.h: runs this program again as a child process, which ends when the sweep ends. The sweep passes
   its signals on to the child. */
#ifndef SWEEP_CHILD_H
#define SWEEP_CHILD_H

#include <signal.h>
#include "arena.h"
#include "diag.h"

/* The signals that end a sweep, and SIGCHLD; blocked from sweep_wait_begin until sweep_wait_end. */
struct sweep_wait {
	sigset_t set, old;
};
void sweep_wait_begin(struct sweep_wait *w);
/* Returns the first ending signal that came after the last child, or 0. */
int sweep_wait_end(const struct sweep_wait *w);

/* The stdout and stderr of a child: files in memory. */
struct sweep_output {
	int text, error; /* descriptors; -1: none */
};
void sweep_output_close(struct sweep_output *out);

/* Runs the program with these arguments until it ends. Passes on the signals that end the sweep, and stores
   the first one in *ended_by. The caller closes *out. Returns 0 with the wait status, or -errno with d. */
int sweep_child(int *ended_by, const struct sweep_wait *w, char *const *arg, int *status,
		struct sweep_output *out, struct diag *d);
/* Returns the first line that the child wrote to its stderr, or how it ended; NULL if memory is short. */
const char *sweep_child_error(struct arena *mem, const struct sweep_output *out, int status);

#endif
