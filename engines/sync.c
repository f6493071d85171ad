/* sync: read and write at the file's position, after an lseek if the position is not yet right. */
#include <errno.h>
#include <stdlib.h>
#include <unistd.h>
#include "engine_parts.h"
#include "io.h"

#define UNKNOWN UINT64_MAX

struct sync_state {
	uint64_t *pos; /* position of each file, by file->index; NULL: files are reopened, so positions are
			 unknown */
};

static int sync_init(struct engine_ctx *ctx)
{
	struct sync_state *s = ctx->state;

	if (ctx->files_dynamic || !ctx->nfiles)
		return 0;
	s->pos = malloc(ctx->nfiles * sizeof(*s->pos));
	if (!s->pos)
		return diag_err(ctx->d, -ENOMEM, "{ioengine=sync}: out of memory");
	for (unsigned i = 0; i < ctx->nfiles; i++)
		s->pos[i] = UNKNOWN;
	return 0;
}

static void sync_reopen(struct engine_ctx *ctx, bool open)
{
	struct sync_state *s = ctx->state;

	for (unsigned i = 0; s->pos && open && i < ctx->nfiles; i++)
		s->pos[i] = UNKNOWN;
}

static int64_t transfer(const struct io *io)
{
	ssize_t ret;

	do
		ret = io->op == IO_READ ? read(io->file->fd, io->buf, io->len)
					: write(io->file->fd, io->buf, io->len);
	while (ret < 0 && errno == EINTR);
	return ret < 0 ? -errno : ret;
}

static int64_t sync_do_one(struct engine_ctx *ctx, struct io *io)
{
	const struct sync_state *s = ctx->state;
	uint64_t unknown = UNKNOWN, *pos = s->pos ? &s->pos[io->file->index] : &unknown;
	int64_t res;

	if (io->op > IO_WRITE || io->rwf)
		return syscall_io(io);
	if (*pos != io->offset && lseek(io->file->fd, (off_t)io->offset, SEEK_SET) < 0)
		return -errno;
	res = transfer(io);
	*pos = res < 0 ? UNKNOWN : io->offset + (uint64_t)res;
	return res;
}

static void sync_fini(struct engine_ctx *ctx)
{
	struct sync_state *s = ctx->state;

	free(s->pos);
}

const struct engine engine_sync = {
	.name = "sync",
	.help = "lseek, then read or write, one at a time",
	.caps = ENG_SYNC | ENG_SHARED_POSITION,
	.state_size = sizeof(struct sync_state),
	.init = sync_init,
	.do_one = sync_do_one,
	.fini = sync_fini,
	.reopen = sync_reopen,
};
