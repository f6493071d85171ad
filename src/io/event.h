/* event.h: named events over FIFOs, like those of Windows. A process that has an event open sees when any
   process sets it. A set event is never reset; the event is gone when the last process closes
   it.

   A name with a '/' is a path. Any other name becomes fiord-NAME in $XDG_RUNTIME_DIR, or in /tmp, where it
   must be a FIFO of this user. */
#ifndef EVENT_H
#define EVENT_H

#include <stdbool.h>
#include <sys/types.h>
#include "diag.h"

struct event {
	char *path;
	int fd;
	bool created; /* this process created the FIFO and removes it */
	dev_t dev;
	ino_t ino;
};

/* Opens the FIFO, and creates it if it does not exist. Returns 0, or -errno with d filled; event_close is
   safe in either case (fd is -1 after a failure). */
int event_open(struct event *e, const char *name, struct diag *d);
/* Sets the event; never blocks. */
void event_set(const struct event *e);
bool event_is_set(const struct event *e);
void event_close(struct event *e);

/* Sets an event that another process has open. Returns 0, or -errno with d filled if none has. */
int event_signal(const char *name, struct diag *d);

#endif
