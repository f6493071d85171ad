#include "trace_job.h"

#include <errno.h>
#include <stdlib.h>

struct model {
	const struct job_opts *opts;
	struct offset_gen *gen;
	struct skew_table skews;
	struct mixer mix;
	struct pacer pace[2]; /* reads, writes */
	bool has_rate;
	unsigned dirs;
	uint64_t bytes, now_ns;                /* so far */
	uint32_t since_fsync, since_fdatasync; /* writes */
};

static int model_init(struct model *m, const struct job *job)
{
	const struct job_opts *o = &job->opts;
	unsigned batch = SKEW_BATCH;

	*m = (struct model){ .opts = o, .dirs = o->offset.rw & RW_DIRS };
	skew_table_init(&m->skews, 1, batch);
	m->gen = calloc(1, sizeof(*m->gen));
	if (!m->gen)
		return -ENOMEM;
	offset_init(m->gen, &o->offset, o->files.offset.bytes, o->files.size.bytes, 1);
	mix_init(&m->mix, &o->mix, o->offset.rw, 2);
	for (unsigned dir = 0; dir < 2; dir++)
		m->has_rate |= pacer_init(&m->pace[dir], &o->pace, (enum io_dir)dir,
					  bsize_min(&o->offset.bsize, 1u << dir), 3 + dir);
	return offset_set_skews(m->gen, &m->skews) ? 0 : -ENOMEM;
}

static void model_fini(struct model *m)
{
	skew_table_fini(&m->skews);
	free(m->gen);
}

/* Returns the direction of the next I/O. With rates it is the direction whose next I/O is due first. */
static enum io_dir model_dir(struct model *m)
{
	if (!m->has_rate || m->dirs != (RW_READ | RW_WRITE))
		return mix_next(&m->mix);
	return pacer_due(&m->pace[DIR_READ]) <= pacer_due(&m->pace[DIR_WRITE]) ? DIR_READ : DIR_WRITE;
}

static void next_io(struct model *m, struct trace_event *e)
{
	enum io_dir dir = model_dir(m);
	uint32_t len;

	while (!offset_next(m->gen, dir, &e->offset, &len)) {
		if (offset_continues(m->gen, true))
			offset_continue(m->gen);
		else
			offset_restart(m->gen, false);
	}
	e->op = (uint8_t)dir;
	e->length = len;
	if (m->has_rate) {
		m->now_ns = pacer_due(&m->pace[dir]);
		pacer_take(&m->pace[dir], len);
	}
	e->time_ns = m->now_ns;
	m->bytes += len;
	m->since_fsync += dir == DIR_WRITE;
	m->since_fdatasync += dir == DIR_WRITE;
}

/* Adds the flush that follows a write: of two that are due together, the fsync. */
static int add_flush(struct model *m, const struct trace_event *after, struct trace_summary *s)
{
	const struct fsync_cfg *sync = &m->opts->sync;
	struct trace_event e = *after;
	bool fsync = sync->fsync && m->since_fsync >= sync->fsync;
	bool fdatasync = sync->fdatasync && m->since_fdatasync >= sync->fdatasync;

	if (!fsync && !fdatasync)
		return 0;
	m->since_fsync = fsync ? 0 : m->since_fsync;
	m->since_fdatasync = fdatasync ? 0 : m->since_fdatasync;
	e.op = fsync ? TRACE_SYNC : TRACE_DATASYNC;
	e.offset = e.length = 0;
	return trace_summary_add(s, &e, TRACE_QUEUED);
}

int trace_model_run(const struct job *job, uint64_t most, struct trace_summary *s)
{
	const struct files_cfg *files = &job->opts.files;
	uint64_t bytes = files->io_size.bytes ? files->io_size.bytes : files->size.bytes;
	struct trace_event e = { .stage = TRACE_QUEUED };
	struct model m;
	int err = model_init(&m, job);

	while (!err && m.bytes < bytes && most--) {
		next_io(&m, &e);
		err = trace_summary_add(s, &e, TRACE_QUEUED);
		err = err ? err : add_flush(&m, &e, s);
	}
	model_fini(&m);
	return err;
}
