/* user_command.c: exec_prerun and exec_postrun: the user's commands around a job. */
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
#include "setup.h"

#define POLL_NS  2000000u
#define GRACE_NS 1000000000u

static void sleep_briefly(struct clone *c, bool stoppable)
{
	static const struct timespec poll = { .tv_nsec = POLL_NS };

	if (stoppable && !clone_stopped(c))
		futex_wait_until(&c->slot->stop, 0, clock_ns() + POLL_NS);
	else
		nanosleep(&poll, NULL);
}

/* Waits for the command. Returns its wait status, or -errno. If the run has to end, a stoppable command gets
   SIGTERM first and later SIGKILL. */
static int wait_for(struct clone *c, pid_t pid, bool stoppable)
{
	uint64_t term_ns = 0;
	int status;
	pid_t got;

	while ((got = waitpid(pid, &status, WNOHANG)) != pid) {
		if (got < 0 && errno != EINTR)
			return -errno;
		if (stoppable && clone_stopped(c)) {
			if (!term_ns)
				kill(-pid, SIGTERM);
			else if (clock_ns() - term_ns > GRACE_NS)
				kill(-pid, SIGKILL);
			term_ns = term_ns ? term_ns : clock_ns();
		}
		sleep_briefly(c, stoppable);
	}
	return status;
}

/* Writes how the command ended, in words; "" if it succeeded. */
static void describe_status(int status, char *buf, size_t size)
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

/* Runs the command of exec_`kind`. Returns true if it succeeded; the reason for a failure becomes the
   worker's error. */
static bool execute(struct clone *c, const char *kind, const char *command, bool stoppable, int err)
{
	const struct run_opts *run = &c->plan->set->run;
	char path[PATH_MAX], how[120], name[16];
	const struct command_output output = { run->aux_path, c->job->job->name, c->job->clone, name,
					       run->rank_name };
	int fd;
	pid_t pid;

	snprintf(name, sizeof(name), "%s.txt", kind);
	fd = command_output_path(path, sizeof(path), &output);
	fd = fd ? fd : command_output_open(path);
	if (fd < 0) {
		clone_fail(c, -fd, "exec_%s: its output cannot go to %s: %s", kind, path, diag_errno(fd));
		return false;
	}
	pid = child_shell(command, fd);
	close(fd);
	if (pid < 0) {
		clone_fail(c, -pid, "exec_%s: cannot be started: %s", kind, diag_errno(pid));
		return false;
	}
	atomic_store_explicit(&c->slot->user_command, stoppable ? COMMAND_PRERUN : COMMAND_POSTRUN,
			      memory_order_relaxed);
	describe_status(wait_for(c, pid, stoppable), how, sizeof(how));
	atomic_store_explicit(&c->slot->user_command, COMMAND_NONE, memory_order_relaxed);
	if (how[0] && !(stoppable && clone_stopped(c)))
		clone_fail(c, err, "exec_%s=%.80s: %s; its output is in %s", kind, command, how, path);
	return !how[0];
}

bool user_command_prerun(struct clone *c)
{
	const char *command = c->opts->group.exec_prerun;

	c->prerun_ok = !command || execute(c, "prerun", command, true, ECANCELED);
	return c->prerun_ok;
}

void user_command_postrun(struct clone *c)
{
	const char *command = c->opts->group.exec_postrun;

	if (c->prerun_ok && command)
		execute(c, "postrun", command, false, ECHILD);
}
