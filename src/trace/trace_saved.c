#include "trace_saved.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <sys/stat.h>
#include <unistd.h>
#include "ending_signals.h"
#include "vec.h"

#define CHUNK_BYTES 65536

static bool is_stdin(const char *path)
{
	return !strcmp(path, "-");
}

bool trace_is_stream(const char *path)
{
	struct stat st;

	return is_stdin(path) || (!stat(path, &st) && S_ISFIFO(st.st_mode));
}

static const char *copy_directory(void)
{
	const char *dir = getenv("TMPDIR");

	return dir && *dir ? dir : "/tmp";
}

/* Makes a file without a name. Others may read it, because workers may run as another user. */
static int make_nameless(const char *dir)
{
	char path[4096];
	int fd = open(dir, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);

	if (fd < 0 && (errno == EOPNOTSUPP || errno == EISDIR)) { /* the file system cannot do that */
		if ((size_t)snprintf(path, sizeof(path), "%s/fiord-trace.XXXXXX", dir) >= sizeof(path)) {
			errno = ENAMETOOLONG;
			return -1;
		}
		fd = mkostemp(path, O_CLOEXEC);
		if (fd >= 0)
			unlink(path);
	}
	if (fd >= 0)
		fchmod(fd, 0444);
	return fd;
}

static bool write_all(int fd, const char *bytes, size_t len)
{
	while (len) {
		ssize_t n = write(fd, bytes, len);

		if (n < 0 && errno != EINTR)
			return false;
		bytes += n > 0 ? n : 0;
		len -= n > 0 ? (size_t)n : 0;
	}
	return true;
}

/* Waits until the stream has bytes, or has ended. Returns 0, or the signal that ends the program. */
static int wait_for_bytes(int from, int signals)
{
	struct pollfd fds[] = { { .fd = signals, .events = POLLIN }, { .fd = from, .events = POLLIN } };
	struct signalfd_siginfo si;

	while (poll(fds, 2, -1) < 0)
		;
	return fds[0].revents && read(signals, &si, sizeof(si)) == (ssize_t)sizeof(si) ? (int)si.ssi_signo
										       : 0;
}

/* Copies the bytes that a stream has. Returns 0 at its end, -errno with d, or else a positive number. */
static ssize_t copy_chunk(int from, int to, const char *name, struct diag *d)
{
	static char chunk[CHUNK_BYTES];
	ssize_t n = read(from, chunk, sizeof(chunk));

	if (n < 0 && (errno == EINTR || errno == EAGAIN))
		return 1;
	if (n < 0)
		return diag_err(d, -errno, "%s: %s", name, diag_errno(errno));
	if (!write_all(to, chunk, (size_t)n))
		return diag_err(d, -errno,
				"%s is saved in %s first, because a replay reads its trace twice: %s%s; set "
				"TMPDIR to a directory with more room",
				name, copy_directory(), diag_errno(errno), diag_hint(errno));
	return n;
}

static int copy_to_end(int from, int to, int signals, const char *name, struct diag *d)
{
	ssize_t n;
	int sig;

	do {
		sig = wait_for_bytes(from, signals);
		if (sig)
			return diag_kind(d, DIAG_SIGNAL, -sig, "SIG%s ended the program while it read %s",
					 sigabbrev_np(sig), name);
		n = copy_chunk(from, to, name, d);
	} while (n > 0);
	return (int)n;
}

/* The writer of a stream may let the reader wait for any time, so a signal must be able to end the wait. */
static int copy_stream(int from, int to, const char *name, struct diag *d)
{
	sigset_t ending, old;
	int signals, ret;

	ending_signals(&ending);
	sigprocmask(SIG_BLOCK, &ending, &old);
	signals = signalfd(-1, &ending, SFD_CLOEXEC);
	ret = signals < 0 ? diag_err(d, -errno, "%s: %s", name, diag_errno(errno))
			  : copy_to_end(from, to, signals, name, d);
	if (signals >= 0)
		close(signals);
	if (ret && d->kind == DIAG_SIGNAL)
		ending_signals_release();
	sigprocmask(SIG_SETMASK, &old, NULL);
	return ret;
}

static int add_copy(struct trace_saved *s, const char *path, int from, struct diag *d)
{
	const char *name = is_stdin(path) ? "standard input" : path;
	struct trace_copy copy = { path, make_nameless(copy_directory()) };

	if (copy.fd < 0)
		return diag_err(d, -errno,
				"%s is saved in %s first, because a replay reads its trace twice: %s; set "
				"TMPDIR to a directory for it",
				name, copy_directory(), diag_errno(errno));
	if (!VEC_PUSH(s, copy)) {
		close(copy.fd);
		return diag_no_memory(d);
	}
	return copy_stream(from, copy.fd, name, d);
}

int trace_saved_add(struct trace_saved *s, const char *path, struct diag *d)
{
	int from, ret;

	if (trace_saved_has(s, path))
		return 0;
	/* O_NONBLOCK: a FIFO opens without a writer. */
	from = is_stdin(path) ? dup(STDIN_FILENO) : open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (from < 0)
		return diag_err(d, -errno, "%s: %s", is_stdin(path) ? "standard input" : path,
				diag_errno(errno));
	ret = add_copy(s, path, from, d);
	close(from);
	return ret;
}

static const struct trace_copy *find_copy(const struct trace_saved *s, const char *path)
{
	for (size_t i = 0; s && i < s->n; i++)
		if (!strcmp(s->v[i].path, path))
			return &s->v[i];
	return NULL;
}

bool trace_saved_has(const struct trace_saved *s, const char *path)
{
	return find_copy(s, path);
}

int trace_saved_open(const struct trace_saved *s, const char *path)
{
	const struct trace_copy *copy = find_copy(s, path);
	char name[32];

	snprintf(name, sizeof(name), "/proc/self/fd/%d", copy->fd); /* with an offset of its own */
	return open(name, O_RDONLY | O_CLOEXEC);
}

void trace_saved_fini(struct trace_saved *s)
{
	for (size_t i = 0; i < s->n; i++)
		close(s->v[i].fd);
	free(s->v);
	*s = (struct trace_saved){ 0 };
}
