/* messages.h: what a run says beside its result: errors on stderr, notes to a terminal, what --debug asks
 * for. */
#ifndef MESSAGES_H
#define MESSAGES_H

#include "logs.h"
#include "result.h"
#include "run.h"

/* Notes on flags that have nothing to act on. */
void messages_idle_flags(struct plan *p);
/* --debug=parse, file, job: what was understood and planned. */
void messages_plan(const struct plan *p);
/* Which files of others are going to be written over: on a terminal, before it happens. */
void messages_losses(const struct plan *p);
/* --debug=process: who worked, and how it ended. --debug=random: the seed of each worker. */
void messages_workers(const struct run *r);
/* One line each, once for all workers of a job that met the same; of a DISKSPD line the first alone. l may be
 * NULL. */
void messages_errors(const struct run *r, const struct logs *l);
/* They are in the report and the document; a terminal also sees them beside a machine-readable one. */
void messages_notes(const struct result *res);

#endif
