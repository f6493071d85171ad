/* remain.h: how long a run still takes. */
#ifndef REMAIN_H
#define REMAIN_H

#include <stdint.h>
#include "run.h"

/* Seconds until the last wave has ended, as far as run times and progress tell; -1 if they do not. */
double remain_s(const struct run *r, uint64_t now);

#endif
