/* messages.h: messages of a run on stderr: errors and notes to a terminal; and the text of --debug. */
#ifndef MESSAGES_H
#define MESSAGES_H

#include "live.h"
#include "logs.h"
#include "result.h"
#include "run.h"

/* Adds notes about flags that have no effect on this plan. */
void messages_unused_flags(struct plan *p);
/* --debug=parse, file, job: adds the options and the plan. */
void messages_plan(const struct plan *p, struct strbuf *b);
/* Prints the files of other programs that the run overwrites, before it starts, to a terminal only. */
void messages_overwrites(const struct plan *p);
/* --debug=process: adds each worker's process, runtime and error. --debug=random: adds the seed of each
   worker. */
void messages_workers(const struct run *r, struct strbuf *b);
/* Prints the errors of workers, logs, --live and the trigger: one line for all workers of a job with the same
   error; for a DISKSPD line only the first error. l may be NULL. */
void messages_errors(const struct run *r, const struct logs *l, const struct live *live);
/* Prints the notes to a terminal, for a run whose output is machine-readable. `printed` has those of earlier
   runs, which are not printed again, and gets these. */
void messages_notes(const struct result *res, struct notes *printed);
/* Prints to a terminal which run of --repeat begins, if the run has no text report that says so. */
void messages_run(const struct job_set *set, unsigned run, unsigned runs);
/* Prints to a terminal which files have the result. */
void messages_files(const struct job_set *set);
/* Prints the failed assertions. */
void messages_verdicts(const struct job_set *set, const struct result *res);

#endif
