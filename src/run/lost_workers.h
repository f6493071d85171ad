/* lost_workers.h: writes the reason why a worker was lost into its slot: it never started, was killed, or
   hangs. */
#ifndef LOST_WORKERS_H
#define LOST_WORKERS_H

#include <stdint.h>

struct run;
struct rusage;

/* For a worker that could not be started. action: "fork" or "start a thread"; err: errno. */
void lost_workers_not_started(const struct run *r, uint32_t job, const char *action, int err);
/* For a process that ended before its worker had finished; r->job[job] holds the exit status. u: the
   resources that the process used. */
void lost_workers_ended(const struct run *r, uint32_t job, const struct rusage *u);
/* For a process that does not end, even after SIGKILL. */
void lost_workers_hang(const struct run *r, uint32_t job);

#endif
