/* progress.h: the progress line of a run: on stderr (as fio: on stdout), if that is a terminal or
 * --eta=always. */
#ifndef PROGRESS_DISPLAY_H
#define PROGRESS_DISPLAY_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include "report.h"
#include "run.h"

struct progress_display {
	bool on, terminal;
	FILE *to; /* stderr; in fio's name stdout */
	uint64_t every_ns, newline_ns;
	const struct plan *plan;
	uint32_t wave;
	uint64_t next_ns, last_ns, last_newline_ns;
	uint64_t last_ios[DIR_DATA], last_bytes[DIR_DATA];
	bool shown;
	struct progress now; /* what the line says */
	char *states;        /* a letter per worker */
};

void progress_display_init(struct progress_display *e, const struct run_opts *o, const struct plan *p);
void progress_display_wave(struct progress_display *e, uint32_t wave);
void progress_display_show(struct progress_display *e, const struct run *r);
/* Text comes on stdout. */
void progress_display_break(struct progress_display *e);
/* Clears the line. */
void progress_display_end(struct progress_display *e);

#endif
