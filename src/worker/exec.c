/* exec.c: exec_prerun and exec_postrun: the user's commands around a job. */
#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include "child.h"
#include "clock.h"
#include "clone.h"
#include "command_output.h"
#include "exec.h"
#include "worker.h"

#define LOOK_NS  2000000u
#define GRACE_NS 1000000000u

static void nap(struct worker *w, bool stoppable)
{
	static const struct timespec look = { .tv_nsec = LOOK_NS };

	if (stoppable && !clone_stopped(&w->clone))
		futex_wait_until(&w->clone.slot->stop, 0, clock_ns() + LOOK_NS);
	else
		nanosleep(&look, NULL);
}

/* Waits for the command. Returns its wait status, or -errno. If the run has to end, a stoppable command gets
   SIGTERM first and later SIGKILL. */
static int wait_for(struct worker *w, pid_t pid, bool stoppable)
{
	uint64_t asked_ns = 0;
	int status;
	pid_t got;

	while ((got = waitpid(pid, &status, WNOHANG)) != pid) {
		if (got < 0 && errno != EINTR)
			return -errno;
		if (stoppable && clone_stopped(&w->clone)) {
			if (!asked_ns)
				kill(-pid, SIGTERM);
			else if (clock_ns() - asked_ns > GRACE_NS)
				kill(-pid, SIGKILL);
			asked_ns = asked_ns ? asked_ns : clock_ns();
		}
		nap(w, stoppable);
	}
	return status;
}

/* Writes how the command ended, in words; "" if it succeeded. */
static void outcome(int status, char *buf, size_t size)
{
	buf[0] = '\0';
	if (status < 0)
		snprintf(buf, size, "cannot be waited for: %s", diag_errno(status));
	else if (WIFSIGNALED(status))
		snprintf(buf, size, "killed by signal %d (SIG%s)", WTERMSIG(status),
			 sigabbrev_np(WTERMSIG(status)) ? sigabbrev_np(WTERMSIG(status)) : "?");
	else if (WEXITSTATUS(status))
		snprintf(buf, size, "ended with code %d", WEXITSTATUS(status));
}

/* Runs the command. Returns true if it succeeded; the reason of a failure becomes the worker's error. */
static bool execute(struct worker *w, const char *what, const char *command, bool stoppable, int err)
{
	char path[PATH_MAX], how[120], name[16];
	int fd;
	pid_t pid;

	snprintf(name, sizeof(name), "%s.txt", what);
	fd = command_output_path(path, sizeof(path), w->clone.plan->set->run.aux_path,
				 w->clone.job->job->name, w->clone.job->clone, name);
	fd = fd ? fd : command_output_open(path);
	if (fd < 0) {
		clone_fail(&w->clone, -fd, "exec_%s: its output cannot go to %s: %s", what, path,
			   diag_errno(fd));
		return false;
	}
	pid = child_shell(command, fd);
	close(fd);
	if (pid < 0) {
		clone_fail(&w->clone, -pid, "exec_%s: cannot be started: %s", what, diag_errno(pid));
		return false;
	}
	atomic_store_explicit(&w->clone.slot->user_command, stoppable ? COMMAND_PRERUN : COMMAND_POSTRUN,
			      memory_order_relaxed);
	outcome(wait_for(w, pid, stoppable), how, sizeof(how));
	atomic_store_explicit(&w->clone.slot->user_command, COMMAND_NONE, memory_order_relaxed);
	if (how[0] && !(stoppable && clone_stopped(&w->clone)))
		clone_fail(&w->clone, err, "exec_%s=%.80s: %s; its output is in %s", what, command, how,
			   path);
	return !how[0];
}

bool exec_prerun(struct worker *w)
{
	const char *command = w->clone.opts->group.exec_prerun;

	w->prerun_done = !command || execute(w, "prerun", command, true, ECANCELED);
	return w->prerun_done;
}

void exec_postrun(struct worker *w)
{
	const char *command = w->clone.opts->group.exec_postrun;

	if (w->prerun_done && command)
		execute(w, "postrun", command, false, ECHILD);
}
