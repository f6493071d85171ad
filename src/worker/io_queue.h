/* io_queue.h: the worker's I/Os. An I/O is idle, ready to be submitted, with the engine, or just reaped. */
#ifndef IO_QUEUE_H
#define IO_QUEUE_H

#include <stdbool.h>
#include "engine.h"

struct clone;
struct file_set;

struct io_queue {
	struct engine_ctx eng;
	struct engine wrapper;      /* io_submit_mode=offload: the engine behind its threads */
	const struct engine *debug; /* --debug=io: the engine that prints the I/Os; else NULL */
	struct io *ios;             /* all I/Os, in the slot: the parent reads them if the worker dies */
	struct iobuf bufs;
	struct io **reaped; /* the last batch */
	struct io **ready;  /* filled in or to be continued, and not submitted yet */
	struct io **idle;   /* a stack */
	unsigned nready, nidle;
	unsigned syncs; /* fsyncs among the I/Os in flight */
};

/* Chooses the engine. Its errors go to d. Returns false if memory is short. */
bool io_queue_set_engine(struct io_queue *q, const struct clone *c, struct diag *d);
/* Allocates the I/Os and their buffers. Returns false if memory is short. */
bool io_queue_setup(struct io_queue *q, const struct clone *c, struct diag *d);
/* Starts the engine with the files. Returns false after clone_fail. */
bool io_queue_start(struct io_queue *q, struct clone *c, const struct file_set *files);
/* While no I/O is in flight: drops those that were filled in and not submitted. */
void io_queue_drop_ready(struct io_queue *q);
void io_queue_fini(struct io_queue *q, const struct clone *c);

/* Returns how many I/Os are in flight: ready or with the engine. */
static inline unsigned io_queue_busy(const struct io_queue *q)
{
	return q->nready + q->eng.inflight;
}

#endif
