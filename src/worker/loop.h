/* loop.h: runs the ramp, the measurement and the cooldown. */
#ifndef LOOP_H
#define LOOP_H

struct worker;

void loop_run(struct worker *w);

#endif
