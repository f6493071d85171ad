/* verify_seen.h: which blocks a job that only reads has checked already. One bit for each block of its files.
 */
#ifndef VERIFY_SEEN_H
#define VERIFY_SEEN_H

#include <stdbool.h>
#include <stdint.h>

struct plan_job;

struct verify_seen {
	const struct plan_job *job;
	uint64_t *bits; /* NULL: nothing is noted */
	uint64_t *file; /* the first bit of each file, and behind them the number of all bits */
};

/* Returns false if memory is short. Call verify_seen_fini in any case. */
bool verify_seen_init(struct verify_seen *s, const struct plan_job *pj);
void verify_seen_fini(struct verify_seen *s);
/* Returns whether the block that begins at this offset has been added. */
bool verify_seen_has(const struct verify_seen *s, uint32_t file, uint64_t offset);
/* Adds the block. Returns whether it is new. */
bool verify_seen_add(struct verify_seen *s, uint32_t file, uint64_t offset);

#endif
