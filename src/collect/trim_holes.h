/* trim_holes.h: the holes that the trims of a run make into files. Reads of holes do not reach the device, so
   the result has a note if a job reads such a file in the same wave or a later one. A run without trims pays
   nothing. */
#ifndef TRIM_HOLES_H
#define TRIM_HOLES_H

#include "plan.h"
#include "result.h"

/* All zero: no file is trimmed. */
struct trim_holes {
	uint64_t *before; /* by plan_target.same: bytes of holes before the trims; UINT64_MAX: not wanted */
};

/* Call this before the clock of the wave starts: counts the holes of the files that its jobs trim. */
void trim_holes_begin(struct trim_holes *h, const struct plan *p, uint32_t wave);
/* Counts the holes after the run, and adds the note. */
void trim_holes_note(const struct trim_holes *h, const struct plan *p, struct result *r);
void trim_holes_fini(struct trim_holes *h);

#endif
