/* lost_workers.h: writes into the slot of a worker why it was lost: never started, killed, or hanging. */
#ifndef LOST_WORKERS_H
#define LOST_WORKERS_H

#include <stdint.h>

struct run;
struct rusage;

/* The worker could not be started. action: "fork" or "start a thread"; err: errno. */
void lost_workers_not_started(const struct run *r, uint32_t job, const char *action, int err);
/* The worker's process ended before the worker did, as r->job[job] says. u: what the process has used. */
void lost_workers_ended(const struct run *r, uint32_t job, const struct rusage *u);
/* The worker's process does not end, even after SIGKILL. */
void lost_workers_hang(const struct run *r, uint32_t job);

#endif
