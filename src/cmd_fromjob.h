/* cmd_fromjob.h: fiord diskspd --from-job FILE: job file -> DISKSPD line or XML profile. */
#ifndef CMD_FROMJOB_H
#define CMD_FROMJOB_H

#include <stdbool.h>
#include "diag.h"
#include "job.h"
#include "profile.h"

/* The nearest profile: sections that run together are targets, stonewall starts a time span. Every given
   option that changes the load and has no counterpart is a line in `lost`. *p is overwritten; fini it in any
   case. 0, or -errno with d when there is nothing in it that DISKSPD could do. */
int fromjob_profile(struct ds_profile *p, const struct job_set *set, struct notes *lost, struct diag *d);

/* The verb: prints to stdout, returns the exit code. A line where one says it all, else (or if `profile`)
 * XML. */
int cmd_from_job(const char *file, bool profile);

#endif
