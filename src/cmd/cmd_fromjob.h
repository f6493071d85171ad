/* cmd_fromjob.h: fiord diskspd --from-job FILE: job file -> DISKSPD line or XML profile. */
#ifndef CMD_FROMJOB_H
#define CMD_FROMJOB_H

#include <stdbool.h>
#include "diag.h"

/* Prints a DISKSPD line to stdout if the jobs fit into one, otherwise (or if `profile`) an XML profile, with
   the options that have no counterpart as comments. Returns the exit code, with d on failure. */
int cmd_from_job(const char *file, bool profile, struct diag *d);

#endif
