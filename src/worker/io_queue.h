/* io_queue.h: the worker's I/Os. An I/O is idle, ready to be submitted, with the engine, or just reaped. */
#ifndef IO_QUEUE_H
#define IO_QUEUE_H

#include "engine.h"

struct io_queue {
	struct engine_ctx eng;
	struct engine wrapper; /* io_submit_mode=offload: the engine behind its threads */
	struct io *ios;        /* all I/Os, in the slot: the parent reads them if the worker dies */
	struct iobuf bufs;
	struct io **reaped; /* the last batch */
	struct io **ready;  /* filled in or to be continued, and not submitted yet */
	struct io **idle;   /* a stack */
	unsigned nready, nidle;
	unsigned syncs; /* fsyncs among the I/Os in flight */
};

/* Returns how many I/Os are in flight: ready or with the engine. */
static inline unsigned io_queue_busy(const struct io_queue *q)
{
	return q->nready + q->eng.inflight;
}

#endif
