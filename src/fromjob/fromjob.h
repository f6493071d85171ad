/* fromjob.h: job files -> the nearest DISKSPD profile. Pure. */
#ifndef FROMJOB_H
#define FROMJOB_H

#include <stdbool.h>
#include "cpuset.h"
#include "diag.h"
#include "job.h"
#include "profile.h"

/* Sections that run together become targets of one time span; stonewall begins another span. Each given
   option that changes the load and has no counterpart adds a line to `lost`. cpus: the CPUs that DISKSPD
   would use by default; empty or NULL: unknown. *p is overwritten; call ds_profile_fini in any case. Returns
   0, or -errno with d if no job has a counterpart in DISKSPD. */
int fromjob_profile(struct ds_profile *p, const struct job_set *set, const struct cpuset *cpus,
		    struct notes *lost, struct diag *d);

/* The options that fromjob_profile translates, ended by NULL. */
extern const char *const fromjob_translated[];

#endif
