/* numset.h: a set of the numbers below a limit, which finds the next member in a few steps however far away
   it is. It takes some 1.02 bits for each number. */
#ifndef NUMSET_H
#define NUMSET_H

#include <stdbool.h>
#include <stdint.h>

#define NUMSET_LEVELS 6
#define NUMSET_NONE   UINT32_MAX

struct numset {
	uint32_t n;
	unsigned nlevels;
	/* Level 0 has a bit for each number. Each further level has a bit for each word of the level below,
	   which is set if the word is not zero. */
	uint64_t *levels[NUMSET_LEVELS];
};

/* Makes an empty set of numbers below n. Returns false if memory is short; call numset_fini in any case. */
bool numset_init(struct numset *s, uint32_t n);
void numset_fini(struct numset *s);
/* Adds all numbers. */
void numset_fill(struct numset *s);
void numset_add(struct numset *s, uint32_t number);
void numset_remove(struct numset *s, uint32_t number);
/* Returns the first member from this number on, or else the first member of all. NUMSET_NONE: the set is
   empty. */
uint32_t numset_next(const struct numset *s, uint32_t from);

#endif
