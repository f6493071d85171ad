#include "processes.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#include "child.h"
#include "clock.h"
#include "run.h"
#include "worker_main.h"

extern void __gcov_dump(void) __attribute__((weak));
extern void __lsan_do_leak_check(void) __attribute__((weak));

/* Ends a child. Coverage and leak checks run as in exit(), the handlers of atexit() do not. */
static void __attribute__((noreturn)) child_exit(void)
{
	if (__gcov_dump)
		__gcov_dump();
	if (__lsan_do_leak_check)
		__lsan_do_leak_check();
	_exit(0);
}

static void child_signals(void)
{
	static const int ignored[] = { SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE, SIGUSR1 };
	sigset_t none;

	for (size_t i = 0; i < sizeof(ignored) / sizeof(*ignored); i++)
		signal(ignored[i], SIG_IGN);
	signal(SIGTSTP, SIG_DFL);
	signal(SIGCHLD, SIG_DFL);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
}

int processes_fork_helper(void (*body)(void *arg), void *arg)
{
	pid_t parent = getpid(), pid = fork();

	if (pid)
		return pid < 0 ? -errno : pid;
	child_end_with_parent(parent);
	child_signals();
	body(arg);
	child_exit();
}

struct worker_arg {
	const struct run *r;
	uint32_t job;
};

static void worker_body(void *arg)
{
	const struct worker_arg *a = arg;

	worker_main(&a->r->region, a->r->plan, a->job, false);
}

static void thread_host_body(void *arg)
{
	thread_host_main(arg);
}

bool processes_init(struct processes *s, const struct plan *p)
{
	s->pid = calloc(p->njobs + 1, sizeof(*s->pid));
	s->worker = calloc(p->njobs + 1, sizeof(*s->worker));
	return s->pid && s->worker;
}

void processes_fini(struct processes *s)
{
	free(s->pid);
	free(s->worker);
}

static int by_pid(const void *a, const void *b)
{
	const struct process *x = a, *y = b;

	return (x->pid > y->pid) - (x->pid < y->pid);
}

static void list_workers(struct run *r)
{
	struct processes *s = &r->processes;

	for (uint32_t i = 0; i < r->plan->njobs; i++) {
		s->nstarted += s->pid[i] > 0;
		if (!run_is_thread(r, i) && s->pid[i] > 0)
			s->worker[s->nworkers++] = (struct process){ s->pid[i], i };
	}
	qsort(s->worker, s->nworkers, sizeof(*s->worker), by_pid);
}

static void fork_thread_host(struct run *r)
{
	struct processes *s = &r->processes;

	s->host_pid = processes_fork_helper(thread_host_body, r);
	for (uint32_t i = 0; i < r->plan->njobs; i++) {
		if (!run_is_thread(r, i))
			continue;
		s->pid[i] = s->host_pid;
		if (s->host_pid < 0)
			lost_workers_not_started(r, i, "fork", -s->host_pid);
	}
}

void processes_fork(struct run *r)
{
	bool threads = false;

	for (uint32_t i = 0; i < r->plan->njobs; i++) {
		struct worker_arg arg = { r, i };

		if (run_is_thread(r, i)) {
			threads = true;
			continue;
		}
		r->processes.pid[i] = processes_fork_helper(worker_body, &arg);
		if (r->processes.pid[i] < 0)
			lost_workers_not_started(r, i, "fork", -r->processes.pid[i]);
	}
	if (threads)
		fork_thread_host(r);
	list_workers(r);
}

/* Kills the program that the engine of a dead worker was running. */
static void kill_command(struct run *r, uint32_t i)
{
	pid_t group = atomic_load_explicit(&run_slot(r, i)->program_pgid, memory_order_acquire);

	if (group > 0)
		kill(-group, SIGKILL);
}

void processes_kill(struct run *r)
{
	for (uint32_t i = 0; i < r->plan->njobs; i++) {
		if (r->processes.pid[i] > 0 && !r->job[i].reaped)
			kill(r->processes.pid[i], SIGKILL);
	}
}

static void process_ended(struct run *r, uint32_t i, int status, const struct rusage *u)
{
	struct run_job *j = &r->job[i];

	j->reaped = true;
	r->processes.nreaped++;
	j->term_signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
	j->exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : 0;
	j->end_ns = clock_ns();
	if (run_phase(r, i) == PHASE_DONE) {
		if (j->term_signal)
			region_notify(&r->region,
				      NOTIFY_URGENT); /* it may have died before its notification */
		j->term_signal = 0;
		return;
	}
	kill_command(r, i);
	lost_workers_ended(r, i, u);
}

static void child_ended(struct run *r, pid_t pid, int status, const struct rusage *u)
{
	const struct processes *s = &r->processes;
	const struct process key = { .pid = pid };
	const struct process *w = bsearch(&key, s->worker, s->nworkers, sizeof(key), by_pid);

	if (w)
		process_ended(r, w->job, status, u);
	for (uint32_t i = 0; pid == s->host_pid && i < r->plan->njobs; i++)
		if (run_is_thread(r, i))
			process_ended(r, i, status, u);
}

void processes_reap(struct run *r)
{
	struct rusage u;
	int status;
	pid_t pid;

	while ((pid = wait4(-1, &status, WNOHANG, &u)) > 0) {
		if (!trigger_child_ended(&r->trigger, pid, status))
			child_ended(r, pid, status, &u);
	}
}
