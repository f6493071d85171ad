#include "trigger.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include "child.h"
#include "clock.h"

#define LOOK_NS 50000000u

static const struct trigger_cfg *cfg_of(const struct plan *p)
{
	return &p->set->run.trigger;
}

uint64_t trigger_every_ns(const struct plan *p)
{
	return cfg_of(p)->file || cfg_of(p)->timeout_ns ? LOOK_NS : 0;
}

/* As in fio the file goes away; it was not there when the run began. */
static bool file_there(const char *path)
{
	struct stat st;

	if (!path || lstat(path, &st))
		return false;
	if (S_ISREG(st.st_mode))
		unlink(path);
	return true;
}

/* The command's output is not part of the result. */
static void start_command(struct run *r, const char *command)
{
	int pid = child_shell(command, STDERR_FILENO);

	if (pid < 0)
		r->trigger.error = -pid;
	else
		r->trigger.pid = pid;
}

bool trigger_fires(struct run *r)
{
	const struct trigger_cfg *c = cfg_of(r->plan);
	uint64_t ran = clock_ns() - r->start_ns;

	if (r->trigger.fired)
		return false;
	if (file_there(c->file))
		r->trigger.by_file = true;
	else if (!c->timeout_ns || ran < c->timeout_ns)
		return false;
	r->trigger.fired = true;
	r->trigger.after_ns = ran;
	if (c->command)
		start_command(r, c->command);
	return true;
}

bool trigger_gone(struct run *r, int pid, int status)
{
	if (pid != r->trigger.pid)
		return false;
	r->trigger.pid = 0;
	r->trigger.status = status;
	return true;
}

void trigger_kill(struct run *r)
{
	if (!r->trigger.pid)
		return;
	kill(-r->trigger.pid, SIGKILL);
	while (waitpid(r->trigger.pid, &r->trigger.status, 0) < 0 && errno == EINTR)
		;
	r->trigger.pid = 0;
}

bool run_trigger_failed(const struct run *r, char *why, size_t size)
{
	const struct run_trigger *t = &r->trigger;

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
