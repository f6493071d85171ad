/* progress_display.h: shows the progress of a run on stderr, under fio's name on stdout: as a line (report.h
   formats it) if that is a terminal or with --eta=always, and as a screen with --eta=full. */
#ifndef PROGRESS_DISPLAY_H
#define PROGRESS_DISPLAY_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include "progress_meter.h"
#include "run.h"
#include "screen_display.h"

/* Other machines that run jobs. */
struct progress_others {
	void (*add)(void *ctx, struct progress *p); /* adds their progress; NULL: there are none */
	void *ctx;
};

struct progress_display {
	bool on, terminal;
	FILE *stream; /* stderr; under fio's name stdout */
	uint64_t every_ns, newline_ns;
	struct progress_meter meter;
	struct progress_others others;
	uint64_t next_ns, last_newline_ns;
	bool shown;
	struct progress shown_progress; /* what is shown */
	struct screen_display screen;   /* on: there is a screen in place of the line */
};

void progress_display_init(struct progress_display *d, const struct run_opts *o, const struct plan *p);
/* For the hook `interval` of struct run_hooks. */
void progress_display_interval(struct progress_display *d, uint32_t job, unsigned track,
			       const struct ival *rec);
/* Draws the line or the screen if it is due, or if the terminal was resized. */
void progress_display_show(struct progress_display *d, const struct run *r);
/* Clears the line or the screen, because text is about to be written to stdout. It comes back at the next
   call of progress_display_show. */
void progress_display_break(struct progress_display *d);
/* Clears the line or the screen for good, and frees the memory. */
void progress_display_end(struct progress_display *d);
/* After progress_display_end: progress_display_blocked returns true if the terminal is not yet restored,
   because the user has stopped it (ctrl-S). progress_display_wait waits until it goes on. */
bool progress_display_blocked(const struct progress_display *d);
void progress_display_wait(struct progress_display *d);
void progress_display_fini(struct progress_display *d);

#endif
