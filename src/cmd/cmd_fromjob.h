/* cmd_fromjob.h: fiord diskspd --from-job FILE: job file -> DISKSPD line or XML profile. */
#ifndef CMD_FROMJOB_H
#define CMD_FROMJOB_H

#include <stdbool.h>
#include "diag.h"

/* The verb: prints to stdout a line where one says it all, else (or if `profile`) XML, and what is not
   carried as comments. Returns the exit code; d is as for any job file. */
int cmd_from_job(const char *file, bool profile, struct diag *d);

#endif
