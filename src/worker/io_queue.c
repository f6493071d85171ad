/* io_queue.c: sets up the worker's I/Os and their engine. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "clone.h"
#include "debug_io.h"
#include "file_set.h"
#include "io_queue.h"
#include "offload.h"

static void offload(struct io_queue *q)
{
	q->wrapper = offload_wrapper(q->eng.engine);
	q->eng.inner = q->eng.engine;
	q->eng.engine = &q->wrapper;
}

bool io_queue_set_engine(struct io_queue *q, const struct clone *c, struct diag *d)
{
	q->eng = (struct engine_ctx){ .engine = c->job->job->engine,
				      .opts = c->job->job->engine_opts,
				      .depth = c->job->depth,
				      .d = d };
	if (c->opts->queue.offload)
		offload(q);
	if (!(c->plan->set->run.debug & DEBUG_IO))
		return true;
	q->debug = debug_io_new(q->eng.engine, c->plan->debug_fd);
	if (q->debug)
		q->eng.engine = q->debug;
	return q->debug;
}

/* Returns the size of one I/O buffer. Trims have no data, but may have several ranges. */
static uint32_t buffer_bytes(const struct clone *c)
{
	unsigned rw = c->job->rw, dirs = rw & RW_TRIMWRITE ? RW_TRIM : rw & (RW_READ | RW_WRITE);
	uint32_t bytes = bsize_max(&c->opts->offset.bsize, dirs);
	uint32_t ranges = c->opts->num_range > 1 && rw & RW_TRIM
				  ? c->opts->num_range * (uint32_t)sizeof(struct io_range)
				  : 1;

	return bytes > ranges ? bytes : ranges;
}

bool io_queue_setup(struct io_queue *q, const struct clone *c, struct diag *d)
{
	unsigned depth = c->job->depth;

	q->ios = slot_ios(c->slot, &c->job->layout);
	q->reaped = calloc(depth, sizeof(struct io *));
	q->ready = calloc(depth, sizeof(struct io *));
	q->idle = calloc(depth, sizeof(struct io *));
	if (!q->reaped || !q->ready || !q->idle)
		return false;
	memset(q->ios, 0, depth * sizeof(*q->ios)); /* so that the first I/O has no page faults */
	if (iobuf_init(&q->bufs, &c->job->memory, &c->plan->allow, depth, buffer_bytes(c), d))
		return false;
	for (unsigned i = 0; i < depth; i++) {
		q->ios[i].index = (uint16_t)i;
		q->ios[i].buf = q->bufs.base + i * q->bufs.stride;
	}
	q->eng.depth = depth;
	io_queue_drop_ready(q);
	return true;
}

void io_queue_drop_ready(struct io_queue *q)
{
	unsigned depth = q->eng.depth;

	for (unsigned i = 0; i < depth; i++) {
		q->ios[i].buf = q->bufs.base + i * q->bufs.stride;
		q->idle[depth - 1 - i] = &q->ios[i];
	}
	q->nidle = depth;
	q->nready = q->syncs = 0;
}

bool io_queue_start(struct io_queue *q, struct clone *c, const struct file_set *files)
{
	int ret;

	q->eng.files = files->file;
	q->eng.nfiles = c->job->nfiles;
	q->eng.files_dynamic = files->dynamic;
	q->eng.files_reopen = c->job->files_reopen;
	q->eng.queued_trims = c->job->queued_trims;
	q->eng.placement = c->job->placement;
	q->eng.bufs = &q->bufs;
	q->eng.ios = q->ios;
	q->eng.write_rwf = c->opts->file.atomic ? RWF_ATOMIC : 0;
	ret = engine_init(&q->eng);
	if (ret)
		clone_fail_diag(c, -ret, q->eng.d);
	else if (q->eng.info[0])
		snprintf(c->slot->info, sizeof(c->slot->info), "%s", q->eng.info);
	return ret == 0;
}

void io_queue_fini(struct io_queue *q, const struct clone *c)
{
	int err = debug_io_free(q->debug);

	if (err)
		clone_note(c, "--debug=io: lines are missing: %s", strerror(err));
	iobuf_fini(&q->bufs);
	free(q->reaped);
	free(q->ready);
	free(q->idle);
}
