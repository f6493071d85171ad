/* dots.h: -P of DISKSPD: prints a dot to stderr after each N I/Os, those of the warm-up included. */
#ifndef DOTS_H
#define DOTS_H

#include <stdint.h>

struct run;

struct dots {
	uint64_t every; /* I/Os; 0: no dots */
	uint64_t printed;
};

/* Prints the dots that are due. */
void dots_tick(struct dots *d, const struct run *r);
/* Ends the line, if there is one. */
void dots_end(struct dots *d);

#endif
