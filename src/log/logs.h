/* logs.h: the log files of a run. A process of its own (log_writer.c) writes them while the run goes on.
   Memory is bounded: a worker whose ring is full waits. After a write error the lines of that file are
   dropped, and the run goes on. */
#ifndef LOGS_H
#define LOGS_H

#include "result.h"
#include "run.h"

struct logs;

/* Returns NULL if the plan has no logs (*failed is false), or memory is short. */
struct logs *logs_new(const struct plan *p, bool *failed);
/* Starts the log writer, after all workers were forked. */
void logs_start(struct logs *l, struct run *r);
/* For the hooks `interval` and `has_room` of struct run_hooks: logs_interval takes a closed interval of a
   worker, and logs_room returns whether there is room for another. */
void logs_interval(struct logs *l, uint32_t job, unsigned track, const struct ival *rec);
bool logs_room(struct logs *l, uint32_t job, unsigned track);
/* Sends waiting lines to the writer, and checks that it still runs. Call it at each tick. */
void logs_tick(struct logs *l);
/* All workers have ended: waits until the writer has written all lines and closed the files. A second signal,
   counting those of the run, ends the waiting. */
void logs_end(struct logs *l);
/* Writes one line about an error of the logs; false: there was none. */
bool logs_failed(const struct logs *l, char *why, size_t size);
void logs_free(struct logs *l);

#endif
