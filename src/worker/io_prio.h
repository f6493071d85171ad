/* io_prio.h: priorities of single I/Os (cmdprio, and the priorities of a thread_group). */
#ifndef IO_PRIO_H
#define IO_PRIO_H

#include <stdbool.h>

struct io;
struct worker;

/* Sets up the priorities, before any file is opened. Returns false after clone_fail. */
bool io_prio_init(struct worker *w);
/* Gives each of these I/Os its priority. Only for jobs with w->observers.prio.set. */
void io_prio_draw(struct worker *w, struct io **ios, unsigned n);
/* Counts the first n I/Os of w->q.reaped, completed at w->clock.now_ns, by priority. Called before short I/Os
   are continued. */
void io_prio_account(struct worker *w, unsigned n);

#endif
