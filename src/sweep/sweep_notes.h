/* sweep_notes.h: the notes of the points' documents. A note that several points have is listed once. Pure. */
#ifndef SWEEP_NOTES_H
#define SWEEP_NOTES_H

#include "sweep_curve.h"

/* Adds the notes of a point: those of its run, and those of its jobs with their names. Returns 0 or -ENOMEM.
 */
int sweep_add_notes(struct sweep *s, size_t point, const struct result *res);

#endif
