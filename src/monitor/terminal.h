/* terminal.h: a full screen on a terminal. The terminal is restored in every ending of the program but
   SIGKILL, also by fatal signals and exit(), and before the program stops (SIGTSTP). A program has one such
   screen. It uses the terminal's alternate screen, and changes no setting of the terminal.

   Only terminal_wait waits for the terminal: while the user has stopped it with ctrl-S, the screen stays as
   it is. */
#ifndef TERMINAL_H
#define TERMINAL_H

#include <stdbool.h>
#include "output_queue.h"
#include "strbuf.h"

struct terminal {
	int fd; /* -1: closed */
	bool shown;
	unsigned width, height; /* of the lines that are shown */
	struct output_queue out;
	struct strbuf lines; /* as shown */
};

/* Returns whether fd is a terminal that can show a screen: TERM is neither empty nor "dumb". */
bool terminal_has_screen(int fd);
/* Returns whether the terminal shows UTF-8 and the characters of block graphics: LC_ALL, LC_CTYPE or LANG
   says so, and TERM is not "linux". */
bool terminal_is_utf8(void);

/* Returns false if the terminal cannot be opened. Call terminal_close in any case. */
bool terminal_open(struct terminal *t, int fd);
/* Sets the size in characters, 80 x 24 if it is unknown. Returns whether the lines must be drawn again: the
   size has changed, or the program was stopped. */
bool terminal_size(const struct terminal *t, unsigned *width, unsigned *height);
/* Shows these lines, which must fit this size, in place of those before. Writes only changed lines, and
   nothing while the program is in the background. */
void terminal_show(struct terminal *t, const char *lines, unsigned width, unsigned height);
/* Writes as much of the waiting output as the terminal takes now. */
void terminal_flush(struct terminal *t);
/* Restores the terminal; terminal_show may follow. */
void terminal_leave(struct terminal *t);
/* Waits until the terminal has taken everything. */
void terminal_wait(struct terminal *t);
void terminal_close(struct terminal *t);

/* terminal_signals.c: restores the terminal when a signal or exit() ends or stops the program. Internal to
   terminal.c. */

/* The screen is about to be shown on the terminal fd, which does not block. `text`, a static string,
   restores the terminal. */
void terminal_signals_arm(int fd, const char *text);
/* The screen is not shown any more. */
void terminal_signals_disarm(void);
/* Returns whether the program was stopped since the last call of terminal_signals_arm. */
bool terminal_signals_stopped(void);
/* Returns whether the terminal was restored before that. */
bool terminal_signals_restored(void);

#endif
