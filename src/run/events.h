/* events.h: everything that wakes the parent: signals, ended children, notifications of workers, FIFO
   events, the timer. */
#ifndef EVENTS_H
#define EVENTS_H

#include <signal.h>
#include <stdint.h>

struct diag;
struct run;

struct events {
	int signal_fd, timer_fd; /* -1: closed */
	sigset_t old_mask;
	uint64_t drain_ns, next_drain_ns; /* how often the ticker runs, and when it runs next */
};

/* Blocks the signals and starts the timer for r->plan and r->hooks. Returns 0, or -errno with d. Call
   events_fini in any case. */
int events_init(struct events *e, const struct run *r, struct diag *d);
/* Restores the signal mask. */
void events_fini(struct events *e);
/* Waits for an event, for at most timeout_ms (-1: until the next tick of the timer), and handles all events
   that have come. */
void events_wait(struct events *e, struct run *r, int timeout_ms);

#endif
