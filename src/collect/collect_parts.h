/* collect_parts.h: the parts of collect.c. Private to src/collect. */
#ifndef COLLECT_PARTS_H
#define COLLECT_PARTS_H

#include "busy.h"
#include "result.h"
#include "run.h"

struct snapshot;
struct wstat_layout;

/* collect_files.c: the figures of single files of a report entry (per_file_stats). */

/* Adds the files of all workers of the entry; nothing while the run goes on, because workers still count. */
void collect_files(struct result *r, struct result_job *job, const struct run *run, uint32_t report);

/* collect_lost_ios.c: lists the I/Os that never completed, because their worker was lost. */

/* Adds the I/Os of all workers of entry `report`. It lists a limited number of them, and counts all. */
void collect_lost_ios(struct result *r, struct result_job *job, const struct run *run, uint32_t report);

/* collect_verify.c: what jobs have verified. */

/* Adds the counts, and a limited number of damaged ranges, of all workers of entry `report`; at the end of
   the run also notes on blocks that were not checked. Does nothing for jobs that do not verify. */
void collect_verify(struct result *r, struct result_job *job, const struct run *run, uint32_t report);

/* collect_placement.c: how much a report entry has written with each placement id or write stream. */

void collect_placement(struct result *r, struct result_job *job, const struct run *run, uint32_t report);

/* collect_rate_steps.c: the figures of the steps of rate_steps. */

/* Sets the steps of a report entry, with bins if asked for, once the run has ended. */
void collect_rate_steps(struct result *r, struct result_job *job, const struct run *run, uint32_t report,
			bool bins);

/* collect_steady.c: whether a report entry has reached its steady state (steadystate), as the result shows
   it. */

void collect_steady(struct result *r, struct result_job *job, const struct run *run, uint32_t report);

/* collect_depth.c: the search for the depth that meets latency_target, as the result shows it. */

/* After the run: sets the search of an entry, and adds a note if it found no depth. */
void collect_depth(struct result *r, struct result_job *job, const struct run *run, uint32_t report);

/* collect_prio.c: the priorities of one entry of the report. */

/* Returns the layout of the first member whose I/Os have priorities of their own; NULL if there is none. The
   I/Os of other members then count under the priority of their worker. */
const struct wstat_layout *collect_prio_layout(const struct plan *p, uint32_t report);

/* collect_host_limits.c: notes about limits of the host that distort the figures: a busy CPU, stalls. */

/* The CPU use of all entries of one section, which share one note. */
struct section_busy {
	struct busy busy;
	struct result_job *first; /* the entry that gets the note */
};

/* Adds one worker, with its snapshot from run_snapshot. */
void collect_busy(struct busy *b, const struct plan_job *pj, const struct snapshot *one);
/* Adds a note if a replay falls further and further behind its trace. */
void collect_lateness(struct result_job *rj, const struct wcount *total);
/* Adds a note if a job with a rate slept between I/Os and issued several at once. */
void collect_rate_sleeps(struct result_job *rj, const struct plan_job *pj, const struct wcount *total);
/* Adds a note if some of the job's CPU time is its share of threads that worked for several jobs. */
void collect_divided_time(struct result_job *rj, const struct wcount *total);
/* Adds a note if I/Os of a rate were issued late because the worker did not run. */
void collect_stall(struct result_job *rj);
/* Adds a note if more than a hundredth of the I/Os that were due were not complete at the end. */
void collect_unfinished(struct result_job *rj);
/* Adds a note for each section that was limited by the CPU. n: number of sections. */
void collect_busy_notes(struct section_busy *sections, size_t n);

/* collect_series.c: moves the series, the run over time, to the result. */

/* Converts a time of clock_ns() to ms since 1970. */
uint64_t collect_epoch_ms(uint64_t ns);
/* Call it once, when all workers have ended: the series of the run is empty afterwards. */
void collect_series(struct result *r, const struct plan *p, const struct run *run);

#endif
