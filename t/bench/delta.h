/* delta.h: what one more I/O of a job costs fiord: two runs of different length, their difference divided by
   the I/Os that differ. So start and end of a run do not count. */
#ifndef DELTA_H
#define DELTA_H

#include "run.h"
#include "values.h"

/* A job on the null engine, or what args make of it, with io_size added: `ios` is how many more the long run
   has, shared between `jobs`. */
struct delta_job {
	const char *args;
	unsigned depth, jobs;
	uint64_t ios;
};

/* CPU time in ns; adds to `v`. 0 or -EIO. */
int delta_cost(const struct bench *b, const struct delta_job *j, struct values *v);
/* Instructions of the worker's process (thread=1); NAN without valgrind, or if it failed. */
double delta_instructions(const struct bench *b, const struct delta_job *j);

#endif
