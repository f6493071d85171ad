/* preflight.h: warns before the run if its figures will not be those of the device. Each reason gives one
   note, with advice. Pure: facts in, notes out; unknown facts give no note. */
#ifndef PREFLIGHT_H
#define PREFLIGHT_H

#include "plan.h"

/* f: the facts of the plan. Jobs with the same note share a line. *memory becomes the range of the notes that
   predict I/O that stays in memory. After a run the counters of the devices show whether it did. */
void preflight(const struct plan *p, const struct facts *f, struct notes *out, struct note_range *memory);

#endif
