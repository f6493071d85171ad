/* verify_phase.h: the phase that reads back what the job has written, at its end or when its writes pause. */
#ifndef VERIFY_PHASE_H
#define VERIFY_PHASE_H

#include <stdbool.h>

struct worker;

/* Call this when the job has written all its blocks: syncs the files, drops their cached pages, and makes the
   next run of the loop read. Returns false if the loop must not run: there is nothing to read, the job was
   stopped, or it has failed. */
bool verify_begin(struct worker *w);
/* Call this when the loop has read all blocks or was stopped. Fails the job if there was damage. */
void verify_end(struct worker *w);
/* Sets after how many I/Os the writes pause next (verify_backlog, trim_backlog). */
void verify_set_pause(struct worker *w);
/* Call these when the writes have paused: they do the same for a loop that has ended, or for a batch of the
   backlog. Afterwards the writes go on, unless the job has failed. */
bool verify_begin_pause(struct worker *w);
void verify_end_pause(struct worker *w);

#endif
