/* cpuorder.h: in which order workers get CPUs, by what these are like. Pure. */
#ifndef CPUORDER_H
#define CPUORDER_H

#include <stdbool.h>
#include <stddef.h>

/* CPUs whose numbers are alike but for the lowest six bits are a group, as Windows has them. */
#define CPUORDER_GROUP 64

struct cpu_place {
	unsigned cpu;
	unsigned class;  /* 0: the fastest kind; more are slower */
	unsigned thread; /* of its core: 0 is the first */
};

/* letters: c: each core once before any has a second thread in use; s: from group to group with each CPU, not
   one group after the other. Fast ones come first (p), or slow ones (e), in each group and, with c, in each
   round over the cores; the capitals P and E take all CPUs of a kind, of whatever group, before any other. u:
   all alike. The order is otherwise that of the numbers. False when memory is
   short. */
bool cpuorder_sort(struct cpu_place *v, size_t n, const char *letters);

#endif
