/* uring_setup.c: creates the rings. It tries the kernel's modes from best to plainest: a single issuer
   with deferred task work, cooperative task work, neither. It registers the ring, the files and the
   buffers where the kernel allows it, and ctx->info reports the result. */
#include "strbuf.h"
#include "uring.h"

#include <assert.h>
#include <errno.h>
#include <inttypes.h>
#include <linux/capability.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>
#include "engine.h"
#include "engine_parts.h"
#include "sysfs.h"

#define ENTRIES_MAX  32768u     /* the kernel's limit */
#define REGION_BYTES (1u << 30) /* the kernel's limit for one registered buffer */
#define LOCK_SHARE   64
#define PROBE_BYTES  4096
#define SINGLE_DEFER (IORING_SETUP_SINGLE_ISSUER | IORING_SETUP_DEFER_TASKRUN)

/* The header of Debian 12 does not have it. */
#ifndef IORING_SETUP_HYBRID_IOPOLL
#define IORING_SETUP_HYBRID_IOPOLL (1U << 17)
#endif

static const struct uring_opts *options(const struct engine_ctx *ctx)
{
	static const struct uring_opts defaults = {
		.fixedbufs = AUTOFLAG_AUTO,
		.registerfiles = AUTOFLAG_AUTO,
		.nonvectored = -1,
		.sqthread_poll_cpu = -1,
	};

	return ctx->opts ? ctx->opts : &defaults;
}

static bool is_passthrough(const struct engine_ctx *ctx)
{
	return ctx->engine->caps & ENG_PASSTHROUGH;
}

/* Returns what to use where the ring cannot be had. */
static const char *other_way(const struct engine_ctx *ctx)
{
	return is_passthrough(ctx) ? "use ioengine=libaio on the block device" : "use ioengine=libaio";
}

static int forbidden(struct engine_ctx *ctx, int ret)
{
	const char *name = ctx->engine->name;
	uint64_t disabled = 0;

	if (ret == -EPERM && !sysfs_u64(&disabled, "/proc/sys/kernel/io_uring_disabled") && disabled)
		return diag_err(ctx->d, ret,
				"{ioengine=%s}: the system forbids io_uring (sysctl "
				"kernel.io_uring_disabled=%u); %s",
				name, (unsigned)disabled, other_way(ctx));
	if (ret == -ENOSYS)
		return diag_err(ctx->d, ret,
				"{ioengine=%s}: the kernel has no io_uring, or a container hides it "
				"(ENOSYS); %s",
				name, other_way(ctx));
	return diag_err(ctx->d, ret,
			"{ioengine=%s}: a container's seccomp profile or a security module forbids "
			"io_uring (%s); %s",
			name, diag_errno(ret), other_way(ctx));
}

/* Asks the kernel for a ring with hybrid polling and nothing else. */
static bool has_hybrid_polling(void)
{
	struct io_uring_params p = { .flags = IORING_SETUP_IOPOLL | IORING_SETUP_HYBRID_IOPOLL };
	int fd = io_uring_setup(1, &p);

	if (fd >= 0)
		close(fd);
	return fd != -EINVAL;
}

static int setup_failed(struct engine_ctx *ctx, int ret)
{
	const struct uring_opts *o = options(ctx);

	if (ret == -EINVAL && o->hipri == HIPRI_HYBRID && !has_hybrid_polling())
		return diag_err(ctx->d, -EOPNOTSUPP,
				"{hipri=hybrid}: needs Linux 6.13 or later; {+hipri=1} polls all the time");
	if (ret == -EPERM || ret == -EACCES || ret == -ENOSYS)
		return forbidden(ctx, ret);
	if (ret == -EINVAL && o->sqthread_poll_cpu >= 0)
		return diag_err(ctx->d, ret,
				"{sqthread_poll_cpu=%d}: no such CPU, or this process may not use it",
				o->sqthread_poll_cpu);
	if (ret == -ENOMEM)
		return diag_err(ctx->d, ret,
				"{ioengine=%s}: no memory for a ring of %u entries; lower {iodepth}, or "
				"raise the limit of locked memory (ulimit -l)",
				ctx->engine->name, ctx->depth);
	if (ret == -EINVAL && is_passthrough(ctx))
		return diag_err(ctx->d, ret, "{ioengine=%s}: needs Linux 5.19 or later; %s",
				ctx->engine->name, other_way(ctx));
	return diag_err(ctx->d, ret, "{ioengine=%s}: io_uring_setup: %s; %s", ctx->engine->name,
			diag_errno(ret), other_way(ctx));
}

