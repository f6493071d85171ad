/* io_errors.c: handles I/Os that fail or take too long: writes the error line, and decides if the job
   continues. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <linux/fs.h>
#include <sys/ioctl.h>
#include <unistd.h>
#include "clock.h"
#include "clone.h"
#include "account.h"
#include "file_set.h"
#include "region.h"
#include "worker.h"

/* An I/O that fails with EAGAIN or EINTR is retried for this long. */
#define RETRY_S  5u
#define RETRY_NS (RETRY_S * 1000000000ull)

/* Returns whether the device was removed, or lost its power, while it was open: Linux then says that I/Os lie
   beyond its end. */
static bool device_gone(const struct io *io, int err)
{
	uint64_t bytes;

	return (err == ENOSPC || !io->res) && io->file->type == TARGET_BLOCK &&
	       !ioctl(io->file->fd, BLKGETSIZE64, &bytes) && !bytes;
}

/* Returns whether the device has named the error itself (see failure_words in account.c). */
static bool device_named_error(const struct io *io)
{
	return io->nvme_status || io->scsi.status || io->scsi.host;
}

/* Returns why a host-managed device may have failed a write of a job that knows no zones. */
static const char *zone_hint(const struct io *io, int err)
{
	if (err != EOVERFLOW && err != ETOOMANYREFS)
		return " (a host-managed device takes writes at the write pointers of its zones only; see "
		       "zonemode=zbd)";
	if (device_named_error(io))
		return "";
	return err == EOVERFLOW ? " (the device allows no more active zones: max_active_zones in sysfs)"
				: " (the device allows no more open zones: max_open_zones in sysfs)";
}

static const char *hint_for(const struct clone *c, const struct io *io, int err)
{
	const struct file_cfg *cfg = c->job->files ? &clone_file_opts(c, io->target)->file : &c->opts->file;
	bool passthrough = c->job->job->engine->caps & ENG_PASSTHROUGH;

	if (device_gone(io, err))
		return " (the device is gone: its size is 0 now)";
	if ((err == EINVAL || (err == EIO && !cfg->direct)) && io->op == IO_WRITE && c->job->files &&
	    !strcmp(clone_target(c, io->target)->facts->fstype, "zonefs"))
		return " (a sequential file of zonefs takes direct writes at its end only; see direct and "
		       "rw)";
	if (err == EINVAL && io->op == IO_WRITE && cfg->atomic)
		return " (atomic writes: the length must be a power of two, and the offset a multiple of it)";
	if (err == EINVAL && cfg->direct && !passthrough && io->op <= IO_WRITE)
		return " (direct I/O: offset and length must be multiples of the device's block size)";
	if (err == EINVAL && passthrough && io->op <= IO_WRITE && !device_named_error(io))
		return " (the buffer may lie in more pieces of memory than max_segments of the device; use a "
		       "smaller bs or mem=mmaphuge)";
	if (err == EOPNOTSUPP && io->op == IO_TRIM)
		return " (the target cannot trim)";
	if (io->op == IO_WRITE && c->job->files && !c->job->files[io->target].zone_size &&
	    !strcmp(clone_target(c, io->target)->facts->zoned, "host-managed"))
		return zone_hint(io, err);
	/* res 0: the end of the file, which has no errno */
	return io->res && !device_named_error(io) ? diag_hint(err) : "";
}

/* Writes e.g. "FILE: write at offset 4096, length 512: No space left on device (ENOSPC) (the device is
   full)". */
static void describe_error(const struct clone *c, const struct io *io, int err, const char *reason, char *to,
			   size_t size)
{
	const char *op = meta_job(c) ? c->job->job->engine->name : io_op_name(io->op);
	const char *hint = hint_for(c, io, err);

	if (meta_job(c) || io->dir == DIR_SYNC)
		snprintf(to, size, "%s: %s: %s%s", io->file->path, op, reason, hint);
	else
		snprintf(to, size, "%s: %s at offset %" PRIu64 ", length %u: %s%s", io->file->path, op,
			 io->offset, io->total - io->done, reason, hint);
}

void io_errors_fail(struct worker *w, const struct io *io, int err, const char *reason)
{
	char text[sizeof(w->clone.slot->error_text)];

	w->stats.st->dir[io->dir].errors++;
	file_stats_account_errors(w, io->target, io->dir, 1);
	describe_error(&w->clone, io, err, reason, text, sizeof(text));
	io_errors_count(w, (enum io_op)io->op, err, text);
}

void io_errors_count(struct worker *w, enum io_op op, int err, const char *text)
{
	struct clone *c = &w->clone;
	struct slot *s = c->slot;

	w->stats.cnt->errors++;
	if (!w->stats.cnt->first_error)
		w->stats.cnt->first_error = (uint64_t)err;
	if (!errors_survived(&c->opts->errors, op, err)) {
		clone_fail(c, err, "%s", text);
		return;
	}
	if (!s->survived_error[0] && !w->clock.in_cooldown)
		slot_text(s->survived_error, sizeof(s->survived_error), "%s", text);
	if (c->opts->errors.dump)
		dprintf(STDERR_FILENO, "%s: %s: %s; survived\n", c->plan->set->run.as_fio ? "fio" : "fiord",
			c->job->job->name, text);
}

bool io_errors_retry(struct worker *w, const struct io *io, int err)
{
	uint64_t now = clock_ns(), ios = 0;
	char reason[100];

	for (int d = 0; d < DIR_COUNT; d++)
		ios += w->stats.st->total[d].ios;
	if (!w->retry.since_ns || ios != w->retry.ios) {
		w->retry.since_ns = now;
		w->retry.ios = ios;
	}
	if (now - w->retry.since_ns < RETRY_NS)
		return true;
	snprintf(reason, sizeof(reason), "%s, although it was retried for %u s", diag_errno(err), RETRY_S);
	io_errors_fail(w, io, err, reason);
	w->retry.since_ns = 0;
	return false;
}

/* Fails the job if the I/O took longer than max_latency. Returns true if it did. */
static bool check_latency(struct clone *c, const struct io *io, uint64_t now_ns)
{
	uint64_t max = io->dir < DIR_DATA ? c->opts->max_latency_ns[io->dir] : 0;
	const char *unit = max < 1000000 ? "us" : "ms";
	double ns = max < 1000000 ? 1e3 : 1e6;

	if (!max || now_ns < io->start_ns || now_ns - io->start_ns <= max)
		return false;
	clone_fail(c, ETIMEDOUT,
		   "%s: %s at offset %" PRIu64
		   ", length %u: took %.3f %s, more than the %.3f %s of max_latency",
		   io->file->path, io_op_name(io->op), io->offset - io->done, io->total,
		   (double)(now_ns - io->start_ns) / ns, unit, (double)max / ns, unit);
	return true;
}

void io_errors_check_latency(struct clone *c, struct io *const *ios, unsigned n, uint64_t now_ns)
{
	for (unsigned i = 0; i < n && !check_latency(c, ios[i], now_ns); i++)
		;
}
