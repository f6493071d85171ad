#include "child.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

void child_end_with_parent(pid_t parent)
{
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != parent)
		_exit(0);
}

/* After a fork in a process with threads, the child may call only async-signal-safe functions. */

static void __attribute__((noreturn)) become_shell(const char *command, int out, pid_t parent)
{
	int in = open("/dev/null", O_RDONLY);
	sigset_t none;

	child_end_with_parent(parent);
	for (int s = 1; s < NSIG; s++)
		signal(s, SIG_DFL);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	if (in < 0 || dup2(in, 0) < 0 || dup2(out, 1) < 0 || dup2(out, 2) < 0)
		_exit(127);
	if (in > 2)
		close(in);
	execl("/bin/sh", "sh", "-c", command, (char *)NULL);
	_exit(127);
}

static void __attribute__((noreturn)) end_like(int status)
{
	static const struct rlimit no_core;
	sigset_t none;

	if (WIFSIGNALED(status)) {
		setrlimit(RLIMIT_CORE, &no_core);
		signal(WTERMSIG(status), SIG_DFL);
		sigemptyset(&none);
		sigprocmask(SIG_SETMASK, &none, NULL);
		raise(WTERMSIG(status));
	}
	_exit(WEXITSTATUS(status));
}

/* Leads the shell's process group. Only the shell itself could be tied to us, not the programs that it
   starts. So this process waits for the shell, and kills the whole group if our parent ends first. */
static void __attribute__((noreturn)) guard_shell(const char *command, int out, pid_t parent)
{
	pid_t self, shell;
	int status;
	sigset_t all;

	sigfillset(&all);
	if (sigprocmask(SIG_SETMASK, &all, NULL))
		_exit(126); /* it would miss the end of the shell */
	setpgid(0, 0);
	signal(SIGCHLD, SIG_DFL);
	prctl(PR_SET_PDEATHSIG, SIGUSR1);
	if (getppid() != parent)
		_exit(0);
	self = getpid();
	shell = _Fork();
	if (shell == 0)
		become_shell(command, out, self);
	if (shell < 0)
		_exit(126);
	sigemptyset(&all);
	sigaddset(&all, SIGCHLD);
	sigaddset(&all, SIGUSR1);
	while (waitpid(shell, &status, WNOHANG) != shell) {
		sigwaitinfo(&all, NULL);
		if (getppid() != parent)
			kill(0, SIGKILL);
	}
	end_like(status);
}

pid_t child_shell(const char *command, int out)
{
	pid_t parent = getpid(), pid = fork();

	if (pid == 0)
		guard_shell(command, out, parent);
	if (pid > 0)
		setpgid(pid, pid); /* parent and child both call this; the first call counts */
	return pid < 0 ? -errno : pid;
}
