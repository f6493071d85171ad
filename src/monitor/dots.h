/* dots.h: DISKSPD's -P: a dot on stderr for every so many I/Os, warm-up included. */
#ifndef DOTS_H
#define DOTS_H

#include "run.h"

struct dots {
	uint64_t every; /* I/Os; 0: no dots */
	uint64_t told;
};

/* Those that are due. */
void dots_tick(struct dots *d, const struct run *r);
/* Ends the line, if there is one. */
void dots_end(struct dots *d);

#endif
