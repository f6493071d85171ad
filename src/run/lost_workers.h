/* lost_workers.h: what is said of a worker that is gone without having ended. Private to run/. */
#ifndef LOST_WORKERS_H
#define LOST_WORKERS_H

#include <sys/resource.h>
#include "run.h"

/* How many processes the kernel has killed for lack of memory since it runs. */
uint64_t lost_oom_kills(void);
/* What the parent forks in between goes before it when memory runs short. Inherited: said by each worker of
   thousands it would be a good part of their start. Until then nothing has been measured that could be lost.
 */
struct oom_score {
	int fd;
	char was[16];
	size_t len;
};
void oom_score_raise(struct oom_score *o);
void oom_score_restore(struct oom_score *o);
/* It could not be started; what is "fork" or "start a thread". */
void lost_worker_unstarted(const struct run *r, uint32_t i, const char *what, int err);
/* Its process is gone, as r->job[i] says; u is what it used. */
void lost_worker_ended(const struct run *r, uint32_t i, const struct rusage *u);
/* Its process can be neither ended nor waited for. */
void lost_worker_hangs(const struct run *r, uint32_t i);

#endif
