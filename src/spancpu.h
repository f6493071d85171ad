/* spancpu.h: how the processors spent the measured time of each wave, and what the disks below its targets
   did, by the kernel's own account. The looks are taken by the parent, when the ramp of the wave's jobs ends
   and when their time is up. */
#ifndef SPANCPU_H
#define SPANCPU_H

#include "cpuidle.h"
#include "kernstat.h"
#include "plan.h"

struct spancpu;

/* disks, counts: look at the disks, and at what the kernel counts, too. NULL when memory is short. */
struct spancpu *spancpu_new(const struct plan *p, bool disks, bool counts);
void spancpu_free(struct spancpu *s); /* accepts NULL, as all here */

/* The clock of the wave starts. */
void spancpu_open(struct spancpu *s, uint32_t wave, uint64_t now_ns);
/* Looks if it is time to. */
void spancpu_tick(struct spancpu *s, uint64_t now_ns);
/* When the next look is due; 0: none is. */
uint64_t spancpu_due_ns(const struct spancpu *s);
/* The wave at hand is over. */
void spancpu_close(struct spancpu *s);

/* Reads and writes of the disks below the wave's targets; NULL: not known. */
const uint64_t *spancpu_disk_ios(const struct spancpu *s, uint32_t wave);
/* Nothing in it is known where it was not looked at. */
const struct kernstat *spancpu_counted(const struct spancpu *s, uint32_t wave);
/* NULL: not known. */
const struct cpuidle_use *spancpu_use(const struct spancpu *s, uint32_t wave);

#endif
