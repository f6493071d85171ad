/* processes.h: the parent's children: forks the workers, collects their exit status, and kills them. */
#ifndef PROCESSES_H
#define PROCESSES_H

#include <stdbool.h>
#include <stdint.h>

struct plan;
struct run;

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

#endif
