/* pvsync2: preadv2 and pwritev2, one I/O at a time, with the flags that only these calls take. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/uio.h>
#include "one.h"
#include "sysfs.h"
#include "types.h"

/* Newer than the headers of some systems that can run it. */
#ifndef RWF_DONTCACHE
#define RWF_DONTCACHE 0x00000080
#endif
#define PROBE_BYTES 4096

struct pvsync2_opts {
	bool hipri, uncached, nowait;
	uint32_t hipri_percentage;
};

struct pvsync2_state {
	struct one one;
	uint32_t rwf; /* of every transfer */
	bool hipri;
	uint32_t hipri_percentage, hipri_sum; /* the share, added up; a polled I/O takes 100 away */
};

static ssize_t probe(int fd, void *buf, uint64_t offset, uint32_t rwf)
{
	struct iovec v = { buf, PROBE_BYTES };

	return preadv2(fd, &v, 1, (off_t)offset, (int)rwf);
}

/* Whether a read of the first block gets by the kernel and the file system with this flag; errors of other
   kinds are left to the run. */
static int check_flag(struct engine_ctx *ctx, void *buf, uint32_t rwf, const char *option, const char *needs)
{
	for (unsigned i = 0; i < ctx->nfiles; i++) {
		const struct file *f = &ctx->files[i];

		if (f->fd >= 0 && probe(f->fd, buf, f->start, rwf) < 0 && errno == EOPNOTSUPP)
			return diag_err(ctx->d, -EOPNOTSUPP,
					"%s=1: %s: the kernel, or this file system, cannot do that (%s)",
					option, f->path, needs);
	}
	return 0;
}

/* The kernel polls for nothing, and says nothing, where the device below the file cannot. */
static bool cannot_poll(int fd)
{
	uint64_t polls;
	struct stat st;
	dev_t dev;
	int ret;

	if (fstat(fd, &st))
		return false;
	dev = S_ISBLK(st.st_mode) ? st.st_rdev : st.st_dev;
	ret = sysfs_u64(&polls, "/sys/dev/block/%u:%u/queue/io_poll", major(dev), minor(dev));
	if (ret) /* of a partition, the disk's */
		ret = sysfs_u64(&polls, "/sys/dev/block/%u:%u/../queue/io_poll", major(dev), minor(dev));
	return ret == 0 && !polls;
}

static int check_polled(struct engine_ctx *ctx)
{
	for (unsigned i = 0; i < ctx->nfiles; i++) {
		int fd = ctx->files[i].fd;

		if (fd >= 0 && !(fcntl(fd, F_GETFL) & O_DIRECT))
			return diag_err(ctx->d, -EINVAL, "hipri=1: polled completions need direct=1");
		if (fd >= 0 && cannot_poll(fd))
			return diag_err(ctx->d, -EOPNOTSUPP,
					"hipri=1: %s: its driver cannot poll for completions (an NVMe driver "
					"needs poll_queues); leave hipri out",
					ctx->files[i].path);
	}
	return 0;
}

static int check_flags(struct engine_ctx *ctx, const struct pvsync2_opts *o)
{
	void *buf;
	int ret = o->hipri ? check_polled(ctx) : 0;

	if (ret)
		return ret;
	buf = aligned_alloc(PROBE_BYTES, PROBE_BYTES);
	if (!buf)
		return diag_err(ctx->d, -ENOMEM, "ioengine=pvsync2: out of memory");
	if (o->hipri)
		ret = check_flag(ctx, buf, RWF_HIPRI, "hipri",
				 "a driver that polls; an NVMe driver needs poll_queues");
	if (!ret && o->uncached)
		ret = check_flag(ctx, buf, RWF_DONTCACHE, "uncached", "RWF_DONTCACHE: Linux 6.14 or later");
	if (!ret && o->nowait)
		ret = check_flag(ctx, buf, RWF_NOWAIT, "nowait", "RWF_NOWAIT");
	free(buf);
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
	return o->hipri || s->rwf ? check_flags(ctx, o) : 0;
}

/* The polled I/Os are spread evenly: 25 % is every fourth. */
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

static int64_t transfer(const struct io *io, uint32_t rwf)
{
	struct iovec v = { io->buf, io->len };
	ssize_t ret;

	do
		ret = io->op == IO_READ ? preadv2(io->file->fd, &v, 1, (off_t)io->offset, (int)rwf)
					: pwritev2(io->file->fd, &v, 1, (off_t)io->offset, (int)rwf);
	while (ret < 0 && errno == EINTR);
	return ret < 0 ? -errno : ret;
}

static int pvsync2_submit(struct engine_ctx *ctx, struct io **ios, unsigned n)
{
	struct pvsync2_state *s = ctx->state;
	struct io *io = ios[0];

	(void)n;
	if (io->op > IO_WRITE)
		return one_done(&s->one, io, eng_plain(io));
	io->rwf |= s->rwf; /* the core sees that EAGAIN is an answer */
	return one_done(&s->one, io, transfer(io, io->rwf | (polls(s) ? RWF_HIPRI : 0)));
}

/* clang-format off */
#define OPT_STRUCT struct pvsync2_opts
static const struct opt_row pvsync2_rows[] = {
	{ .name = "hipri", OPT_FLAG(hipri), .group = "pvsync2",
	  .help = "Poll for completions (needs direct=1 and a device that can)" },
	{ .name = "hipri_percentage", OPT_U32(hipri_percentage), .def = "100", OPT_RANGE(0, 100), .group = "pvsync2",
	  .help = "How many of 100 I/Os are polled, with hipri" },
	{ .name = "uncached", OPT_BOOL(uncached), .group = "pvsync2",
	  .help = "Buffered I/O that leaves no cached pages (Linux 6.14)" },
	{ .name = "nowait", OPT_BOOL(nowait), .group = "pvsync2",
	  .help = "Ask the kernel not to wait (RWF_NOWAIT); what it cannot do at once fails with EAGAIN" },
	{ .name = NULL },
};
/* clang-format on */
static const struct opt_table pvsync2_table = { pvsync2_rows, sizeof(struct pvsync2_opts) };

const struct engine engine_pvsync2 = {
	.name = "pvsync2",
	.help = "preadv2 and pwritev2, one at a time",
	.caps = ENG_SYNC,
	.state_size = sizeof(struct pvsync2_state),
	.opts = &pvsync2_table,
	.opts_size = sizeof(struct pvsync2_opts),
	.init = pvsync2_init,
	.submit = pvsync2_submit,
	.reap = one_reap,
};
