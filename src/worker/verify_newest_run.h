/* verify_newest_run.h: finds blocks of older runs among those that a job with verify_only reads. The newest
   write of each block is of the newest run, as the times in the headers show; an older one is left where a
   write of the newest run was lost. */
#ifndef VERIFY_NEWEST_RUN_H
#define VERIFY_NEWEST_RUN_H

#include <stdbool.h>
#include <stdint.h>
#include "verify_doubtful.h"

struct block_check;
struct verify_damages;
struct worker;

struct verify_newest_run {
	bool found;
	uint32_t run;                  /* the newest run of the blocks so far, */
	uint64_t time_ns;              /* and the newest time of its headers */
	struct verify_doubtful blocks; /* the blocks of this run, which may turn out to be old */
};

/* Counts an intact block if its run can be compared. Returns false if it cannot. */
bool verify_newest_run_counts(struct verify_newest_run *v, struct worker *w, struct verify_damages *damages,
			      const struct block_check *c);

#endif
