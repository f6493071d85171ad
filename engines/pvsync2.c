/* pvsync2: preadv2 and pwritev2, one I/O at a time, with the flags that only these calls take. */
#include <errno.h>
#include <stdio.h>
#include <sys/uio.h>
#include "engine_parts.h"
#include "types.h"
#include "io.h"

struct pvsync2_opts {
	bool hipri, uncached, nowait;
	uint32_t hipri_percentage;
};

struct pvsync2_state {
	uint32_t rwf; /* flags of every transfer */
	bool hipri;
	uint32_t hipri_percentage,
		hipri_sum; /* hipri_sum adds the percentage for each I/O; a polled I/O subtracts 100 */
};

/* Clears s->hipri if a file cannot be polled. */
static int check_polled(struct engine_ctx *ctx, struct pvsync2_state *s)
{
	int ret = 0;

	for (unsigned i = 0; i < ctx->nfiles && !ret; i++)
		ret = polled_check(ctx, &ctx->files[i], "1");
	if (ret < 0)
		return ret;
	if (!ret && !polled_system_calls())
		snprintf(ctx->info, sizeof(ctx->info), POLLED_IGNORED);
	if (!ret)
		return 0;
	s->hipri = false;
	snprintf(ctx->info, sizeof(ctx->info), POLLED_IMPOSSIBLE);
	return 0;
}

static int check_flags(struct engine_ctx *ctx, struct pvsync2_state *s, const struct pvsync2_opts *o)
{
	int ret = o->hipri ? check_polled(ctx, s) : 0;

	if (!ret && s->hipri)
		ret = rwf_check(ctx, RWF_HIPRI, "hipri",
				"a driver that polls; an NVMe driver needs poll_queues");
	if (!ret && o->uncached)
		ret = rwf_check(ctx, RWF_DONTCACHE, "uncached", RWF_NEEDS_DONTCACHE);
	if (!ret && o->nowait)
		ret = rwf_check(ctx, RWF_NOWAIT, "nowait", "RWF_NOWAIT");
	return ret;
}

static int pvsync2_init(struct engine_ctx *ctx)
{
	const struct pvsync2_opts *o = ctx->opts;
	struct pvsync2_state *s = ctx->state;

	if (!o)
		return 0;
	s->hipri = o->hipri;
	s->hipri_percentage = o->hipri_percentage;
	s->rwf = (o->uncached ? RWF_DONTCACHE : 0) | (o->nowait ? RWF_NOWAIT : 0);
	return check_flags(ctx, s, o);
}

/* Spreads the polled I/Os evenly: 25 % is every fourth. */
static bool polls(struct pvsync2_state *s)
{
	if (!s->hipri)
		return false;
	s->hipri_sum += s->hipri_percentage;
	if (s->hipri_sum < 100)
		return false;
	s->hipri_sum -= 100;
	return true;
}

static int64_t transfer_flagged(const struct io *io, uint32_t rwf)
{
	struct iovec v = { io->buf, io->len };
	ssize_t ret;

	do
		ret = io->op == IO_READ ? preadv2(io->file->fd, &v, 1, (off_t)io->offset, (int)rwf)
					: pwritev2(io->file->fd, &v, 1, (off_t)io->offset, (int)rwf);
	while (ret < 0 && errno == EINTR);
	return ret < 0 ? -errno : ret;
}

static int64_t pvsync2_do_one(struct engine_ctx *ctx, struct io *io)
{
	struct pvsync2_state *s = ctx->state;
	uint32_t rwf;

	if (io->op > IO_WRITE)
		return syscall_io(io);
	io->rwf |= s->rwf; /* the core then treats EAGAIN as a result */
	rwf = io->rwf | (polls(s) ? RWF_HIPRI : 0) | (io->op == IO_WRITE ? ctx->write_rwf : 0);
	return transfer_flagged(io, rwf);
}

/* clang-format off */
#define OPT_STRUCT struct pvsync2_opts
static const struct opt_row pvsync2_rows[] = {
	{ .name = "hipri", OPT_FLAG(hipri), .group = "pvsync2",
	  .help = "Poll for completions (needs direct=1 and a device with poll queues)" },
	{ .name = "hipri_percentage", OPT_U32(hipri_percentage), .def = "100", OPT_RANGE(0, 100), .group = "pvsync2",
	  .help = "Percentage of I/Os that are polled, with hipri" },
	{ .name = "uncached", OPT_BOOL(uncached), .group = "pvsync2",
	  .help = "Buffered I/O that leaves no cached pages (Linux 6.14)" },
	{ .name = "nowait", OPT_BOOL(nowait), .group = "pvsync2",
	  .help = "Ask the kernel not to wait (RWF_NOWAIT); an I/O that would block fails with EAGAIN" },
	{ .name = NULL },
};
/* clang-format on */
static const struct opt_table pvsync2_table = { pvsync2_rows, sizeof(struct pvsync2_opts) };

const struct engine engine_pvsync2 = {
	.name = "pvsync2",
	.help = "preadv2 and pwritev2, one at a time",
	.caps = ENG_SYNC | ENG_RWF,
	.state_size = sizeof(struct pvsync2_state),
	.opts = &pvsync2_table,
	.opts_size = sizeof(struct pvsync2_opts),
	.init = pvsync2_init,
	.do_one = pvsync2_do_one,
};
