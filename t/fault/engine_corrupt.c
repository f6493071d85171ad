#include "engine_corrupt.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>
#include "io.h"

struct corrupt_plan corrupt_plan;

struct state {
	struct io *queue[1024];
	unsigned n;
};

static int corrupt_init(struct engine_ctx *ctx)
{
	(void)ctx;
	return 0;
}

static int corrupt_submit(struct engine_ctx *ctx, struct io **ios, unsigned n)
{
	struct state *s = ctx->state;

	memcpy(s->queue + s->n, ios, n * sizeof(*ios));
	s->n += n;
	return (int)n;
}

static void flip(const struct io *io, uint64_t at)
{
	unsigned char byte;

	if (pread(io->file->fd, &byte, 1, (off_t)(io->offset + at)) != 1)
		return;
	byte ^= 0xff;
	corrupt_plan.log->damaged += pwrite(io->file->fd, &byte, 1, (off_t)(io->offset + at)) == 1;
}

static int64_t do_io(struct io *io)
{
	struct corrupt_log *log = corrupt_plan.log;
	int64_t res;

	if (log->n < CORRUPT_IOS)
		log->io[log->n++] = (struct corrupt_io){ io->offset, io->dir };
	if (io->op != IO_WRITE)
		return syscall_io(io);
	if (++log->writes == corrupt_plan.fail)
		return -EIO;
	res = syscall_io(io);
	if (log->writes == corrupt_plan.at)
		flip(io, io->len / 2);
	return res;
}

static int corrupt_reap(struct engine_ctx *ctx, struct io **out, unsigned min, unsigned max,
			uint64_t timeout_ns)
{
	struct state *s = ctx->state;
	unsigned n = s->n < max ? s->n : max;

	(void)min;
	(void)timeout_ns;
	for (unsigned i = 0; i < n; i++) {
		out[i] = s->queue[i];
		out[i]->res = do_io(out[i]);
	}
	s->n -= n;
	memmove(s->queue, s->queue + n, s->n * sizeof(*s->queue));
	return (int)n;
}

static void corrupt_fini(struct engine_ctx *ctx)
{
	(void)ctx;
}

const struct engine engine_corrupt = {
	.name = "corrupt",
	.help = "damages what it writes",
	.state_size = sizeof(struct state),
	.init = corrupt_init,
	.submit = corrupt_submit,
	.reap = corrupt_reap,
	.fini = corrupt_fini,
};
