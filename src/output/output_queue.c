#include "output_queue.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <stdint.h>
#include <sys/stat.h>
#include <unistd.h>
#include "outfile.h"
#include "strbuf.h"

void output_queue_init(struct output_queue *q, const char *path)
{
	*q = (struct output_queue){ .path = path, .fd = path ? -1 : STDOUT_FILENO };
}

void output_queue_put(struct output_queue *q, const char *text, size_t len)
{
	strbuf_add(&q->text, text, len);
}

/* Opening a FIFO without a reader fails with ENXIO; a later call tries again. */
void output_queue_begin(struct output_queue *q)
{
	int fd;

	if (q->fd >= 0 || q->error)
		return;
	fd = open(q->path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NONBLOCK, 0666);
	if (fd >= 0)
		q->fd = fd;
	else if (errno != ENXIO)
		q->error = errno;
}

/* Returns how many bytes a write takes without waiting. */
static size_t room(int fd)
{
	struct pollfd p = { .fd = fd, .events = POLLOUT };
	struct stat st;

	if (!fstat(fd, &st) && S_ISREG(st.st_mode))
		return SIZE_MAX / 2;
	return poll(&p, 1, 0) > 0 ? PIPE_BUF : 0;
}

void output_queue_flush(struct output_queue *q)
{
	size_t space;

	while (q->fd >= 0 && !q->error && output_queue_waiting(q) && (space = room(q->fd)) > 0) {
		size_t len = output_queue_waiting(q) < space ? output_queue_waiting(q) : space;
		ssize_t n = write(q->fd, q->text.text + q->done, len);

		if (n > 0)
			q->done += (size_t)n;
		else if (n < 0 && errno == EAGAIN)
			break;
		else if (n < 0 && errno != EINTR)
			q->error = errno;
	}
	if (!output_queue_waiting(q)) {
		strbuf_clear(&q->text);
		q->done = 0;
	}
}

/* A file system may say only here that it had no room. */
static int close_output(struct output_queue *q, struct diag *d)
{
	int failed = close(q->fd);

	q->fd = -1;
	if (!failed)
		return 0;
	return diag_kind(d, DIAG_OUTPUT, -errno, "%s: the result could not be written: %s", q->path,
			 diag_errno(errno));
}

static int finish_open(struct output_queue *q, struct diag *d)
{
	int flags = fcntl(q->fd, F_GETFL), err;

	if (q->path && flags >= 0)
		fcntl(q->fd, F_SETFL, flags & ~O_NONBLOCK);
	err = outfile_write_fd(q->fd, q->path, strbuf_str(&q->text) + q->done, output_queue_waiting(q), d);
	return !err && q->path ? close_output(q, d) : err;
}

int output_queue_finish(struct output_queue *q, const char *text, size_t len, struct diag *d)
{
	output_queue_put(q, text, len);
	if (q->text.failed)
		return diag_kind(d, DIAG_OUTPUT, -ENOMEM, "out of memory for the result");
	return q->fd < 0 ? outfile_write(q->path, strbuf_str(&q->text) + q->done, output_queue_waiting(q), d)
			 : finish_open(q, d);
}

void output_queue_replace(struct output_queue *q, const char *text, size_t len)
{
	struct diag ignored = { 0 };

	if (q->path && q->fd >= 0 && !ftruncate(q->fd, 0) && lseek(q->fd, 0, SEEK_SET) == 0)
		outfile_write_fd(q->fd, q->path, text, len, &ignored);
	diag_fini(&ignored);
}

void output_queue_fini(struct output_queue *q)
{
	if (q->path && q->fd >= 0)
		close(q->fd);
	strbuf_fini(&q->text);
	q->fd = -1;
}
