/* eta.h: the progress line of a run: on stderr (as fio: on stdout), if that is a terminal or --eta=always. */
#ifndef ETA_H
#define ETA_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include "report.h"
#include "run.h"

struct eta_line {
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

void eta_init(struct eta_line *e, const struct run_opts *o, const struct plan *p);
void eta_wave(struct eta_line *e, uint32_t wave);
void eta_show(struct eta_line *e, const struct run *r);
/* Text comes on stdout. */
void eta_break(struct eta_line *e);
/* Clears the line. */
void eta_end(struct eta_line *e);

#endif
