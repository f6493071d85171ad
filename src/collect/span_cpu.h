/* span_cpu.h: how the processors spent the measured time of each wave, and what the disks below its targets
   did, by the kernel's own account. The looks are taken by the parent, when the ramp of the wave's jobs ends
   and when their time is up. */
#ifndef SPAN_CPU_H
#define SPAN_CPU_H

#include "cpuidle.h"
#include "kernstat.h"
#include "plan.h"

struct span_cpu;

/* disks, counts: look at the disks, and at what the kernel counts, too. NULL when memory is short. */
struct span_cpu *span_cpu_new(const struct plan *p, bool disks, bool counts);
void span_cpu_free(struct span_cpu *s); /* accepts NULL, as all here */

/* The clock of the wave starts. */
void span_cpu_open(struct span_cpu *s, uint32_t wave, uint64_t now_ns);
/* Looks if it is time to. */
void span_cpu_tick(struct span_cpu *s, uint64_t now_ns);
/* When the next look is due; 0: none is. */
uint64_t span_cpu_due_ns(const struct span_cpu *s);
/* The wave at hand is over. */
void span_cpu_close(struct span_cpu *s);

/* Reads and writes of the disks below the wave's targets; NULL: not known. */
const uint64_t *span_cpu_disk_ios(const struct span_cpu *s, uint32_t wave);
/* Nothing in it is known where it was not looked at. */
const struct kernstat *span_cpu_counted(const struct span_cpu *s, uint32_t wave);
/* NULL: not known. */
const struct cpuidle_use *span_cpu_use(const struct span_cpu *s, uint32_t wave);

#endif
