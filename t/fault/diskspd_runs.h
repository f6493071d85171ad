/* diskspd_runs.h: runs DISKSPD lines on a virtual clock: line -> job text -> job -> plan -> loop, with an
   engine that takes a known time and records its I/Os. Each thread is a process with its own clock here. */
#ifndef DISKSPD_RUNS_H
#define DISKSPD_RUNS_H

#include "engine_timed.h"
#include "snapshot.h"

#define MS    1000000ull
#define S     1000000000ull
#define START (5 * S)
#define K     1024ull

struct ds_outcome {
	uint32_t jobs;
	const struct timed_log *log; /* a lane for each thread, in any order */
	struct snapshot all;
};

/* Runs a line, whose words are separated by blanks and whose targets need not exist. The clock begins at
   START, and each I/O takes service_ns. Free the outcome with ds_outcome_fini. */
void ds_run_line(struct ds_outcome *o, const char *line, uint64_t service_ns);
/* Does the same for an XML profile. */
void ds_run_xml(struct ds_outcome *o, const char *xml, uint64_t service_ns);
void ds_outcome_fini(struct ds_outcome *o);
/* Makes the clock virtual from now on. */
void ds_virtual(void);

#endif
