/* progress_display.h: shows the progress line of a run (report.h formats it): on stderr, under fio's name on
   stdout, if that is a terminal or with --eta=always. */
#ifndef PROGRESS_DISPLAY_H
#define PROGRESS_DISPLAY_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include "progress_meter.h"
#include "run.h"

/* Other machines that run jobs. */
struct progress_others {
	void (*add)(void *ctx, struct progress *p); /* adds their progress; NULL: there are none */
	void *ctx;
};

struct progress_display {
	bool on, terminal;
	FILE *to; /* stderr; under fio's name stdout */
	uint64_t every_ns, newline_ns;
	struct progress_meter meter;
	struct progress_others others;
	uint64_t next_ns, last_newline_ns;
	bool shown;
	struct progress now; /* the line that is shown */
};

void progress_display_init(struct progress_display *e, const struct run_opts *o, const struct plan *p);
/* Draws the line if it is due, or if the terminal was resized. */
void progress_display_show(struct progress_display *e, const struct run *r);
/* Clears the line, because text is about to be written to stdout. It comes back at the next call of
   progress_display_show. */
void progress_display_break(struct progress_display *e);
/* Clears the line for good, and frees the memory. */
void progress_display_end(struct progress_display *e);

#endif
