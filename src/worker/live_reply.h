/* live_reply.h: copies the worker's numbers for the parent, if the parent has asked (live_copies.h). */
#ifndef LIVE_REPLY_H
#define LIVE_REPLY_H

struct worker;

/* Call between two batches. */
void live_reply(struct worker *w);

#endif
