/* peak_run.h: the searches of fiord peak. Each target is searched alone, then all together. The points are
   runs of this program, as those of a sweep are. */
#ifndef PEAK_RUN_H
#define PEAK_RUN_H

#include "diag.h"
#include "peak.h"

/* The shortest point. */
#define PEAK_POINT_LEAST_NS 200000000ull

/* Looks at the targets, and refuses those whose reads would measure nothing. Returns 0 or -errno with d. */
int peak_open(struct peak *p, struct diag *d);
/* Runs the searches. A line of progress goes to stderr if it is a terminal. Returns 0 or -errno with d. */
int peak_run(struct peak *p, struct diag *d);
void peak_fini(struct peak *p);
/* Returns the shortest time in which so many targets can be searched. */
uint64_t peak_time_least_ns(size_t ntargets);

/* peak_device.c: what sysfs says about a disk: the CPUs near it, its NUMA node, its link and its polling. */

struct machine;

/* Fills in node, cpus, polls and link of a target whose `disk` is known or "". CPUs of the device's node come
   first, then those that are the first thread of their core, then those that its interrupts go to, one CPU of
   each queue before the second one. Reads only. Returns 0 or -ENOMEM. */
int peak_device_probe(struct peak_target *t, const struct machine *m, struct arena *mem);

#endif
