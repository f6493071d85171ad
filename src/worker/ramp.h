/* ramp.h: a ramp by amount (ramp_size). It counts the bytes of all jobs that are reported as one group. */
#ifndef RAMP_H
#define RAMP_H

#include <stdbool.h>

struct clone;
struct quota;

/* Returns true if the ramp is complete. */
bool ramp_complete(const struct clone *c, const struct quota *q);

#endif