static const char *mode_text(unsigned flags)
{
	if (flags & IORING_SETUP_SQPOLL)
		return "kernel submission thread";
	if (flags & IORING_SETUP_DEFER_TASKRUN)
		return "single issuer, deferred task work";
	if (flags & IORING_SETUP_COOP_TASKRUN)
		return "cooperative task work";
	return "plain ring";
}

/* Tries the modes from the best to the plainest, which every kernel supports. Returns the ring's
   descriptor, or -errno. */
static int setup_ring(const struct engine_ctx *ctx, bool poll, struct io_uring_params *p)
{
	const struct uring_opts *o = options(ctx);
	static const unsigned modes[] = { SINGLE_DEFER | IORING_SETUP_TASKRUN_FLAG, IORING_SETUP_COOP_TASKRUN,
					  0 };
	static const unsigned thread_modes[] = { IORING_SETUP_SINGLE_ISSUER, 0 };
	const unsigned *mode = o->sqthread_poll ? thread_modes : modes;
	int fd;

	do {
		memset(p, 0, sizeof(*p));
		p->flags = *mode;
		if (poll)
			p->flags |= IORING_SETUP_IOPOLL |
				    (o->hipri == HIPRI_HYBRID ? IORING_SETUP_HYBRID_IOPOLL : 0);
		if (is_passthrough(ctx))
			p->flags |= IORING_SETUP_SQE128 | IORING_SETUP_CQE32;
		if (o->sqthread_poll)
			p->flags |= IORING_SETUP_SQPOLL;
		if (o->sqthread_poll && o->sqthread_poll_cpu >= 0) {
			p->flags |= IORING_SETUP_SQ_AFF;
			p->sq_thread_cpu = (unsigned)o->sqthread_poll_cpu;
		}
		fd = io_uring_setup(ctx->depth, p);
	} while (fd == -EINVAL && *mode++);
	return fd;
}

/* What is set here io_uring_queue_mmap of liburing 2.9 leaves out. Those of 2.3 and 2.15 set it as well. */
static int map_ring(int fd, struct io_uring_params *p, struct io_uring *ring)
{
	int ret = io_uring_queue_mmap(fd, p, ring);

	if (ret)
		return ret;
	ring->flags = p->flags;
	ring->ring_fd = ring->enter_ring_fd = fd;
	for (unsigned i = 0; i < p->sq_entries; i++)
		ring->sq.array[i] = i;
	return 0;
}

static int create_ring(struct engine_ctx *ctx, struct uring_state *s, bool poll)
{
	struct io_uring_params p;
	int fd, ret;

	if (ctx->depth > ENTRIES_MAX)
		return diag_err(ctx->d, -EINVAL, "{iodepth=%u}: io_uring allows up to %u", ctx->depth,
				ENTRIES_MAX);
	fd = setup_ring(ctx, poll, &p);
	if (fd < 0)
		return setup_failed(ctx, fd);
	ret = map_ring(fd, &p, &s->ring);
	if (ret) {
		memset(&s->ring, 0, sizeof(s->ring));
		close(fd);
		return setup_failed(ctx, ret);
	}
	s->sqpoll = p.flags & IORING_SETUP_SQPOLL;
	s->iopoll = p.flags & IORING_SETUP_IOPOLL;
	s->big = p.flags & IORING_SETUP_SQE128;
	if (!(p.features & IORING_FEAT_EXT_ARG))
		return diag_err(ctx->d, -EOPNOTSUPP, "{ioengine=%s}: needs Linux 5.11 or later; %s",
				ctx->engine->name, other_way(ctx));
	if (io_uring_register_ring_fd(&s->ring) == 1)
		s->enter_flags = IORING_ENTER_REGISTERED_RING;
	snprintf(ctx->info, sizeof(ctx->info), "%s", mode_text(p.flags));
	return 0;
}

