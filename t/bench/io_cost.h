/* io_cost.h: the cost of one more I/O of a job: the difference of two runs of different length, divided by
   the difference of their I/Os. Start and end of a run therefore do not count. */
#ifndef IO_COST_H
#define IO_COST_H

#include "run.h"
#include "values.h"

/* A job on the null engine, or as args say, with io_size added. `ios` is how many more I/Os the long run
   has, shared among `jobs`. */
struct io_cost_job {
	const char *args;
	unsigned depth, jobs;
	uint64_t ios;
};

/* Measures the CPU time in ns and adds it to `v`. Returns 0 or -EIO. */
int io_cost(const struct bench *b, const struct io_cost_job *j, struct values *v);
/* Counts the instructions of the worker's process (thread=1); NAN without valgrind or after a failure. */
double io_cost_instructions(const struct bench *b, const struct io_cost_job *j);

#endif
