/* progress_display.h: shows the progress line of a run (report.h formats it): on stderr, under fio's name on
   stdout, if that is a terminal or with --eta=always. */
#ifndef PROGRESS_DISPLAY_H
#define PROGRESS_DISPLAY_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include "report.h"
#include "run.h"

struct progress_display {
	bool on, terminal;
	FILE *to; /* stderr; under fio's name stdout */
	uint64_t every_ns, newline_ns;
	const struct plan *plan;
	uint32_t wave;
	uint64_t next_ns, last_ns, last_newline_ns;
	uint64_t last_ios[DIR_DATA], last_bytes[DIR_DATA];
	bool shown;
	struct progress now; /* the line that is shown */
	char *states;        /* a letter for each worker; NULL: no line */
};

void progress_display_init(struct progress_display *e, const struct run_opts *o, const struct plan *p);
void progress_display_wave(struct progress_display *e, uint32_t wave);
/* Draws the line if it is due, or if the terminal was resized. */
void progress_display_show(struct progress_display *e, const struct run *r);
/* Clears the line, because text is about to be written to stdout. It comes back at the next call of
   progress_display_show. */
void progress_display_break(struct progress_display *e);
/* Clears the line for good, and frees the memory. */
void progress_display_end(struct progress_display *e);

#endif
