/* wave_usage.h: how the processors spent the measured time of each wave, and what the disks below its targets
   did, by the kernel's own account. The looks are taken by the parent, when the ramp of the wave's jobs ends
   and when their time is up. */
#ifndef WAVE_USAGE_H
#define WAVE_USAGE_H

#include "cpuidle.h"
#include "kernel_counters.h"
#include "plan.h"

struct wave_usage;

/* disks, counts: look at the disks, and at what the kernel counts, too. NULL when memory is short. */
struct wave_usage *wave_usage_new(const struct plan *p, bool disks, bool counts);
void wave_usage_free(struct wave_usage *s); /* accepts NULL, as all here */

/* The clock of the wave starts. */
void wave_usage_begin(struct wave_usage *s, uint32_t wave, uint64_t now_ns);
/* Looks if it is time to. */
void wave_usage_tick(struct wave_usage *s, uint64_t now_ns);
/* When the next look is due; 0: none is. */
uint64_t wave_usage_due_ns(const struct wave_usage *s);
/* The wave at hand is over. */
void wave_usage_end(struct wave_usage *s);

/* Reads and writes of the disks below the wave's targets; NULL: not known. */
const uint64_t *wave_usage_disk_ios(const struct wave_usage *s, uint32_t wave);
/* Nothing in it is known where it was not looked at. */
const struct kernel_counters *wave_usage_kernel(const struct wave_usage *s, uint32_t wave);
/* NULL: not known. */
const struct cpuidle_use *wave_usage_cpus(const struct wave_usage *s, uint32_t wave);

#endif
