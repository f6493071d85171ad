#include "line_queue.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "clock.h"

/* A line is lost while more text than this waits for the reader. */
#define WAITING_BYTES (1u << 20)
/* A larger pipe lets a reader be late without loss. */
#define PIPE_BYTES (1 << 20)
/* At the end a reader that takes nothing for PAUSE_MS counts as one that has stopped reading. */
#define PAUSE_MS  250
#define FINISH_NS 2000000000u

void line_queue_init(struct line_queue *l, const char *path, bool append)
{
	*l = (struct line_queue){ .append = append };
	if (strcmp(path, "-") != 0)
		l->path = path;
	output_queue_init(&l->q, l->path);
}

static uint64_t count_lines(const char *text, size_t len)
{
	uint64_t n = 0;

	for (size_t i = 0; i < len; i++)
		n += text[i] == '\n';
	return n;
}

static bool is_file(int fd)
{
	struct stat st;

	return fd >= 0 && !fstat(fd, &st) && S_ISREG(st.st_mode);
}

/* Returns where the line that holds the next byte to be written begins. */
static size_t line_start(const struct output_queue *q)
{
	size_t at = q->done;

	while (at > 0 && q->text.text[at - 1] != '\n')
		at--;
	return at;
}

/* Removes a part of a line from the end of a file. */
static void cut_part(struct line_queue *l)
{
	size_t part = l->q.done - line_start(&l->q);
	struct stat st;

	if (part && !fstat(l->q.fd, &st) && st.st_size >= (off_t)part &&
	    ftruncate(l->q.fd, st.st_size - (off_t)part))
		l->error = l->error ? l->error : errno;
}

static void drop_text(struct line_queue *l)
{
	if (l->q.text.len)
		l->lost_lines += count_lines(l->q.text.text + l->q.done, output_queue_waiting(&l->q));
	strbuf_clear(&l->q.text);
	l->q.done = 0;
}

/* Handles an error of the last write. A FIFO may get another reader. */
static void handle_error(struct line_queue *l)
{
	int err = l->q.error;

	if (!err)
		return;
	if (is_file(l->q.fd))
		cut_part(l);
	drop_text(l);
	l->q.error = 0;
	if (err != EPIPE) {
		l->error = l->error ? l->error : err;
	} else if (l->path) {
		close(l->q.fd);
		l->q.fd = -1;
	} else {
		l->reader_gone = true;
	}
}

/* Opens the file, if it is not open, and if a FIFO has a reader. Returns whether it is open. */
static bool open_path(struct line_queue *l)
{
	int flags = O_WRONLY | O_APPEND | O_NONBLOCK | O_CLOEXEC | O_NOCTTY;

	if (l->reader_gone || !l->path || l->q.fd >= 0)
		return !l->reader_gone;
	if (!l->was_open)
		flags |= O_CREAT | (l->append ? 0 : O_TRUNC);
	l->q.fd = open(l->path, flags, 0666);
	if (l->q.fd < 0) {
		if (errno != ENXIO && !l->error)
			l->error = errno;
		return false;
	}
	l->was_open = true;
	fcntl(l->q.fd, F_SETPIPE_SZ, PIPE_BYTES); /* best effort */
	output_queue_put(&l->q, strbuf_str(&l->first_line), l->first_line.len);
	return true;
}

void line_queue_begin(struct line_queue *l, const char *line, size_t len)
{
	strbuf_add(&l->first_line, line, len);
	if (!l->path)
		output_queue_put(&l->q, line, len);
	open_path(l);
	line_queue_flush(l);
}

/* Removes the lines that are written from the buffer. */
static void forget_written(struct output_queue *q)
{
	size_t start = line_start(q);

	if (!start)
		return;
	memmove(q->text.text, q->text.text + start, q->text.len - start);
	q->text.len -= start;
	q->done -= start;
}

bool line_queue_put(struct line_queue *l, const char *line, size_t len)
{
	line_queue_flush(l);
	if (!open_path(l) || output_queue_waiting(&l->q) > WAITING_BYTES) {
		l->lost_lines++;
		return false;
	}
	forget_written(&l->q);
	output_queue_put(&l->q, line, len);
	if (l->q.text.failed) {
		/* Part of a line may be written already, so no other line can follow. */
		l->q.done = 0;
		l->error = l->error ? l->error : ENOMEM;
		l->reader_gone = true;
		l->lost_lines++;
		return false;
	}
	line_queue_flush(l);
	return true;
}

void line_queue_flush(struct line_queue *l)
{
	if (!output_queue_waiting(&l->q))
		return;
	output_queue_flush(&l->q);
	handle_error(l);
}

void line_queue_finish(struct line_queue *l)
{
	uint64_t until = clock_ns() + FINISH_NS;

	line_queue_flush(l);
	while (line_queue_waits(l) && clock_ns() < until) {
		struct pollfd p = { .fd = l->q.fd, .events = POLLOUT };

		if (poll(&p, 1, PAUSE_MS) <= 0)
			break;
		line_queue_flush(l);
	}
	drop_text(l);
}

void line_queue_fini(struct line_queue *l)
{
	output_queue_fini(&l->q);
	strbuf_fini(&l->first_line);
}