static void use_registered(struct uring_state *s, bool files)
{
	s->fixed_files = files;
	s->sqe_flags = files ? IOSQE_FIXED_FILE : 0;
}

static int register_all(struct engine_ctx *ctx, struct uring_state *s)
{
	int *fds = calloc(ctx->nfiles, sizeof(*fds)), ret;

	if (!fds)
		return -ENOMEM;
	for (unsigned i = 0; i < ctx->nfiles; i++) {
		assert(ctx->files[i].index == i);
		fds[i] = ctx->files[i].fd;
	}
	ret = io_uring_register_files(&s->ring, fds, ctx->nfiles);
	free(fds);
	use_registered(s, ret == 0);
	return ret;
}

static int register_files(struct engine_ctx *ctx, struct uring_state *s)
{
	int32_t setting = options(ctx)->registerfiles;
	int ret;

	if (setting == AUTOFLAG_ON && ctx->files_dynamic)
		return diag_err(ctx->d, -EINVAL,
				"{registerfiles=1}: files that are opened and closed while the job runs "
				"cannot be registered");
	if (setting == AUTOFLAG_OFF || ctx->files_dynamic || !ctx->nfiles)
		return 0;
	ret = register_all(ctx, s);
	if (ret == -ENOMEM)
		return diag_err(ctx->d, -ENOMEM, "{ioengine=%s}: out of memory", ctx->engine->name);
	if (ret && setting == AUTOFLAG_ON)
		return diag_err(ctx->d, ret, "{registerfiles=1}: the kernel refused to register %u files: %s",
				ctx->nfiles, diag_errno(ret));
	return 0;
}

/* Unregisters the files before a close, because registered files stay open in the kernel. If they cannot be
   registered again, the ring uses plain descriptors. */
void uring_reopen(struct engine_ctx *ctx, bool open)
{
	struct uring_state *s = ctx->state;

	if (!open && s->fixed_files) {
		io_uring_unregister_files(&s->ring);
		use_registered(s, false);
		s->reregister = true;
	} else if (open && s->reregister) {
		register_all(ctx, s);
	}
}

/* Registers one region if it fits: the kernel pins up to 1 GiB as one buffer. */
static int register_regions(struct engine_ctx *ctx, struct uring_state *s)
{
	size_t stride = ctx->bufs->stride, per = REGION_BYTES / stride;
	struct iovec *v;
	unsigned n;
	int ret;

	if (!per)
		return -EFBIG;
	s->per_region = per < ctx->depth ? (unsigned)per : ctx->depth;
	n = (ctx->depth + s->per_region - 1) / s->per_region;
	v = calloc(n, sizeof(*v));
	if (!v)
		return -ENOMEM;
	for (unsigned i = 0; i < n; i++) {
		unsigned first = i * s->per_region, left = ctx->depth - first;

		v[i].iov_base = ctx->bufs->base + first * stride;
		v[i].iov_len = (left < s->per_region ? left : s->per_region) * stride;
	}
	ret = io_uring_register_buffers(&s->ring, v, n);
	free(v);
	return ret;
}

