/* vsync: consecutive I/Os of one file in the same submission become one readv or writev, after an lseek.
   iodepth_batch limits how many I/Os one submission has. */
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <sys/uio.h>
#include <unistd.h>
#include "engine_parts.h"
#include "engine.h"
#include "io.h"

struct vsync_state {
	struct done_queue done;
	struct iovec *iov; /* `depth` entries, at most IOV_MAX */
	unsigned iov_max;
};

static void vsync_fini(struct engine_ctx *ctx)
{
	struct vsync_state *s = ctx->state;

	done_queue_fini(&s->done);
	free(s->iov);
}

static int vsync_init(struct engine_ctx *ctx)
{
	struct vsync_state *s = ctx->state;
	int ret = done_queue_init(&s->done, ctx->depth);

	s->iov_max = ctx->depth < IOV_MAX ? ctx->depth : IOV_MAX;
	s->iov = calloc(s->iov_max, sizeof(*s->iov));
	if (!ret && s->iov)
		return 0;
	vsync_fini(ctx);
	return diag_err(ctx->d, -ENOMEM, "{ioengine=vsync}: out of memory");
}

static bool is_vectored(const struct io *io)
{
	return io->op <= IO_WRITE && !io->rwf;
}

static bool follows(const struct io *io, const struct io *before)
{
	return is_vectored(io) && io->op == before->op && io->file == before->file &&
	       io->offset == before->offset + before->len;
}

static unsigned run_length(const struct vsync_state *s, struct io **ios, unsigned n)
{
	unsigned k = 1;

	while (k < n && k < s->iov_max && follows(ios[k], ios[k - 1]))
		k++;
	return k;
}

static int64_t transfer_batch(struct vsync_state *s, struct io **ios, unsigned n)
{
	int fd = ios[0]->file->fd;
	ssize_t ret;

	for (unsigned i = 0; i < n; i++)
		s->iov[i] = (struct iovec){ ios[i]->buf, ios[i]->len };
	if (lseek(fd, (off_t)ios[0]->offset, SEEK_SET) < 0)
		return -errno;
	do
		ret = ios[0]->op == IO_READ ? readv(fd, s->iov, (int)n) : writev(fd, s->iov, (int)n);
	while (ret < 0 && errno == EINTR);
	return ret < 0 ? -errno : ret;
}

/* Does part of a run of n I/Os; returns how many. A short transfer ends the run with the I/O that it
   leaves incomplete. An error is reported for one I/O only, after it failed alone. */
static unsigned do_run(struct vsync_state *s, struct io **ios, unsigned n)
{
	int64_t moved = transfer_batch(s, ios, n);
	unsigned k = 0;

	if (moved < 0 && n > 1)
		moved = transfer_batch(s, ios, n = 1);
	if (moved < 0) {
		done_queue_push(&s->done, ios[0], moved);
		return 1;
	}
	do {
		int64_t part = moved < ios[k]->len ? moved : ios[k]->len;

		done_queue_push(&s->done, ios[k++], part);
		moved -= part;
	} while (moved > 0 && k < n);
	return k;
}

static int vsync_submit(struct engine_ctx *ctx, struct io **ios, unsigned n)
{
	struct vsync_state *s = ctx->state;

	for (unsigned i = 0; i < n;) {
		if (is_vectored(ios[i])) {
			i += do_run(s, ios + i, run_length(s, ios + i, n - i));
		} else {
			done_queue_push(&s->done, ios[i], syscall_io(ios[i]));
			i++;
		}
	}
	return (int)n;
}

static int vsync_reap(struct engine_ctx *ctx, struct io **out, unsigned min, unsigned max,
		      uint64_t timeout_ns)
{
	struct vsync_state *s = ctx->state;

	(void)min, (void)timeout_ns;
	return (int)done_queue_pop(&s->done, out, max);
}

const struct engine engine_vsync = {
	.name = "vsync",
	.caps = ENG_SHARED_POSITION | ENG_MERGES,
	.help = "lseek, then readv or writev of consecutive I/Os of one submission",
	.state_size = sizeof(struct vsync_state),
	.init = vsync_init,
	.submit = vsync_submit,
	.reap = vsync_reap,
	.fini = vsync_fini,
};
