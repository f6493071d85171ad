/* screen.h: the screen of --eta=full as lines of text. screen_draw prints the caller's figures and computes
   nothing but the layout. */
#ifndef SCREEN_H
#define SCREEN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "dir.h"
#include "report.h"

struct strbuf;

/* Latencies of the last interval, in ns. */
struct screen_lat {
	bool known, has_p99;
	double mean;
	uint64_t p99;
};

/* A job, as the report will list it. */
struct screen_row {
	const char *name;
	unsigned workers; /* above 1: the row is their sum */
	bool is_clone;    /* it is number `clone` of several that have a row each */
	unsigned clone;
	const char *state; /* one or two short words */
	bool faulty;       /* it hangs or has failed; such rows are always in sight */
	bool active;       /* it does I/O; such rows come before the others */
	uint64_t iops, bw; /* of all directions; bw in bytes per s */
	struct screen_lat lat[DIR_DATA];
	struct screen_lat all_dirs; /* of all directions */
};

/* A curve over time: n values, the oldest first. */
struct screen_curve {
	const uint64_t *value;
	size_t n;
};

struct screen_state {
	const char *title;
	const struct progress *now; /* of the whole run */
	uint64_t elapsed_s;
	unsigned done, waiting, failed; /* workers */
	enum lat_kind kind;             /* of the latencies; LAT_KINDS: none is measured */
	unsigned dirs;                  /* directions of the jobs, as bits */
	const struct screen_row *rows;
	size_t nrows;
	struct screen_row total; /* active */
	struct screen_curve iops, p99;
	uint64_t step_s; /* the time between two points of a curve */
	const char *const *notes;
	size_t nnotes; /* the newest is the last */
};

/* Adds at most `height` lines, each with a newline and at most `width` columns wide. utf8: the terminal shows
   UTF-8; otherwise the text is ASCII. */
void screen_draw(const struct screen_state *s, unsigned width, unsigned height, bool utf8, struct strbuf *b);

#endif
