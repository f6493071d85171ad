/* mix.h: draws the direction of the next I/O. Pure and seeded. */
#ifndef MIX_H
#define MIX_H

#include <stdbool.h>
#include <stdint.h>
#include "dir.h"
#include "rng.h"

struct mix_cfg {
	unsigned read_percent; /* percentage of reads of a job that reads and writes */
};

struct mixer {
	struct rng rng;
	uint64_t read_below; /* a 63-bit draw below this is a read */
	unsigned dirs;       /* possible directions; a single one is returned without a draw */
};

/* rw: enum rw_bits. A trimwrite job begins with trims; the caller selects its writes with mix_only. */
void mix_init(struct mixer *m, const struct mix_cfg *cfg, unsigned rw, uint64_t seed);

/* Makes mix_next return only this direction from now on. */
static inline void mix_only(struct mixer *m, enum io_dir dir)
{
	m->dirs = 1u << dir;
}

/* Draws a direction. m->dirs must not be empty. */
static inline enum io_dir mix_next(struct mixer *m)
{
	if (m->dirs == (RW_READ | RW_WRITE))
		return rng_u64(&m->rng) >> 1 < m->read_below ? DIR_READ : DIR_WRITE;
	return (enum io_dir)__builtin_ctz(m->dirs);
}

/* Which writes are trimmed before they are verified (trim_percentage). Pure. */

/* Returns whether the write with this number is trimmed: exactly `percent` of each 100 writes are. The choice
   depends on the number alone, so that another run makes the same one. */
bool trim_choice(uint64_t number, unsigned percent);

/* Returns the most blocks of n that such trims explain. More of them are trimmed with a chance below one in a
   billion. Up to per_write blocks are of one write, and trimmed together. */
uint64_t trim_choice_most(uint64_t n, unsigned percent, unsigned per_write);

#endif
