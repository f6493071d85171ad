/* screen_meter.h: the figures of the screen of --eta=full: each entry of the report has a row. I/O is that
   since the last reading, by the counts of the workers; latencies come from the records of their intervals
   (TRACK_SERIES). */
#ifndef SCREEN_METER_H
#define SCREEN_METER_H

#include <stdbool.h>
#include <stdint.h>
#include "interval_sum.h"
#include "run.h"
#include "screen.h"
#include "screen_notes.h"
#include "strbuf.h"

#define SCREEN_POINTS 120 /* of a curve */

struct meter_row;

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

#endif
