/* ramp.h: a ramp by amount (ramp_size). */
#ifndef RAMP_H
#define RAMP_H

#include <stdbool.h>

struct worker;

/* Returns true if the ramp is complete. */
bool ramp_reached(const struct worker *w);

#endif
