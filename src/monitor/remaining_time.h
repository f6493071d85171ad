/* remaining.h: how long a run still takes. */
#ifndef REMAINING_TIME_H
#define REMAINING_TIME_H

#include <stdint.h>
#include "run.h"

/* Seconds until the last wave has ended, as far as run times and progress tell; -1 if they do not. */
double remaining_time_s(const struct run *r, uint64_t now);

#endif
