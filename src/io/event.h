/* event.h: named events, as Windows has them, over FIFOs. One who holds an event sees whether anybody has set
   it while it was held; it is never taken back, and is gone when nobody holds it any more.

   A name with a '/' is a path. Any other one becomes fiord-NAME in $XDG_RUNTIME_DIR, or in /tmp, where it has
   to be a FIFO of this user. */
#ifndef EVENT_H
#define EVENT_H

#include <stdbool.h>
#include <sys/types.h>
#include "diag.h"

struct event {
	char *path;
	int fd;
	bool made; /* by this process, which removes it */
	dev_t dev;
	ino_t ino;
};

/* Makes the FIFO if there is none. 0, or -errno with d; *e may be closed in any case (its fd is -1). */
int event_open(struct event *e, const char *name, struct diag *d);
/* Never waits. */
void event_set(const struct event *e);
bool event_is_set(const struct event *e);
void event_close(struct event *e);

/* Sets an event that somebody holds. 0, or -errno with d: nobody does. */
int event_signal(const char *name, struct diag *d);

#endif
