/* loop.h: runs the ramp, the measurement, the cooldown, and the verification. */
#ifndef LOOP_H
#define LOOP_H

struct worker;

void loop_run(struct worker *w);

#endif
