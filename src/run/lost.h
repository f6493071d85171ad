/* lost.h: what is said of a worker that is gone without having ended. Private to run/. */
#ifndef LOST_H
#define LOST_H

#include <sys/resource.h>
#include "run.h"

/* How many processes the kernel has killed for lack of memory since it runs. */
uint64_t lost_oom_kills(void);
/* Called by a child: should memory run short, the kernel takes a worker and not the parent, who can tell of
 * it. */
void lost_before_parent(void);
/* It could not be started; what is "fork" or "start a thread". */
void lost_unborn(const struct run *r, uint32_t i, const char *what, int err);
/* Its process is gone, as r->job[i] says; u is what it used. */
void lost_child(const struct run *r, uint32_t i, const struct rusage *u);
/* Its process can be neither ended nor waited for. */
void lost_hanging(const struct run *r, uint32_t i);

#endif
