/* live.h: --live and --prometheus. The workers close their intervals of TRACK_LIVE at the same times, on the
   grid of the run. The parent collects the records of an interval from all workers, and writes a line when it
   has them, or at the latest some time after the end of the interval. The I/Os of a worker that is late come
   in a later line, so the sums over the lines are the totals of the result.

   The lines before the first job starts (layout) have intervals of their own, from the start of the run. */
#ifndef LIVE_H
#define LIVE_H

#include "line_queue.h"
#include "live_jobs.h"

struct result;

struct live {
	const struct plan *plan;
	const struct run_opts *opts; /* live_interval_ns is 0 without --live and --prometheus: all is off */
	struct live_jobs jobs;       /* the records of the open interval */
	struct live_figures_memory figures;
	struct live_report report;
	struct line_queue lines;   /* of --live */
	bool running;              /* between live_begin and live_end */
	bool accept_all;           /* live_room returns true */
	uint64_t begin_ns, end_ns; /* of the open interval */
	uint64_t due_ns;           /* when to call live_tick again */
	int error;                 /* errno: the file of --prometheus could not be written */
};

/* run, runs: of --repeat. Returns 0 or -ENOMEM; call live_fini in any case. */
int live_init(struct live *l, const struct plan *p, unsigned run, unsigned runs);
void live_fini(struct live *l);
/* The run begins: opens the file of --live and writes the first line. live_result reports errors. */
void live_begin(struct live *l, const struct run *r);
/* Returns when the parent must call live_tick, clock_ns(); 0: no time. */
uint64_t live_due_ns(const struct live *l);
/* Call it at each tick: writes the lines that are due. */
void live_tick(struct live *l, struct run *r);
/* A wave is about to start: the next tick must come at once. */
void live_wave_open(struct live *l);
/* For the hooks `interval`, `has_room` and `workers_ended` of struct run_hooks. */
void live_interval(struct live *l, const struct run *r, uint32_t job, unsigned track, const struct ival *rec);
bool live_room(const struct live *l, uint32_t job, unsigned track);
void live_workers_ended(struct live *l, struct run *r);
/* After the last interval: waits a moment for a slow reader, and adds notes about lost lines and errors, and
   the exit code of errors. */
void live_result(struct live *l, struct result *res);
/* Writes the last line. */
void live_end(struct live *l, const struct run *r, int exit_code);
/* Writes one line about an error of the outputs so far. Returns false if there was none. */
bool live_failed(const struct live *l, char *why, size_t size);

#endif
