/* processes.h: the parent's children: forks the workers, collects their exit status, and kills them. */
#ifndef PROCESSES_H
#define PROCESSES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct plan;
struct run;
struct rusage;

struct processes {
	int *pid;     /* by plan_job.index; of a thread: its host's; negative: -errno of fork */
	int host_pid; /* the thread host; 0: none */
	/* Workers that are processes, sorted by pid. */
	struct process {
		int pid;
		uint32_t job;
	} * worker;
	uint32_t nworkers; /* of `worker` */
	uint32_t nstarted; /* jobs that have a process */
	uint32_t nreaped;  /* jobs whose process is gone */
};

/* Returns false if memory is short. Call processes_fini in any case. */
bool processes_init(struct processes *s, const struct plan *p);
void processes_fini(struct processes *s);
/* Forks a process for each job, and one for all jobs with thread=1. The slot of a job that
   could not be started holds the reason. */
void processes_fork(struct run *r);
/* Handles the children that have ended, the trigger's command included. */
void processes_reap(struct run *r);
void processes_kill(struct run *r);
static inline bool processes_gone(const struct processes *s)
{
	return s->nreaped == s->nstarted;
}

/* Forks a helper that ends with the parent. Returns its pid or -errno. For the hook `workers_forked`. */
int processes_fork_helper(void (*body)(void *arg), void *arg);

/* thread_host.c: the process whose threads are the jobs with thread=1. */

/* Runs in the child. Starts the threads and returns when all of them have ended. */
void thread_host_main(const struct run *r);

/* lost_workers.c: writes the reason why a worker was lost into its slot: it never started, was killed, or
   hangs. */

/* For a worker that could not be started. action: "fork" or "start a thread"; err: errno. */
void lost_workers_not_started(const struct run *r, uint32_t job, const char *action, int err);
/* For a process that ended before its worker had finished; r->job[job] holds the exit status. u: the
   resources that the process used. */
void lost_workers_ended(const struct run *r, uint32_t job, const struct rusage *u);
/* For a process that does not end, even after SIGKILL. */
void lost_workers_hang(const struct run *r, uint32_t job);

/* oom.c: the kernel's OOM killer: how often it has killed, and which process it kills first. */

/* Returns how many processes the kernel has killed for lack of memory since boot; 0 if the count is unknown.
 */
uint64_t oom_kills(void);

/* Raises oom_score_adj of this process to the maximum, so that the OOM killer prefers the children that
   it forks. The parent does this once, because a write by each of thousands of workers would slow down their
   start. A negative value protects the process on purpose, and stays. */
struct oom_score {
	int fd;
	char saved[16];
	size_t len; /* of `saved`; 0: nothing to restore */
};
void oom_score_raise(struct oom_score *o);
void oom_score_restore(struct oom_score *o);

#endif