/* Returns whether this user's locked memory is limited. CAP_IPC_LOCK counts only outside user namespaces. */
static bool lock_limit(uint64_t *bytes)
{
	struct __user_cap_header_struct head = { .version = _LINUX_CAPABILITY_VERSION_3 };
	struct __user_cap_data_struct data[_LINUX_CAPABILITY_U32S_3] = { 0 };
	struct rlimit lock;
	char map[64];

	if (getrlimit(RLIMIT_MEMLOCK, &lock) || lock.rlim_cur == RLIM_INFINITY)
		return false;
	*bytes = lock.rlim_cur;
	if (syscall(SYS_capget, &head, data) || !(data[0].effective & 1u << CAP_IPC_LOCK))
		return true;
	return sysfs_line(map, sizeof(map), "/proc/self/uid_map") || !strstr(map, "4294967295");
}

static int bufs_failed(struct engine_ctx *ctx, int ret)
{
	uint64_t limit;

	if (ret != -ENOMEM || !lock_limit(&limit))
		return diag_err(ctx->d, ret, "{fixedbufs=1}: the kernel refused to register the buffers: %s",
				diag_errno(ret));
	return diag_err(ctx->d, ret,
			"{fixedbufs=1}: no room to lock %zu KiB of buffers; all programs of this user "
			"together may lock %" PRIu64 " KiB (ulimit -l)",
			ctx->depth * ctx->bufs->stride / 1024, limit / 1024);
}

/* Returns whether the buffers take too much of the memory that may be locked. Newer kernels count rings as
   locked memory. A worker that registers buffers without a request of the user must leave room for the rings
   of many others. */
static bool exceeds_lock_share(const struct engine_ctx *ctx)
{
	uint64_t limit;

	return lock_limit(&limit) && ctx->depth * ctx->bufs->stride > limit / LOCK_SHARE;
}

static int register_bufs(struct engine_ctx *ctx, struct uring_state *s)
{
	const struct uring_opts *o = options(ctx);
	int ret;

	if (!ctx->bufs || o->fixedbufs == AUTOFLAG_OFF ||
	    (o->fixedbufs == AUTOFLAG_AUTO && o->nonvectored == 0))
		return 0;
	if (o->fixedbufs == AUTOFLAG_AUTO && exceeds_lock_share(ctx)) {
		s->bufs_err = -ENOMEM;
		return 0;
	}
	ret = register_regions(ctx, s);
	s->fixed_bufs = ret == 0;
	s->bufs_err = ret;
	return ret && o->fixedbufs == AUTOFLAG_ON ? bufs_failed(ctx, ret) : 0;
}

/* Chooses the opcodes of reads and writes. */
static int choose_opcodes(struct engine_ctx *ctx, struct uring_state *s)
{
	if (s->fixed_bufs) {
		s->opcode[IO_READ] = IORING_OP_READ_FIXED;
		s->opcode[IO_WRITE] = IORING_OP_WRITE_FIXED;
	} else if (options(ctx)->nonvectored == 0) {
		s->opcode[IO_READ] = IORING_OP_READV;
		s->opcode[IO_WRITE] = IORING_OP_WRITEV;
		s->iov = calloc(ctx->depth, sizeof(*s->iov));
		if (!s->iov)
			return diag_err(ctx->d, -ENOMEM, "{ioengine=%s}: out of memory", ctx->engine->name);
	} else {
		s->opcode[IO_READ] = IORING_OP_READ;
		s->opcode[IO_WRITE] = IORING_OP_WRITE;
	}
	return 0;
}

/* Tests whether a polled read of the first block gets past the file system; other errors are left to the
   run. Returns what polled_check() returns. */
static int probe_polled(struct engine_ctx *ctx, struct file *f, void *buf)
{
	struct uring_state *s = ctx->state;
	struct io io = { .file = f, .buf = buf, .len = PROBE_BYTES, .op = IO_READ }, *p = &io;
	int ret;

	s->ring.sq.sqes[0].user_data = (uintptr_t)p;
	ret = ctx->engine->submit(ctx, &p, 1);
	if (ret <= 0)
		return ret;
	do
		ret = ctx->engine->reap(ctx, &p, 1, 1, UINT64_MAX);
	while (ret == 0);
	if (ret < 0)
		return ret;
	return io.res == -EOPNOTSUPP;
}

