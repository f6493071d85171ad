#include "line_queue.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>
#include "clock.h"
#include "strbuf.h"

/* A line is lost while more text than this waits for the reader. */
#define WAITING_BYTES (1u << 20)
/* A larger pipe lets a reader be late without loss. */
#define PIPE_BYTES (1 << 20)
/* No line is begun while more than this part of the pipe is unread. A write may use twice as much of the pipe
   as its bytes, so half of it is left to end the last line and to write the line of the end. */
#define PIPE_PART 4
/* At the end a reader that takes nothing for PAUSE_NS counts as one that has stopped reading. */
#define PAUSE_NS  250000000u
#define FINISH_NS 2000000000u
#define STEP_MS   10

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

static bool is_regular(int fd)
{
	struct stat st;

	return fd >= 0 && !fstat(fd, &st) && S_ISREG(st.st_mode);
}

/* Removes a part of a line from the end of a file. */
static void cut_part(struct line_queue *l)
{
	size_t part = l->q.done;
	struct stat st;

	if (part && !fstat(l->q.fd, &st) && st.st_size >= (off_t)part &&
	    ftruncate(l->q.fd, st.st_size - (off_t)part))
		l->error = l->error ? l->error : errno;
}

static const char *waiting_text(const struct line_queue *l)
{
	return l->lines.text + l->taken;
}

static size_t waiting_bytes(const struct line_queue *l)
{
	return l->lines.len - l->taken;
}

/* Loses the lines that are not begun. */
static void drop_lines(struct line_queue *l)
{
	if (waiting_bytes(l))
		l->lost_lines += count_lines(waiting_text(l), waiting_bytes(l));
	strbuf_clear(&l->lines);
	l->taken = 0;
}

/* Loses the line that is begun, and the others. */
static void drop_text(struct line_queue *l)
{
	if (output_queue_waiting(&l->q))
		l->lost_lines += count_lines(l->q.text.text + l->q.done, output_queue_waiting(&l->q));
	strbuf_clear(&l->q.text);
	l->q.done = 0;
	drop_lines(l);
}

/* Handles an error of the last write. A FIFO may get another reader. */
static void handle_error(struct line_queue *l)
{
	int err = l->q.error;

	if (!err)
		return;
	if (is_regular(l->q.fd))
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

/* As far as the system permits; other files stay as they are. */
static void enlarge_pipe(int fd)
{
	fcntl(fd, F_SETPIPE_SZ, PIPE_BYTES);
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
	enlarge_pipe(l->q.fd);
	output_queue_put(&l->q, strbuf_str(&l->first_line), l->first_line.len);
	return true;
}

void line_queue_begin(struct line_queue *l, const char *line, size_t len)
{
	strbuf_add(&l->first_line, line, len);
	if (!l->path) {
		enlarge_pipe(l->q.fd);
		output_queue_put(&l->q, line, len);
	}
	open_path(l);
	line_queue_flush(l);
}

/* Returns how much of a pipe is not read; 0 if it is none. */
static size_t unread_bytes(int fd)
{
	int unread = 0;

	return fcntl(fd, F_GETPIPE_SZ) > 0 && !ioctl(fd, FIONREAD, &unread) && unread > 0 ? (size_t)unread
											  : 0;
}

/* Returns whether a line may be begun. If the reader of a pipe is gone, the write reports that. */
static bool may_begin(int fd)
{
	struct pollfd p = { .fd = fd };
	size_t unread = unread_bytes(fd);

	return !unread || unread <= (size_t)fcntl(fd, F_GETPIPE_SZ) / PIPE_PART ||
	       (poll(&p, 1, 0) > 0 && p.revents & POLLERR);
}

/* Takes the first waiting line. */
static void begin_line(struct line_queue *l)
{
	const char *line = waiting_text(l), *end = memchr(line, '\n', waiting_bytes(l));
	size_t len = end ? (size_t)(end - line) + 1 : waiting_bytes(l);

	output_queue_put(&l->q, line, len);
	l->taken += len;
	if (l->taken < l->lines.len / 2)
		return;
	memmove(l->lines.text, l->lines.text + l->taken, l->lines.len - l->taken);
	l->lines.len -= l->taken;
	l->taken = 0;
}

/* Part of a line may be written already, so no other line can follow. */
static void lose_text(struct line_queue *l)
{
	drop_text(l);
	l->lost_lines++;
	l->error = l->error ? l->error : ENOMEM;
	l->reader_gone = true;
}

void line_queue_flush(struct line_queue *l)
{
	while (line_queue_waits(l)) {
		if (!output_queue_waiting(&l->q)) {
			if (!may_begin(l->q.fd))
				return;
			begin_line(l);
		}
		output_queue_flush(&l->q);
		handle_error(l);
		if (l->q.text.failed)
			lose_text(l);
		if (output_queue_waiting(&l->q))
			return;
	}
}

bool line_queue_put(struct line_queue *l, const char *line, size_t len)
{
	line_queue_flush(l);
	if (!open_path(l) || output_queue_waiting(&l->q) + waiting_bytes(l) > WAITING_BYTES) {
		l->lost_lines++;
		return false;
	}
	strbuf_add(&l->lines, line, len);
	if (l->lines.failed) {
		lose_text(l);
		return false;
	}
	line_queue_flush(l);
	return true;
}

/* Waits as long as the reader goes on reading, at most FINISH_NS. */
static void wait_for_reader(struct line_queue *l)
{
	uint64_t begin = clock_ns(), read = begin, now = begin;
	size_t least = SIZE_MAX;

	line_queue_flush(l);
	while (line_queue_waits(l) && now - begin < FINISH_NS && now - read < PAUSE_NS) {
		struct pollfd p = { .fd = l->q.fd, .events = output_queue_waiting(&l->q) ? POLLOUT : 0 };
		size_t left = line_queue_waiting(l) + unread_bytes(l->q.fd);

		read = left < least ? now : read;
		least = left < least ? left : least;
		poll(&p, 1, STEP_MS);
		line_queue_flush(l);
		now = clock_ns();
	}
}

void line_queue_drain(struct line_queue *l)
{
	wait_for_reader(l);
	drop_lines(l);
}

void line_queue_finish(struct line_queue *l, const char *line, size_t len)
{
	line_queue_flush(l);
	if (!open_path(l)) {
		l->lost_lines++;
		return;
	}
	output_queue_put(&l->q, line, len);
	wait_for_reader(l);
	drop_text(l);
	if (l->path && l->q.fd >= 0 && close(l->q.fd))
		l->error = l->error ? l->error : errno;
	if (l->path)
		l->q.fd = -1;
}

void line_queue_fini(struct line_queue *l)
{
	output_queue_fini(&l->q);
	strbuf_fini(&l->lines);
	strbuf_fini(&l->first_line);
}
