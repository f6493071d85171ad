/* wave_usage.h: how the processors spent the measured time of each wave, and what the disks below its targets
   did, as the kernel counts it. The parent reads the counts when the ramp of the wave's jobs ends and when
   their time is up. All functions accept NULL for s. */
#ifndef WAVE_USAGE_H
#define WAVE_USAGE_H

#include "cpuidle.h"
#include "kernel_counters.h"
#include "plan.h"

struct wave_usage;

/* disks: also count the I/Os of disks; counts: also read the counters of kernel_counters.h. Returns NULL if
   memory is short. */
struct wave_usage *wave_usage_new(const struct plan *p, bool disks, bool counts);
void wave_usage_free(struct wave_usage *s);

/* Call this when the clock of the wave starts. */
void wave_usage_begin(struct wave_usage *s, uint32_t wave, uint64_t now_ns);
/* Reads the counts if it is time to. */
void wave_usage_tick(struct wave_usage *s, uint64_t now_ns);
/* Returns the time (clock_ns()) at which wave_usage_tick must be called; 0: never. */
uint64_t wave_usage_due_ns(const struct wave_usage *s);
/* Call this when the current wave is over. */
void wave_usage_end(struct wave_usage *s);

/* Returns the reads and writes of the disks below the wave's targets; NULL: not known. */
const uint64_t *wave_usage_disk_ios(const struct wave_usage *s, uint32_t wave);
/* Returns the counts of the whole machine; all are unknown if `counts` was false. */
const struct kernel_counters *wave_usage_kernel(const struct wave_usage *s, uint32_t wave);
/* Returns the use of each CPU; NULL: not known. */
const struct cpuidle_use *wave_usage_cpus(const struct wave_usage *s, uint32_t wave);

#endif
