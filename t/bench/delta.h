/* delta.h: the cost of one more I/O of a job: the difference of two runs of different length, divided by
   the difference of their I/Os. Start and end of a run therefore do not count. */
#ifndef DELTA_H
#define DELTA_H

#include "run.h"
#include "values.h"

/* A job on the null engine, or as args say, with io_size added. `ios` is how many more I/Os the long run
   has, shared among `jobs`. */
struct delta_job {
	const char *args;
	unsigned depth, jobs;
	uint64_t ios;
};

/* Measures the CPU time in ns and adds it to `v`. Returns 0 or -EIO. */
int delta_cost(const struct bench *b, const struct delta_job *j, struct values *v);
/* Counts the instructions of the worker's process (thread=1); NAN without valgrind or after a failure. */
double delta_instructions(const struct bench *b, const struct delta_job *j);

#endif
