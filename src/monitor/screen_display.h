/* screen_display.h: the screen of --eta=full while a run goes on. */
#ifndef SCREEN_DISPLAY_H
#define SCREEN_DISPLAY_H

#include <stdbool.h>
#include "progress_meter.h"
#include "screen_meter.h"
#include "terminal.h"

struct screen_display {
	bool on, utf8;
	struct terminal terminal;
	struct screen_meter meter;
	struct screen_state state; /* what is shown */
	struct strbuf lines;
};

/* Returns false if there can be no screen on fd. Call screen_display_end in any case; d may be zeroed. */
bool screen_display_init(struct screen_display *d, const struct plan *p, int fd, uint64_t step_ns);
/* Shows new figures; now: the progress of the run, letters: the states of the workers of this machine. Both
   must be valid until the next call. */
void screen_display_show(struct screen_display *d, const struct run *r, const struct progress *now,
			 const char *letters);
/* Between two calls of screen_display_show: shows the same figures again if the terminal was resized. */
void screen_display_resize(struct screen_display *d);
void screen_display_end(struct screen_display *d);

#endif
