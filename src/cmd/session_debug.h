/* session_debug.h: the lines of --debug. They go to standard error, or into the text report if the program
   has fio's name, as in fio. */
#ifndef SESSION_DEBUG_H
#define SESSION_DEBUG_H

#include <stdbool.h>
#include "session.h"

/* Returns whether the lines go into the report. */
bool session_debug_in_report(const struct session *s);
/* Prints what is known before the run. */
void session_debug_plan(struct session *s);
/* Chooses where workers print: the stream of the other lines, or a file without a name if that stream is a
   file, which is written at the end. Returns 0 or -errno with d. */
int session_debug_open(struct session *s, struct diag *d);
/* Prints what is known after the run. */
void session_debug_workers(struct session *s);
void session_debug_fini(struct session *s);

#endif
