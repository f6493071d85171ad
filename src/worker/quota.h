/* quota.h: how much the job has issued, and how much it may issue. */
#ifndef QUOTA_H
#define QUOTA_H

#include <stdbool.h>
#include <stdint.h>

struct time_cfg;

struct quota {
	uint64_t issued_bytes, issued_ios; /* in all loops */
	uint64_t loop_bytes;               /* per loop: as planned, or as much as fitted (fill_device) */
	uint64_t limit_bytes, limit_ios;   /* for all loops together; UINT64_MAX: none */
	uint64_t pause_ios; /* issued_ios at which the job pauses to verify; UINT64_MAX: never */
	uint32_t loops_left;
	bool between_loops; /* a loop has ended, and is verified before the next one begins */
	bool renewing;      /* between two loops: files are reopened once all I/Os have completed */
	bool exhausted;     /* the job issues no more I/Os */
};

/* Sets the end of the job: each loop moves loop_bytes, and all loops together at most number_ios I/Os. */
void quota_set(struct quota *q, const struct time_cfg *t, uint64_t loop_bytes);

struct plan_job;
/* Returns whether the job has issued all its I/Os. */
bool quota_complete(const struct quota *q, const struct plan_job *pj);
/* Ends a loop. Returns true if it was the last one. If io_size is larger than size, the job's bytes end it,
   not its files. */
bool quota_end_loop(struct quota *q, const struct plan_job *pj);

/* Returns whether the job issues no more I/Os until it has verified blocks that it has written. */
static inline bool quota_paused(const struct quota *q)
{
	return q->between_loops || q->issued_ios >= q->pause_ios;
}

static inline void quota_add(struct quota *q, uint64_t ios, uint64_t bytes)
{
	q->issued_ios += ios;
	q->issued_bytes += bytes;
}

#endif
