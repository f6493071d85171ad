/* diskspd_runs.h: DISKSPD lines on a virtual clock: line -> job text -> job -> plan -> loop, with an engine
   that takes a known time and writes down what it was given. Each thread is a process with a clock of its own
   here. */
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

/* Words of the line by blanks, its targets are not looked for; the clock begins at START. Each I/O takes
   service_ns. Fini it. */
void ds_run_line(struct ds_outcome *o, const char *line, uint64_t service_ns);
/* The same of an XML profile. */
void ds_run_xml(struct ds_outcome *o, const char *xml, uint64_t service_ns);
void ds_outcome_fini(struct ds_outcome *o);
/* From now on the clock is virtual. */
void ds_virtual(void);

#endif
