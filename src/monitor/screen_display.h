/* screen_display.h: the screen of --eta=full while a run goes on: its notes, its figures, and the display
   itself. progress_display.c calls the display. */
#ifndef SCREEN_DISPLAY_H
#define SCREEN_DISPLAY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "interval_sum.h"
#include "progress_meter.h"
#include "run.h"
#include "screen.h"
#include "strbuf.h"
#include "terminal.h"

struct job;
struct meter_row;
struct plan;

/* screen_notes.c: what has happened in a run, for the screen: notes about the jobs, errors, lost workers, I/O
   that hangs. The oldest notes are dropped. */

#define SCREEN_NOTES 8

/* What is known about one worker. */
struct worker_watch {
	uint64_t ios;      /* completed */
	uint64_t since_ns; /* when the first look saw this number */
	uint64_t hung_ns;  /* for how long its I/O has hung; 0: it does not hang */
	bool survived_error, ended;
};

struct screen_notes {
	char *line[SCREEN_NOTES]; /* owned; the newest is the last */
	size_t n;
	struct {
		const struct job *job;
		char text[450];
		unsigned clones;
	} last;                      /* the event of the newest line; job NULL: there was none */
	struct worker_watch *worker; /* by plan_job.index */
};

/* Returns false if memory is short. Call screen_notes_fini in any case. */
bool screen_notes_init(struct screen_notes *n, const struct plan *p);
void screen_notes_fini(struct screen_notes *n);
/* Looks at all workers; now: clock_ns(). */
void screen_notes_update(struct screen_notes *n, const struct run *r, uint64_t now);

/* screen_meter.c: the figures of the screen of --eta=full: each entry of the report has a row. I/O is that
   since the last reading, by the counts of the workers; latencies come from the records of their intervals
   (TRACK_SERIES). */

#define SCREEN_POINTS 120 /* of a curve */

struct screen_meter {
	const struct plan *plan;
	struct screen_row *rows;
	struct meter_row *row; /* by plan_job.report */
	struct meter_row *all;
	struct ival_sum_lat *scratch;
	struct screen_notes notes;
	struct strbuf title;
	uint64_t last_ns;
	uint64_t iops[SCREEN_POINTS], p99[SCREEN_POINTS];
	size_t points;
};

/* Returns false if memory is short. Call screen_meter_fini in any case; m may be zeroed. */
bool screen_meter_init(struct screen_meter *m, const struct plan *p);
void screen_meter_fini(struct screen_meter *m);
/* Takes a record, as the hook `interval` of struct run_hooks gets it. */
void screen_meter_interval(struct screen_meter *m, uint32_t job, unsigned track, const struct ival *rec);
/* Fills in *s; p: the progress of the run at the same time. It is valid until the next call. letters: the
   states of the workers of this machine (progress.states). */
void screen_meter_read(struct screen_meter *m, const struct run *r, const struct progress *p,
		       const char *letters, struct screen_state *s);

/* screen_display.c: shows the figures on the terminal. */

struct screen_display {
	bool on, utf8;
	struct terminal terminal;
	struct screen_meter meter;
	struct screen_state state; /* what is shown */
	struct strbuf lines;
};

/* Returns false if there can be no screen on fd. Call screen_display_end in any case; d may be zeroed. */
bool screen_display_init(struct screen_display *d, const struct plan *p, int fd, uint64_t step_ns);
/* Shows new figures; now: the progress of the run, letters: the states of the workers of this machine. Both
   must be valid until the next call. */
void screen_display_show(struct screen_display *d, const struct run *r, const struct progress *now,
			 const char *letters);
/* Between two calls of screen_display_show: shows the same figures again if the terminal was resized. */
void screen_display_resize(struct screen_display *d);
void screen_display_end(struct screen_display *d);

#endif
