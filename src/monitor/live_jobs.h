/* live_jobs.h: the I/Os of the open interval of --live, from the records of the workers, and those since the
   start of the run. */
#ifndef LIVE_JOBS_H
#define LIVE_JOBS_H

#include "interval_sum.h"
#include "live_report.h"
#include "run.h"

struct live_worker {
	uint64_t closed_ns; /* clock_ns() at the end of its last record; 0: none was taken */
	uint64_t ramp_ios;  /* of a worker in its ramp, at the end of the last interval */
	bool ended;         /* its last record was taken */
};

/* An entry of jobs[] in the document. */
struct live_entry {
	struct ival_sum now;
	struct live_total total[DIR_COUNT];
	enum lat_kind kind; /* of LIVE_LAT; LAT_KINDS: none */
};

struct live_jobs {
	const struct plan *plan;
	uint64_t interval_ns;
	uint64_t grid_ns;           /* 0: no job has started */
	struct live_worker *worker; /* by plan_job.index */
	struct live_entry *entry;   /* by plan_job.report */
};

/* Returns 0 or -ENOMEM. */
int live_jobs_init(struct live_jobs *j, const struct plan *p, uint64_t interval_ns);
void live_jobs_fini(struct live_jobs *j);
/* Adds a record of TRACK_LIVE. */
void live_jobs_add(struct live_jobs *j, const struct run *r, uint32_t job, const struct ival *rec);
/* Returns whether the worker's records up to `end_ns` have been taken. */
static inline bool live_jobs_closed(const struct live_jobs *j, uint32_t job, uint64_t end_ns)
{
	return j->worker[job].ended || j->worker[job].closed_ns >= end_ns;
}
/* Returns whether the worker does I/Os that count, and its record of the interval that ended at end_ns has
   not come yet. */
bool live_jobs_awaits(const struct live_jobs *j, const struct run *r, uint32_t job, uint64_t end_ns);
/* Returns whether any I/O was added since the last call of live_jobs_next. */
bool live_jobs_any_io(const struct live_jobs *j);
/* Empties the sums of the interval. */
void live_jobs_next(struct live_jobs *j, const struct run *r);

/* live_figures.c: the figures of the open interval of --live, for a report. */

/* The memory of a report. Zeroed: empty. */
struct live_figures_memory {
	struct live_job *job;
	struct live_hung *hung;
	struct ival_sum total;
};

/* Returns 0 or -ENOMEM. */
int live_figures_init(struct live_figures_memory *m, const struct plan *p);
void live_figures_fini(struct live_figures_memory *m);
/* Sets the jobs of the report, the figures of all, and the workers that hang. end_ns, length_ns: of the
   interval. The report points into m until the next call. */
void live_figures(struct live_report *to, struct live_figures_memory *m, const struct live_jobs *j,
		  const struct run *r, uint64_t end_ns, uint64_t length_ns);

#endif