/* Asks the kernel for a trim of 0 bytes. Returns its answer, -errno. */
static int trim_nothing(struct io_uring *ring, int fd)
{
	struct io_uring_sqe *sqe = io_uring_get_sqe(ring);
	struct io_uring_cqe *cqe;
	int ret;

	if (!sqe)
		return -EBUSY;
	memset(sqe, 0, sizeof(*sqe));
	sqe->opcode = IORING_OP_URING_CMD;
	sqe->fd = fd;
	sqe->off = BLOCK_URING_CMD_DISCARD;
	ret = io_uring_submit_and_wait(ring, 1);
	if (ret >= 0)
		ret = io_uring_peek_cqe(ring, &cqe);
	return ret < 0 ? ret : cqe->res;
}

bool uring_queues_trims(const void *opts, int fd)
{
	const struct uring_opts *o = opts;
	struct io_uring ring;
	struct io_uring_probe *probe;
	int ret = -EOPNOTSUPP;

	if (o && o->hipri != HIPRI_OFF) /* no device polls for the completion of a trim */
		return false;
	if (fd < 0)
		return true;
	if (io_uring_queue_init(1, &ring, 0))
		return false;
	probe = io_uring_get_probe_ring(&ring);
	if (probe && io_uring_opcode_supported(probe, IORING_OP_URING_CMD))
		ret = trim_nothing(&ring, fd);
	io_uring_free_probe(probe);
	io_uring_queue_exit(&ring);
	/* Kernels that know the command refuse the descriptor, which is not open for writing, or the length;
	   others refuse the command. */
	return ret == -EBADF || ret == -EINVAL;
}

static int check_polled_file(struct engine_ctx *ctx, struct file *f, void *buf)
{
	int ret = polled_check(ctx, f, options(ctx)->hipri == HIPRI_HYBRID ? "hybrid" : "1");

	return ret || f->fd < 0 || is_passthrough(ctx) ? ret : probe_polled(ctx, f, buf);
}

static int check_polled(struct engine_ctx *ctx, struct uring_state *s)
{
	void *buf = NULL;
	int ret = 0;

	if (!s->iopoll)
		return 0;
	if (posix_memalign(&buf, PROBE_BYTES, PROBE_BYTES))
		return diag_err(ctx->d, -ENOMEM, "{ioengine=%s}: out of memory", ctx->engine->name);
	s->opcode[IO_READ] = IORING_OP_READ;
	for (unsigned i = 0; i < ctx->nfiles && !ret; i++)
		ret = check_polled_file(ctx, &ctx->files[i], buf);
	free(buf);
	return ret;
}

/* Sets the fields of SQEs that never change; the engine writes the rest for each I/O. */
static void fill_once(struct engine_ctx *ctx, struct uring_state *s)
{
	s->queued_trims = ctx->queued_trims && !s->iopoll;
	s->placement = ctx->placement;
	s->more = s->queued_trims || s->placement || s->async_every || s->iov ||
		  s->rwf[IO_READ] & RWF_NOWAIT || (s->fixed_bufs && s->per_region < ctx->depth);
	for (unsigned i = 0; i < ctx->depth; i++)
		s->ring.sq.sqes[i << s->big].user_data = (uintptr_t)&ctx->ios[i];
}

