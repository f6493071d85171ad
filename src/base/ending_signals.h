/* ending_signals.h: the signals by which a user ends the program (SIGINT, SIGTERM and others). */
#ifndef ENDING_SIGNALS_H
#define ENDING_SIGNALS_H

#include <signal.h>

/* Sets the signals that end a run. Ignored signals (nohup, background jobs of a shell) are not among them,
   because signalfd would report them all the same. */
void ending_signals(sigset_t *set);
/* Discards the signals that ended the run, and unblocks later ones. */
void ending_signals_release(void);

#endif
