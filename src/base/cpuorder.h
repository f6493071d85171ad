/* cpuorder.h: the order in which workers are pinned to CPUs, by speed, core and group. Pure. */
#ifndef CPUORDER_H
#define CPUORDER_H

#include <stdbool.h>
#include <stddef.h>

/* As in Windows, 64 consecutive CPU numbers form a processor group. */
#define CPUORDER_GROUP 64

struct cpu_place {
	unsigned cpu;
	unsigned class;  /* 0: the fastest kind; more are slower */
	unsigned thread; /* of its core: 0 is the first */
};

/* Sorts v[] as `letters` request. c: use one thread of every core before the second thread of any core. s:
   change to the next group after each CPU, instead of using up one group after the other. p: fast CPUs come
   first in each group and, with c, in each round over the cores; e: slow CPUs come first. P and E: all fast
   (or slow) CPUs of all groups come before the others. u: treat all CPUs alike. CPUs that compare equal are
   in the order of their numbers. Returns false when memory is short. */
bool cpuorder_sort(struct cpu_place *v, size_t n, const char *letters);

#endif