/* Writes ctx->info, such as "registered files, buffers and ring; single issuer, deferred task work". */
static void write_info(struct engine_ctx *ctx, const struct uring_state *s)
{
	const char *name[3];
	struct strbuf b = { 0 };
	unsigned n = 0;

	if (s->fixed_files)
		name[n++] = "files";
	if (s->fixed_bufs)
		name[n++] = "buffers";
	if (s->enter_flags)
		name[n++] = "ring";
	for (unsigned i = 0; i < n; i++)
		strbuf_printf(&b, "%s%s", !i ? "registered " : i + 1 < n ? ", " : " and ", name[i]);
	strbuf_printf(&b, "%s%s", n ? "; " : "", ctx->info);
	if (s->iopoll)
		strbuf_printf(&b, ", polled completions%s",
			      options(ctx)->hipri == HIPRI_HYBRID ? " after a sleep (hybrid)" : "");
	else if (options(ctx)->hipri != HIPRI_OFF)
		strbuf_puts(&b, "; " POLLED_IMPOSSIBLE);
	if (s->bufs_err)
		strbuf_printf(&b, "; buffers not registered: %s",
			      s->bufs_err == -ENOMEM ? "little memory may be locked (ulimit -l)"
						     : diag_errno(s->bufs_err));
	snprintf(ctx->info, sizeof(ctx->info), "%s", strbuf_str(&b));
	strbuf_fini(&b);
}

/* Returns 0; 1 if the files cannot be polled; or -errno with ctx->d filled. */
static int open_ring(struct engine_ctx *ctx, struct uring_state *s, bool poll)
{
	int ret = create_ring(ctx, s, poll);

	ret = ret ? ret : register_files(ctx, s);
	return ret ? ret : check_polled(ctx, s);
}

static void close_ring(struct uring_state *s)
{
	if (s->ring.sq.sqes)
		io_uring_queue_exit(&s->ring);
	s->ring.sq.sqes = NULL;
	s->enter_flags = 0;
}

static int setup(struct engine_ctx *ctx, struct uring_state *s)
{
	const struct uring_opts *o = options(ctx);
	int ret;

	if (o->sqthread_poll_cpu >= 0 && !o->sqthread_poll)
		return diag_err(ctx->d, -EINVAL, "{sqthread_poll_cpu=%d}: needs {+sqthread_poll=1}",
				o->sqthread_poll_cpu);
	s->async_every = o->force_async;
	ret = open_ring(ctx, s, o->hipri != HIPRI_OFF);
	if (ret == 1) {
		close_ring(s);
		ret = open_ring(ctx, s, false);
	}
	ret = ret ? ret : register_bufs(ctx, s);
	ret = ret ? ret : choose_opcodes(ctx, s);
	if (!ret && o->uncached)
		ret = rwf_check(ctx, RWF_DONTCACHE, "uncached", RWF_NEEDS_DONTCACHE);
	if (!ret && o->nowait)
		ret = rwf_check(ctx, RWF_NOWAIT, "nowait", "RWF_NOWAIT");
	s->rwf[IO_READ] = (o->uncached ? RWF_DONTCACHE : 0) | (o->nowait ? RWF_NOWAIT : 0);
	s->rwf[IO_WRITE] = s->rwf[IO_READ] | ctx->write_rwf;
	if (ret)
		return ret;
	fill_once(ctx, s);
	write_info(ctx, s);
	return 0;
}

void uring_fini(struct engine_ctx *ctx)
{
	struct uring_state *s = ctx->state;

	close_ring(s);
	free(s->iov);
	done_queue_fini(&s->done);
}

int uring_init(struct engine_ctx *ctx)
{
	struct uring_state *s = ctx->state;
	int ret = done_queue_init(&s->done, ctx->depth);

	if (ret)
		diag_err(ctx->d, ret, "{ioengine=%s}: out of memory", ctx->engine->name);
	else
		ret = setup(ctx, s);
	if (ret)
		uring_fini(ctx);
	return ret;
}

const char *uring_needs_open_files(const void *opts)
{
	const struct uring_opts *o = opts;

	return o->registerfiles == AUTOFLAG_ON ? "registerfiles=1" : NULL;
}
