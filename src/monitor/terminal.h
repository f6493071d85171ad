/* terminal.h: a whole screen on a terminal, which is given back in every ending of the program but SIGKILL:
   fatal signals and exit() give it back, and a stopped program (SIGTSTP) does so before it stops. A program
   has one such screen. It uses the terminal's alternate screen, and changes no setting of the terminal.

   Nothing here waits for the terminal except terminal_wait: while the user has stopped it with ctrl-S, the
   screen stays as it is. */
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
/* Shows these lines in place of the ones before, as they fit this size. Only changed lines are written. Does
   nothing while the program is in the background. */
void terminal_show(struct terminal *t, const char *lines, unsigned width, unsigned height);
/* Writes what waits, as far as the terminal takes it. */
void terminal_flush(struct terminal *t);
/* Gives the terminal back; terminal_show may follow. */
void terminal_leave(struct terminal *t);
/* Waits until the terminal has taken everything. */
void terminal_wait(struct terminal *t);
void terminal_close(struct terminal *t);

#endif
