/* logs.h: the log files of a run, written while it goes on by a process of its own (log_writer.h), which
   takes what the workers have put into their rings, and what the parent has got of their intervals. Memory is
   bounded: a worker that is too far ahead waits. A file that cannot be written is given up, and what is meant
   for it is dropped; the run goes on. */
#ifndef LOGS_H
#define LOGS_H

#include "result.h"
#include "run.h"

struct logs;

/* NULL if the plan has no logs (*failed is false), or memory is short. */
struct logs *logs_new(const struct plan *p, bool *failed);
/* All workers are forked: starts the process that writes. */
void logs_start(struct logs *l, struct run *r);
/* An interval of a worker has been closed (run_hooks.interval), and whether there is room for another. */
void logs_interval(struct logs *l, uint32_t job, unsigned track, const struct ival *rec);
bool logs_room(struct logs *l, uint32_t job, unsigned track);
/* From time to time: looks after the writer. */
void logs_tick(struct logs *l);
/* All workers are gone: what is in the rings is written, and the files are closed. A second signal (those of
   the run count) ends the waiting for a file that cannot be written to. */
void logs_end(struct logs *l);
/* What went wrong, one line; false: nothing. */
bool logs_failed(const struct logs *l, char *why, size_t size);
void logs_free(struct logs *l);

#endif
