/* prio.h: draws the priority of the next I/O. Pure and seeded. Priorities have numbers: 0 is the worker's
   own, the others are those that the job sets for single I/Os. */
#ifndef PRIO_H
#define PRIO_H

#include <stdint.h>
#include "dir.h"
#include "rng.h"

#define PRIO_DIRS    2  /* reads and writes; trims have the worker's priority */
#define PRIO_ENTRIES 64 /* shares of one direction */
#define PRIO_NUMBERS (1 + PRIO_DIRS * PRIO_ENTRIES)

/* The percentage of the I/Os of this size that have this priority. */
struct prio_share {
	uint32_t bytes; /* 0: I/Os of every size */
	uint32_t percent;
	uint32_t number; /* of the priority */
};

/* All priorities of a job and their shares. The shares of one size and direction add up to at most 100;
   the other I/Os have the worker's priority. */
struct prio_set {
	unsigned n;
	uint16_t value[PRIO_NUMBERS]; /* the kernel's encoding of class, hint and level; [0] is unused */
	unsigned shares[PRIO_DIRS];
	struct prio_share share[PRIO_DIRS][PRIO_ENTRIES];
};

struct prio_gen {
	const struct prio_set *set;
	struct rng rng;
};

/* Returns the number of `value`, and adds it if it is new; the set must have room. */
uint32_t prio_number(struct prio_set *s, uint16_t value);
void prio_init(struct prio_gen *g, const struct prio_set *set, uint64_t seed);
/* Draws the number of the priority of an I/O of this size. */
uint32_t prio_next(struct prio_gen *g, enum io_dir dir, uint32_t bytes);

#endif
