#include "sweep_child.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include "child.h"
#include "ending_signals.h"

#define ERROR_MAX 1024

void sweep_wait_begin(struct sweep_wait *w)
{
	ending_signals(&w->set);
	sigaddset(&w->set, SIGCHLD);
	sigprocmask(SIG_BLOCK, &w->set, &w->old);
}

int sweep_wait_end(const struct sweep_wait *w)
{
	struct timespec none = { 0 };
	int first = 0, signal;

	while ((signal = sigtimedwait(&w->set, NULL, &none)) > 0)
		if (signal != SIGCHLD && !first)
			first = signal;
	sigprocmask(SIG_SETMASK, &w->old, NULL);
	return first;
}

void sweep_output_close(struct sweep_output *out)
{
	if (out->text >= 0)
		close(out->text);
	if (out->error >= 0)
		close(out->error);
}

/* The child leads a process group of its own, so that Ctrl-C reaches it only through the parent. */
static void __attribute__((noreturn))
become_point(char *const *arg, const struct sweep_output *out, const sigset_t *mask, pid_t parent)
{
	int null = open("/dev/null", O_RDWR);

	child_end_with_parent(parent);
	setpgid(0, 0);
	if (null < 0 || dup2(null, 0) < 0 || dup2(out->text, 1) < 0 || dup2(out->error, 2) < 0)
		_exit(127);
	sigprocmask(SIG_SETMASK, mask, NULL);
	execv("/proc/self/exe", arg);
	execv((const char *)getauxval(AT_EXECFN), arg); /* /proc is not mounted */
	_exit(127);
}

/* Returns the status of the child. */
static int wait_child(int *ended_by, const struct sweep_wait *w, pid_t pid)
{
	int status = 0;

	while (waitpid(pid, &status, WNOHANG) == 0) {
		int signal = sigwaitinfo(&w->set, NULL);

		if (signal <= 0 || signal == SIGCHLD)
			continue;
		*ended_by = *ended_by ? *ended_by : signal;
		kill(pid, signal);
	}
	return status;
}

const char *sweep_child_error(struct arena *mem, const struct sweep_output *out, int status)
{
	char text[ERROR_MAX] = "", *line = text;
	ssize_t n = pread(out->error, text, sizeof(text) - 1, 0);

	text[n > 0 ? n : 0] = '\0';
	text[strcspn(text, "\n")] = '\0';
	if (!strncmp(line, "fiord: ", 7))
		line += 7;
	if (*line)
		return arena_strdup(mem, line);
	if (WIFSIGNALED(status))
		return arena_printf(mem, "signal %d killed the run", WTERMSIG(status));
	return arena_printf(mem, "the run ended with exit code %d", WEXITSTATUS(status));
}

int sweep_child(int *ended_by, const struct sweep_wait *w, char *const *arg, int *status,
		struct sweep_output *out, struct diag *d)
{
	pid_t parent = getpid(), pid;

	out->text = memfd_create("stdout", MFD_CLOEXEC);
	out->error = memfd_create("stderr", MFD_CLOEXEC);
	pid = out->text < 0 || out->error < 0 ? -1 : fork();
	if (pid == 0)
		become_point(arg, out, &w->old, parent);
	if (pid < 0)
		return diag_kind(d, DIAG_RUN, -errno, "fiord cannot start the process of a point: %s",
				 diag_errno(errno));
	*status = wait_child(ended_by, w, pid);
	return 0;
}
