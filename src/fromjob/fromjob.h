/* fromjob.h: job files -> the nearest DISKSPD profile. Pure. */
#ifndef FROMJOB_H
#define FROMJOB_H

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

#endif
