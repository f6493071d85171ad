/* prio.h: with which priority the next I/O goes. Pure and seeded. Priorities are numbered: 0 is the worker's
   own, the others are what the job asked for single I/Os. */
#ifndef PRIO_H
#define PRIO_H

#include <stdint.h>
#include "dir.h"
#include "rng.h"

#define PRIO_DIRS    2  /* reads and writes; trims have the worker's */
#define PRIO_ENTRIES 64 /* of one direction */
#define PRIO_NUMBERS (1 + PRIO_DIRS * PRIO_ENTRIES)

/* So many of 100 I/Os of this size have this priority. */
struct prio_share {
	uint32_t bytes; /* 0: I/Os of every size */
	uint32_t percent;
	uint32_t number; /* of the priority */
};

/* What may occur, and how often. For one size of one direction the shares add up to 100 at most; the rest has
   the worker's. */
struct prio_set {
	unsigned n;
	uint16_t value[PRIO_NUMBERS]; /* as the kernel takes them: class, hint and level; [0] is not used */
	unsigned shares[PRIO_DIRS];
	struct prio_share share[PRIO_DIRS][PRIO_ENTRIES];
};

struct prio_gen {
	const struct prio_set *set;
	struct rng rng;
};

/* The number of `value`, which is added if it is new. There is room. */
uint32_t prio_number(struct prio_set *s, uint16_t value);
void prio_init(struct prio_gen *g, const struct prio_set *set, uint64_t seed);
/* The number of the priority of an I/O of this size. */
uint32_t prio_next(struct prio_gen *g, enum io_dir dir, uint32_t bytes);

#endif
