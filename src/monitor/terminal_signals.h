/* terminal_signals.h: restores the terminal when a signal or exit() ends or stops the program. Internal to
   terminal.c. */
#ifndef TERMINAL_SIGNALS_H
#define TERMINAL_SIGNALS_H

#include <stdbool.h>

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
