/* peak_device.h: what sysfs says about a disk: the CPUs near it, its NUMA node, its link and its polling. */
#ifndef PEAK_DEVICE_H
#define PEAK_DEVICE_H

#include "cpuset.h"
#include "peak.h"

struct machine;

/* Fills in node, cpus, polls and link of a target whose `disk` is known or "". CPUs of the device's node come
   first, then those that are the first thread of their core, then those that its interrupts go to, one CPU of
   each queue before the second one. Reads only. Returns 0 or -ENOMEM. */
int peak_device_probe(struct peak_target *t, const struct machine *m, struct arena *mem);

#endif
