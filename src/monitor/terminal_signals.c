#include "terminal.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Signals that end a program at once. Those that end a run come by signalfd, and the run ends in order. */
static const int fatal[] = { SIGSEGV, SIGBUS,  SIGFPE,  SIGILL,    SIGABRT, SIGSYS,
			     SIGTRAP, SIGALRM, SIGUSR2, SIGVTALRM, SIGPROF, SIGXFSZ };
#define FATAL (sizeof(fatal) / sizeof(*fatal))

static struct sigaction before[FATAL], before_tstp, before_cont;
static volatile sig_atomic_t armed, stopped, restored;
static int terminal_fd;
static pid_t owner; /* children inherit the handlers */
static const char *text;
static size_t text_len;

/* Is called by signal handlers. */
static void restore(void)
{
	const char *at = text;
	size_t len = text_len;
	ssize_t n;

	if (!armed || getpid() != owner)
		return;
	while (len && ((n = write(terminal_fd, at, len)) > 0 || (n < 0 && errno == EINTR))) {
		at += n > 0 ? n : 0;
		len -= n > 0 ? (size_t)n : 0;
	}
}

/* The signal does what it did before, as soon as its handler returns. */
static void on_fatal(int sig)
{
	restore();
	for (size_t i = 0; i < FATAL; i++)
		if (fatal[i] == sig)
			sigaction(sig, &before[i], NULL);
	raise(sig);
}

static void on_stop(int sig);

static void handle(int sig, void (*handler)(int), struct sigaction *old)
{
	struct sigaction sa = { .sa_handler = handler, .sa_flags = SA_RESTART };

	sigemptyset(&sa.sa_mask);
	if (!sigaction(sig, NULL, old) && old->sa_handler != SIG_IGN)
		sigaction(sig, &sa, old);
}

/* The program stops within raise(), and goes on there. */
static void on_stop(int sig)
{
	struct sigaction ignored;
	int err = errno;
	sigset_t set;

	restore();
	restored = stopped = 1;
	signal(sig, SIG_DFL);
	sigemptyset(&set);
	sigaddset(&set, sig);
	raise(sig);
	sigprocmask(SIG_UNBLOCK, &set, NULL);
	handle(sig, on_stop, &ignored);
	errno = err;
}

/* SIGSTOP cannot be handled, so others may have written to the screen meanwhile. */
static void on_continue(int sig)
{
	(void)sig;
	stopped = 1;
}

void terminal_signals_arm(int fd, const char *restore_text)
{
	static bool registered;

	terminal_fd = fd;
	text = restore_text;
	text_len = strlen(text);
	owner = getpid();
	stopped = restored = 0;
	if (armed)
		return;
	armed = 1;
	if (!registered)
		registered = !atexit(restore);
	for (size_t i = 0; i < FATAL; i++)
		handle(fatal[i], on_fatal, &before[i]);
	handle(SIGTSTP, on_stop, &before_tstp);
	handle(SIGCONT, on_continue, &before_cont);
}

void terminal_signals_disarm(void)
{
	if (!armed)
		return;
	armed = 0;
	for (size_t i = 0; i < FATAL; i++)
		sigaction(fatal[i], &before[i], NULL);
	sigaction(SIGTSTP, &before_tstp, NULL);
	sigaction(SIGCONT, &before_cont, NULL);
}

bool terminal_signals_stopped(void)
{
	return stopped;
}

bool terminal_signals_restored(void)
{
	return restored;
}
