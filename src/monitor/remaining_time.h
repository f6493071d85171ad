/* remaining_time.h: estimates how long a run still takes. */
#ifndef REMAINING_TIME_H
#define REMAINING_TIME_H

#include <stdint.h>

struct run;

/* Returns the seconds until the last wave ends, from run times and progress; -1 if it is unknown. */
double remaining_time_s(const struct run *r, uint64_t now);

#endif
