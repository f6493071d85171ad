#include "terminal.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/ioctl.h>
#include <unistd.h>
#include "strbuf.h"

/* The alternate screen without a cursor, and back. */
#define ENTER "\033[?1049h\033[?25l"
#define LEAVE "\033[?1049l\033[?25h"

bool terminal_has_screen(int fd)
{
	const char *term = getenv("TERM");

	return isatty(fd) && term && *term && strcmp(term, "dumb") != 0;
}

bool terminal_is_utf8(void)
{
	static const char *const names[] = { "LC_ALL", "LC_CTYPE", "LANG" };
	const char *term = getenv("TERM"), *value = NULL;

	for (size_t i = 0; i < sizeof(names) / sizeof(*names) && !(value && *value); i++)
		value = getenv(names[i]);
	return value && (strcasestr(value, "UTF-8") || strcasestr(value, "UTF8")) &&
	       !(term && !strcmp(term, "linux"));
}

/* Opens the terminal again, so that O_NONBLOCK is not set for the other programs on it. */
static int open_again(int fd)
{
	char path[40];
	int again;

	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	again = open(path, O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	return again >= 0 ? again : fcntl(fd, F_DUPFD_CLOEXEC, 3);
}

bool terminal_open(struct terminal *t, int fd)
{
	*t = (struct terminal){ .fd = open_again(fd) };
	output_queue_init(&t->out, "the terminal");
	t->out.fd = t->fd;
	return t->fd >= 0;
}

static void ask_size(const struct terminal *t, unsigned *width, unsigned *height)
{
	struct winsize size = { 0 };

	if (ioctl(t->fd, TIOCGWINSZ, &size) || !size.ws_col || !size.ws_row)
		size = (struct winsize){ .ws_col = 80, .ws_row = 24 };
	*width = size.ws_col;
	*height = size.ws_row;
}

bool terminal_size(const struct terminal *t, unsigned *width, unsigned *height)
{
	ask_size(t, width, height);
	return *width != t->width || *height != t->height || (t->shown && terminal_signals_stopped());
}

static bool in_foreground(const struct terminal *t)
{
	pid_t group = tcgetpgrp(t->fd);

	return group <= 0 || group == getpgrp();
}

/* ---- lines ---- */

static void put_terminal(struct terminal *t, const char *text)
{
	output_queue_put(&t->out, text, strlen(text));
}

static size_t line_len(const char *line)
{
	return strcspn(line, "\n");
}

/* Returns the line after this one; an empty one after the last. */
static const char *next_line(const char *line)
{
	line += line_len(line);
	return *line ? line + 1 : line;
}

static void put_changes(struct terminal *t, const char *lines, bool all)
{
	const char *old = strbuf_str(&t->lines), *line = lines;
	unsigned row = 1;
	char place[32];

	for (; *line; row++) {
		size_t len = line_len(line);

		if (all || !*old || len != line_len(old) || memcmp(line, old, len) != 0) {
			snprintf(place, sizeof(place), "\033[%u;1H\033[K", row);
			put_terminal(t, place);
			output_queue_put(&t->out, line, len);
		}
		line = next_line(line);
		old = next_line(old);
	}
	if ((all || *old) && row <= t->height) {
		snprintf(place, sizeof(place), "\033[%u;1H\033[J", row);
		put_terminal(t, place);
	}
}

/* After a stop the screen begins anew. */
static void forget_if_stopped(struct terminal *t)
{
	if (!t->shown || !terminal_signals_stopped())
		return;
	strbuf_clear(&t->out.text);
	t->out.done = 0;
	t->shown = false;
}

void terminal_show(struct terminal *t, const char *lines, unsigned width, unsigned height)
{
	bool all = width != t->width || height != t->height;

	forget_if_stopped(t);
	terminal_flush(t);
	if (t->fd < 0 || output_queue_waiting(&t->out) || t->out.error || !in_foreground(t))
		return;
	if (!t->shown) {
		terminal_signals_arm(t->fd, LEAVE);
		put_terminal(t, ENTER);
		t->shown = all = true;
	}
	t->width = width;
	t->height = height;
	put_changes(t, lines, all);
	strbuf_clear(&t->lines);
	strbuf_puts(&t->lines, lines);
	terminal_flush(t);
}

/* SIGTSTP must not come between two pieces of the text. */
void terminal_flush(struct terminal *t)
{
	sigset_t stop, old;

	if (t->fd < 0 || !output_queue_waiting(&t->out))
		return;
	sigemptyset(&stop);
	sigaddset(&stop, SIGTSTP);
	sigprocmask(SIG_BLOCK, &stop, &old);
	output_queue_flush(&t->out);
	sigprocmask(SIG_SETMASK, &old, NULL);
}

void terminal_leave(struct terminal *t)
{
	if (!t->shown)
		return;
	if (!terminal_signals_restored())
		put_terminal(t, LEAVE);
	terminal_flush(t);
	terminal_signals_disarm();
	t->shown = false;
}

void terminal_wait(struct terminal *t)
{
	struct pollfd p = { .fd = t->fd, .events = POLLOUT };

	while (t->fd >= 0 && output_queue_waiting(&t->out) && !t->out.error) {
		poll(&p, 1, -1);
		terminal_flush(t);
	}
}

void terminal_close(struct terminal *t)
{
	terminal_leave(t);
	output_queue_fini(&t->out);
	strbuf_fini(&t->lines);
	t->fd = -1;
}
