/* exec: does no I/O itself; runs a program beside the other jobs. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>
#include "command_output.h"
#include "clock.h"
#include "engine.h"
#include "strbuf.h"
#include "types.h"

struct exec_opts {
	char *program, *arguments;
	uint64_t grace_ns;
	bool std_redirect;
};

/* How often the engine checks whether the program has ended. */
#define CHECK_NS 10000000u

/* Data for the child, prepared before the fork, because only async-signal-safe calls are allowed after it. */
struct child_setup {
	char **argv;
	int out, err;       /* -1: inherits our stderr */
	int status_pipe[2]; /* carries the errno of a failed start */
	pid_t parent;
};

static const char *exec_refuse(const void *opts)
{
	const struct exec_opts *o = opts;

	return o->program && *o->program ? NULL : "exec needs program=, the program to run";
}

/* Expands the keywords: as in fio "%r" becomes the runtime in seconds and "%n" the job's name. */
static void expand(struct strbuf *b, const char *text, const struct engine_work *w)
{
	for (const char *p = text; *p; p++) {
		if (p[0] != '%' || (p[1] != 'r' && p[1] != 'n')) {
			strbuf_putc(b, *p);
			continue;
		}
		if (*++p == 'r')
			strbuf_printf(b, "%llu", (unsigned long long)(w->runtime_ns / 1000000000u));
		else
			strbuf_puts(b, w->job);
	}
}

/* Splits the arguments. As in fio they are separated by blanks, and quotes have no meaning. The words point
   into *text. */
static char **arguments(const struct exec_opts *o, const struct engine_work *w, struct strbuf *text)
{
	size_t n = 0, max_words;
	char **argv, *save = NULL;

	expand(text, o->arguments ? o->arguments : "", w);
	max_words = text->len / 2 + 3;
	argv = text->failed ? NULL : calloc(max_words, sizeof(*argv));
	if (!argv)
		return NULL;
	argv[n++] = o->program;
	if (!text->len)
		return argv;
	for (char *word = strtok_r(text->text, " \t", &save); word; word = strtok_r(NULL, " \t", &save))
		argv[n++] = word;
	return argv;
}

/* Opens JOB.stdout (JOB.N.stdout for clones after the first) or the same for stderr. */
static int open_output(const struct engine_work *w, const char *which, struct diag *d)
{
	const struct command_output output = { w->aux_path, w->job, w->clone, which, w->rank_name };
	char path[PATH_MAX];
	int fd = command_output_path(path, sizeof(path), &output);

	fd = fd ? fd : command_output_open(path);
	if (fd < 0)
		return diag_kind(d, DIAG_RUN, fd, "exec: %s: cannot be opened for the program's output: %s",
				 path, diag_errno(fd));
	return fd;
}

static void report_errno(const struct child_setup *s, int err)
{
	if (write(s->status_pipe[1], &err, sizeof(err)) < 0)
		_exit(126);
	_exit(127);
}

/* Runs the program in its own process group, so that the engine can end its children with it. */
static void __attribute__((noreturn)) run_child(const struct child_setup *s)
{
	sigset_t none;
	int null = open("/dev/null", O_RDONLY | O_CLOEXEC);

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != s->parent)
		_exit(127);
	setpgid(0, 0);
	for (int sig = 1; sig <= SIGRTMAX; sig++)
		signal(sig, SIG_DFL);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	if (null < 0 || dup2(null, STDIN_FILENO) < 0 ||
	    dup2(s->out >= 0 ? s->out : STDERR_FILENO, STDOUT_FILENO) < 0 ||
	    (s->err >= 0 && dup2(s->err, STDERR_FILENO) < 0))
		report_errno(s, errno);
	execvp(s->argv[0], s->argv);
	report_errno(s, errno);
	_exit(127);
}

/* Returns the child's pid, or -errno with d filled. */
static pid_t start_child(struct child_setup *s, struct diag *d)
{
	int err = 0;
	ssize_t n;
	pid_t pid;

	if (pipe2(s->status_pipe, O_CLOEXEC))
		return diag_kind(d, DIAG_RUN, -errno, "exec: %s: %s", s->argv[0], diag_errno(errno));
	s->parent = getpid();
	pid = fork();
	if (pid == 0)
		run_child(s);
	if (pid < 0)
		diag_kind(d, DIAG_RUN, -errno, "exec: cannot fork: %s", diag_errno(errno));
	close(s->status_pipe[1]);
	if (pid > 0) {
		setpgid(pid, pid); /* the child does the same; the first call wins */
		do
			n = read(s->status_pipe[0], &err, sizeof(err));
		while (n < 0 && errno == EINTR);
		if (n == (ssize_t)sizeof(err)) {
			waitpid(pid, NULL, 0);
			pid = diag_kind(d, DIAG_RUN, -err, "exec: %s: cannot be started: %s", s->argv[0],
					diag_errno(err));
		}
	}
	close(s->status_pipe[0]);
	return pid < 0 ? d->err : pid;
}

