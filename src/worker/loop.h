/* loop.h: runs the ramp, the measurement, the cooldown, and the verification; or a job that does no I/O. */
#ifndef LOOP_H
#define LOOP_H

struct worker;

/* loop.c: */

void loop_run(struct worker *w);

/* noio.c: runs a job that does no I/O (ENG_NOIO). */

void noio_run(struct worker *w);

#endif
