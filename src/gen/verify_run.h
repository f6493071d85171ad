/* verify_run.h: run numbers. Each run of a job has a random number, from which the data of its writes follow.
   So a block that an earlier run has written is not that of this run, even at the same place and with the
   same number. Data with the run number 0 are the same in every run. Pure. */
#ifndef VERIFY_RUN_H
#define VERIFY_RUN_H

#include <stdbool.h>
#include <stdint.h>
#include "verify_block.h"

#define VERIFY_RUNS 8u

/* Returns the seed of a run: its write n has the seed rng_mix64(run seed + n). seed: that of the job. */
static inline uint64_t verify_run_seed(uint64_t seed, uint32_t run)
{
	return seed + ((uint64_t)run << 32);
}

/* A run that wrote a block. */
struct block_run {
	uint32_t number;
	uint64_t time_ns; /* of the block's header, since 1970; 0: it was found by the data */
};

/* Finds the run that wrote these bytes of a block: by a header or by their data. from: where they begin in
   the block. number: of the write, for data without a header. Returns false if they are of no write of this
   job, or do not tell. */
bool verify_run_find(const struct verify_format *f, const unsigned char *buf, uint32_t bytes, uint32_t from,
		     uint64_t seed, uint64_t number, struct block_run *run);

/* The runs that wrote the blocks read so far. If there are many, only the last ones are kept. */
struct verify_runs {
	uint32_t last, number[VERIFY_RUNS];
	uint32_t n; /* that were added; of more than VERIFY_RUNS, the oldest are forgotten */
};

void verify_runs_add(struct verify_runs *r, uint32_t run);
bool verify_runs_have(const struct verify_runs *r, uint32_t run);

#endif
