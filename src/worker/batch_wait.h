/* batch_wait.h: waiting for several completions at once, so that fewer system calls bring more of them; and
   what that may have added to their latency. Pure: it is told the time. */
#ifndef BATCH_WAIT_H
#define BATCH_WAIT_H

#include <stdbool.h>
#include <stdint.h>
#include "wstat.h"

/* Every so-manieth wait is a sample. */
#define BATCH_WAIT_SAMPLE 16

struct batch_wait {
	bool adapts;
	bool starved; /* the last wait brought nothing: the next one is for any */
	/* What of the past still counts: so many completions in so much time. */
	uint64_t ios, ns, last_ns;
	unsigned most;   /* what the next wait may wait for; grows while waits are fulfilled in time */
	unsigned wanted; /* what the present one waits for, and since when; 1: for any */
	uint64_t waits, first_ns;    /* first_ns 0: this wait is no sample */
	uint64_t since_ns, until_ns; /* until_ns UINT64_MAX: for as long as it takes */
};

void batch_wait_begin(struct batch_wait *g, bool adapts);

/* Before a wait at `now` with so many I/Os in flight, which has to return `least` at least and `max` at most,
   and is over at end_ns whatever comes (UINT64_MAX: at no time). How many to wait for; until when is in
   until_ns, and what is there by then will do. */
unsigned batch_wait_wish(struct batch_wait *g, unsigned busy, unsigned least, unsigned max, uint64_t now,
			 uint64_t end_ns);
/* Whether this wait should be one for any and then one for the rest, so that batch_wait_first can be told
   when the first one came: the sample from which the delay is known. */
static inline bool batch_wait_samples(const struct batch_wait *g)
{
	return g->wanted > 1 && g->waits % BATCH_WAIT_SAMPLE == 0;
}
void batch_wait_first(struct batch_wait *g, uint64_t now);
/* That wait has brought n, at `now`. */
void batch_wait_ended(struct batch_wait *g, unsigned n, uint64_t now, struct wcount *c);

#endif
