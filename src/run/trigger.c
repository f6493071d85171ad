#include "trigger.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include "child.h"
#include "clock.h"
#include "diag.h"
#include "job.h"

#define CHECK_NS 50000000u

uint64_t trigger_every_ns(const struct trigger_cfg *c)
{
	return c->file || c->timeout_ns ? CHECK_NS : 0;
}

/* Checks for the trigger file, and removes it, as fio does. The run began only because the file did not
   exist. */
static bool file_exists(const char *path)
{
	struct stat st;

	if (!path || lstat(path, &st))
		return false;
	if (S_ISREG(st.st_mode))
		unlink(path);
	return true;
}

/* The command writes to stderr, because stdout belongs to the result. */
static void start_command(struct trigger *t, const char *command)
{
	int pid = child_shell(command, STDERR_FILENO);

	if (pid < 0)
		t->error = -pid;
	else
		t->pid = pid;
}

bool trigger_fires(struct trigger *t, const struct trigger_cfg *c, uint64_t run_start_ns)
{
	uint64_t ran_ns = clock_ns() - run_start_ns;

	if (t->fired)
		return false;
	if (file_exists(c->file))
		t->by_file = true;
	else if (!c->timeout_ns || ran_ns < c->timeout_ns)
		return false;
	t->fired = true;
	t->after_ns = ran_ns;
	if (c->command)
		start_command(t, c->command);
	return true;
}

bool trigger_child_ended(struct trigger *t, int pid, int status)
{
	if (pid != t->pid)
		return false;
	t->pid = 0;
	t->status = status;
	return true;
}

void trigger_kill(struct trigger *t)
{
	if (!t->pid)
		return;
	kill(-t->pid, SIGKILL);
	while (waitpid(t->pid, &t->status, 0) < 0 && errno == EINTR)
		;
	t->pid = 0;
}

bool trigger_failed(const struct trigger *t, char *why, size_t size)
{
	if (t->error)
		snprintf(why, size, "cannot be started: %s", diag_errno(t->error));
	else if (WIFSIGNALED(t->status))
		snprintf(why, size, "killed by signal %d", WTERMSIG(t->status));
	else if (WEXITSTATUS(t->status))
		snprintf(why, size, "ended with code %d", WEXITSTATUS(t->status));
	else
		return false;
	return true;
}
