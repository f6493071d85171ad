/* cmd_fromjob.h: fiord diskspd --from-job FILE: job file -> DISKSPD line or XML profile. */
#ifndef CMD_FROMJOB_H
#define CMD_FROMJOB_H

#include <stdbool.h>
#include "cpuset.h"
#include "diag.h"
#include "job.h"
#include "profile.h"

/* The nearest profile: sections that run together are targets of one time span, stonewall begins another.
   Every given option that changes the load and has no counterpart is a line in `lost`. cpus: on which DISKSPD
   would run by default; empty or NULL: not known. *p is overwritten; fini it in any case. 0, or -errno with d
   when nothing in it is anything that DISKSPD could do. */
int fromjob_profile(struct ds_profile *p, const struct job_set *set, const struct cpuset *cpus,
		    struct notes *lost, struct diag *d);

/* The options that it translates, ended by NULL. */
extern const char *const fromjob_carried[];

/* The verb: prints to stdout a line where one says it all, else (or if `profile`) XML, and what is not
   carried as comments. Returns the exit code; d is as for any job file. */
int cmd_from_job(const char *file, bool profile, struct diag *d);

#endif