/* Returns whether the program has ended; it can still be waited for. */
static bool ended(pid_t pid)
{
	siginfo_t si = { 0 };

	return waitid(P_PID, (id_t)pid, &si, WEXITED | WNOHANG | WNOWAIT) || si.si_pid == pid;
}

/* Sends SIGTERM, and SIGKILL after the grace time. */
static void stop_group(pid_t pid, uint64_t grace_ns)
{
	const struct timespec nap = { .tv_nsec = CHECK_NS };
	uint64_t until = clock_ns() + grace_ns;

	kill(-pid, SIGTERM);
	while (!ended(pid) && clock_ns() < until)
		nanosleep(&nap, NULL);
}

/* Returns an error if the program failed. The engine does not call this if it ended the program itself. */
static int check_status(const struct exec_opts *o, int status, struct diag *d)
{
	const char *name;

	if (WIFEXITED(status)) {
		if (!WEXITSTATUS(status))
			return 0;
		return diag_kind(d, DIAG_RUN, -ECHILD, "exec: %s: ended with code %d", o->program,
				 WEXITSTATUS(status));
	}
	name = sigabbrev_np(WTERMSIG(status));
	return diag_kind(d, DIAG_RUN, -ECHILD, "exec: %s: killed by signal %d (SIG%s)", o->program,
			 WTERMSIG(status), name ? name : "?");
}

static int wait_program(pid_t pid, const struct exec_opts *o, const struct engine_work *w, struct diag *d)
{
	bool stopped = false;
	int status = 0;

	w->note_group(w->arg, pid);
	while (!ended(pid) && !stopped)
		stopped = w->sleep(w->arg, CHECK_NS);
	stopped = stopped && !ended(pid);
	if (stopped)
		stop_group(pid, o->grace_ns);
	kill(-pid, SIGKILL); /* ends the program and the children that it left behind */
	w->note_group(w->arg, 0);
	while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	return stopped ? 0 : check_status(o, status, d);
}

static int run_program(struct child_setup *s, const struct exec_opts *o, const struct engine_work *w,
		       struct diag *d)
{
	pid_t pid;

	if (o->std_redirect) {
		s->out = open_output(w, "stdout", d);
		if (s->out < 0)
			return s->out;
		s->err = open_output(w, "stderr", d);
		if (s->err < 0)
			return s->err;
	}
	pid = start_child(s, d);
	return pid < 0 ? pid : wait_program(pid, o, w, d);
}

static int exec_work(struct engine_ctx *ctx, const struct engine_work *w)
{
	const struct exec_opts *o = ctx->opts;
	struct child_setup s = { .out = -1, .err = -1 };
	struct strbuf text = { 0 };
	int ret;

	s.argv = arguments(o, w, &text);
	ret = s.argv ? run_program(&s, o, w, ctx->d) : diag_err(ctx->d, -ENOMEM, "exec: out of memory");
	if (s.out >= 0)
		close(s.out);
	if (s.err >= 0)
		close(s.err);
	free(s.argv);
	strbuf_fini(&text);
	return ret;
}

/* clang-format off */
#define OPT_STRUCT struct exec_opts
static const struct opt_row exec_rows[] = {
	{ .name = "program", OPT_STRING(program), OPT_RANGE(1, 0), .group = "exec", .help = "Program to run; a name without '/' is "
		  "looked up in PATH" },
	{ .name = "arguments", OPT_STRING(arguments), .group = "exec",
	  .help = "Arguments with blanks between; %r is the runtime in seconds, %n the job's name" },
	{ .name = "grace_time", OPT_TIME(grace_ns, OPT_S), .def = "1", OPT_RANGE(0, 3600 * OPT_S), .group = "exec",
	  .help = "Time between SIGTERM at the end of the job and SIGKILL" },
	{ .name = "std_redirect", OPT_BOOL(std_redirect), .def = "1", .group = "exec",
	  .help = "Write the output to JOB.stdout and JOB.stderr (in --aux-path); 0: both to standard error" },
	{ .name = NULL },
};
/* clang-format on */
static const struct opt_table exec_table = { exec_rows, sizeof(struct exec_opts) };

const struct engine engine_exec = {
	.name = "exec",
	.help = "does no I/O; runs a program during the other jobs",
	.caps = ENG_NOIO | ENG_NOFILE | ENG_SYNC | ENG_RUNS_PROGRAM,
	.opts = &exec_table,
	.opts_size = sizeof(struct exec_opts),
	.work = exec_work,
	.refuse = exec_refuse,
};
