/* io_errors.c: handles I/Os that fail or take too long: writes the error line, and decides if the job
   continues. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <unistd.h>
#include "clock.h"
#include "clone.h"
#include "io_errors.h"
#include "meta.h"
#include "slot_text.h"
#include "worker.h"

/* The time for which an I/O that meets EAGAIN or EINTR is retried. */
#define PATIENCE_S  5u
#define PATIENCE_NS (PATIENCE_S * 1000000000ull)

static const char *hint_for(const struct worker *w, const struct io *io, int err)
{
	const struct file_cfg *cfg =
		w->clone.job->files ? &clone_file_opts(&w->clone, io->target)->file : &w->clone.opts->file;

	if (err == EINVAL && io->op == IO_WRITE && cfg->atomic)
		return " (atomic=1: a power of two long, at a multiple of its length)";
	if (err == EINVAL && cfg->direct && io->op <= IO_WRITE)
		return " (direct=1: offset and length must be multiples of the device's block size)";
	if (err == EOPNOTSUPP && io->op == IO_TRIM)
		return " (the target cannot trim)";
	return io->res ? diag_hint(err) : ""; /* res 0: the end of the file, which has no errno */
}

/* "FILE: write at offset 4096, length 512: No space left on device (ENOSPC) (the device is full)" */
static void describe(const struct worker *w, const struct io *io, int err, const char *what, char *to,
		     size_t size)
{
	if (meta_job(w))
		snprintf(to, size, "%s: %s: %s%s", io->file->path, w->q.eng.engine->name, what,
			 hint_for(w, io, err));
	else if (io->dir == DIR_SYNC)
		snprintf(to, size, "%s: %s: %s%s", io->file->path, io_op_name(io->op), what,
			 hint_for(w, io, err));
	else
		snprintf(to, size, "%s: %s at offset %" PRIu64 ", length %u: %s%s", io->file->path,
			 io_op_name(io->op), io->offset, io->total - io->done, what, hint_for(w, io, err));
}

void io_errors_fail(struct worker *w, const struct io *io, int err, const char *what)
{
	struct slot *s = w->clone.slot;
	char text[sizeof(s->error_text)];

	w->stats.st->dir[io->dir].errors++;
	w->stats.cnt->errors++;
	if (!w->stats.cnt->first_error)
		w->stats.cnt->first_error = (uint64_t)err;
	describe(w, io, err, what, text, sizeof(text));
	if (!errors_survived(&w->clone.opts->errors, (enum io_op)io->op, err)) {
		clone_fail(&w->clone, err, "%s", text);
		return;
	}
	if (!s->survived[0] && !w->clock.in_cooldown)
		slot_text(s->survived, sizeof(s->survived), "%s", text);
	if (w->clone.opts->errors.dump)
		dprintf(STDERR_FILENO, "%s: %s: %s; survived\n",
			w->clone.plan->set->run.as_fio ? "fio" : "fiord", w->clone.job->job->name, text);
}

bool io_errors_retry(struct worker *w, const struct io *io, int err)
{
	uint64_t now = clock_ns(), ios = 0;
	char what[100];

	for (int d = 0; d < DIR_COUNT; d++)
		ios += w->stats.st->total[d].ios;
	if (!w->retry.since_ns || ios != w->retry.ios) {
		w->retry.since_ns = now;
		w->retry.ios = ios;
	}
	if (now - w->retry.since_ns < PATIENCE_NS)
		return true;
	snprintf(what, sizeof(what), "%s, again and again for %u s", diag_errno(err), PATIENCE_S);
	io_errors_fail(w, io, err, what);
	w->retry.since_ns = 0;
	return false;
}

void io_errors_latency(struct worker *w, unsigned n)
{
	for (unsigned i = 0; i < n; i++) {
		const struct io *io = w->q.reaped[i];
		uint64_t took = w->clock.now_ns - io->start_ns;
		uint64_t most = io->dir < DIR_DATA ? w->clone.opts->max_latency_ns[io->dir] : 0;
		const char *unit = most < 1000000 ? "us" : "ms";
		double ns = most < 1000000 ? 1e3 : 1e6;

		if (!most || took <= most || w->clock.now_ns < io->start_ns)
			continue;
		clone_fail(&w->clone, ETIMEDOUT,
			   "%s: %s at offset %" PRIu64
			   ", length %u: took %.3f %s, more than the %.3f %s of max_latency",
			   io->file->path, io_op_name(io->op), io->offset - io->done, io->total,
			   (double)took / ns, unit, (double)most / ns, unit);
		return;
	}
}
