/* mix.h: in which direction the next I/O goes. Each I/O draws from a seeded generator. */
#ifndef MIX_H
#define MIX_H

#include "dir.h"
#include "rng.h"

struct mix_cfg {
	unsigned read_percent; /* of a job that reads and writes */
};

struct mixer {
	struct rng rng;
	uint64_t read_below; /* a 63-bit draw below this is a read */
	unsigned dirs;       /* directions still alive; one alone is returned without a draw */
	enum io_dir last;    /* trimwrite alternates: a trim, then its write */
};

/* rw: enum rw_bits. */
void mix_init(struct mixer *m, const struct mix_cfg *cfg, unsigned rw, uint64_t seed);
/* For mix_next alone: neither a mix of reads and writes nor one direction. */
enum io_dir mix_other(struct mixer *m);

/* m->dirs must not be empty. */
static inline enum io_dir mix_next(struct mixer *m)
{
	if (m->dirs == (RW_READ | RW_WRITE))
		return rng_u64(&m->rng) >> 1 < m->read_below ? DIR_READ : DIR_WRITE;
	if ((m->dirs & (m->dirs - 1)) == 0)
		return (enum io_dir)__builtin_ctz(m->dirs);
	return mix_other(m);
}

#endif
