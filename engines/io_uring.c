/* io_uring: submission and completion through rings shared with the kernel. uring_setup.c creates the rings,
   and uring_loop.h has the loop. */
#include "engine_parts.h"
#include "engine.h"
#include "io.h"
#include "uring.h"
#include "uring_attributes.h"
#include "uring_loop.h"

/* ---- submit ---- */

/* Returns whether the ring can do an operation that moves no data; the others use the plain system call. */
static bool is_native(const struct uring_state *s, const struct io *io)
{
	return !s->iopoll && (io->op == IO_FSYNC || io->op == IO_FDATASYNC || io->op == IO_SYNC_FILE_RANGE);
}

static uint8_t sqe_flags(struct uring_state *s)
{
	uint8_t flags = s->sqe_flags;

	if (s->async_every && ++s->async_count == s->async_every) {
		flags |= IOSQE_ASYNC;
		s->async_count = 0;
	}
	return flags;
}

/* Fills the SQE of a read or write. user_data is already set, and so is buf_index if there is one region. */
static inline void fill_data(struct uring_state *s, struct io_uring_sqe *sqe, const struct io *io)
{
	sqe->opcode = s->opcode[io->op];
	sqe->flags = s->sqe_flags;
	sqe->ioprio = io->prio;
	sqe->off = io->offset;
	sqe->addr = (uintptr_t)io->buf;
	sqe->len = io->len;
	sqe->rw_flags = (int)(io->rwf | s->rwf[io->op]);
}

/* Fills the fields that only some jobs need. The write stream (Linux 6.16) is the first byte of a union that
   also has file_index; the header of Debian 12 lacks its name. Syncs and trims fail unless it is 0. */
static __attribute__((noinline)) void fill_more(struct uring_state *s, struct io_uring_sqe *sqe,
						struct io *io)
{
	io->rwf |= s->rwf[io->op] & RWF_NOWAIT; /* the core then treats EAGAIN as a result */
	sqe->flags = sqe_flags(s);
	sqe->addr3 = 0;
	if (s->placement)
		sqe->file_index = io->op == IO_WRITE && io->placed ? io->placement : 0;
	sqe->buf_index = (uint16_t)(s->fixed_bufs ? io->index / s->per_region : 0);
	if (s->iov) {
		s->iov[io->index] = (struct iovec){ io->buf, io->len };
		sqe->addr = (uintptr_t)&s->iov[io->index];
		sqe->len = 1;
	}
}

/* The command exists since Linux 6.12, for block devices only. */
static void fill_discard(struct io_uring_sqe *sqe, const struct io *io)
{
	sqe->opcode = IORING_OP_URING_CMD;
	sqe->off = BLOCK_URING_CMD_DISCARD; /* cmd_op, and padding that must be 0 */
	sqe->addr = io->offset;
	sqe->addr3 = io->len;
	sqe->len = 0;
}

static void fill_fallocate(struct io_uring_sqe *sqe, const struct io *io)
{
	sqe->opcode = IORING_OP_FALLOCATE;
	sqe->off = io->offset;
	sqe->addr = io->len;
	sqe->addr3 = 0;
	sqe->len = (uint32_t)file_trim_mode(io->file);
}

static void fill_trim(struct uring_state *s, struct io_uring_sqe *sqe, const struct io *io)
{
	if (io->file->type == TARGET_BLOCK && io->file->trim_kind == TRIM_DISCARD)
		fill_discard(sqe, io);
	else
		fill_fallocate(sqe, io);
	sqe->flags = s->sqe_flags;
	sqe->ioprio = 0;
	sqe->rw_flags = 0;
	sqe->buf_index = 0;
	sqe->file_index = 0;
}

static void fill_sync_sqe(struct uring_state *s, struct io_uring_sqe *sqe, const struct io *io)
{
	bool range = io->op == IO_SYNC_FILE_RANGE;

	sqe->opcode = range ? IORING_OP_SYNC_FILE_RANGE : IORING_OP_FSYNC;
	sqe->flags = s->sqe_flags;
	sqe->ioprio = 0;
	sqe->off = range ? io->offset : 0;
	sqe->addr = sqe->addr3 = 0;
	sqe->len = range ? io->len : 0;
	if (range)
		sqe->sync_range_flags = io->rwf;
	else
		sqe->fsync_flags = io->op == IO_FDATASYNC ? IORING_FSYNC_DATASYNC : 0;
	sqe->buf_index = 0;
	sqe->file_index = 0;
}

static bool fill_sqe(struct uring_state *s, struct io *io)
{
	struct io_uring_sqe *sqe = &s->ring.sq.sqes[io->index];

	if (io->op <= IO_WRITE) {
		fill_data(s, sqe, io);
		if (__builtin_expect(s->more, 0))
			fill_more(s, sqe, io);
	} else if (is_native(s, io)) {
		fill_sync_sqe(s, sqe, io);
	} else if (io->op == IO_TRIM && s->queued_trims) {
		fill_trim(s, sqe, io);
	} else {
		return false;
	}
	sqe->fd = s->fixed_files ? (int)io->file->index : io->file->fd;
	return true;
}

static void take_result(struct uring_state *s, struct io *io, const struct io_uring_cqe *cqe)
{
	(void)s;
	io->res = cqe->res;
}

/* Does what fill_sqe does, for a job that transfers metadata. */
static bool fill_with_metadata(struct uring_state *s, struct io *io)
{
	if (!fill_sqe(s, io))
		return false;
	uring_attributes_fill(s->attributes, &s->ring.sq.sqes[io->index], io);
	return true;
}

static void take_with_metadata(struct uring_state *s, struct io *io, const struct io_uring_cqe *cqe)
{
	take_result(s, io, cqe);
	uring_attributes_take(s->attributes, io);
}

static const struct uring_kind kind = { .fill = fill_sqe, .other = syscall_io, .complete = take_result };
static const struct uring_kind kind_with_metadata = {
	.fill = fill_with_metadata,
	.other = syscall_io,
	.complete = take_with_metadata,
};

static bool has_metadata(const struct engine_ctx *ctx)
{
	return __builtin_expect(((const struct uring_state *)ctx->state)->attributes != NULL, 0);
}

static int uring_submit(struct engine_ctx *ctx, struct io **ios, unsigned n)
{
	if (has_metadata(ctx))
		return uring_loop_submit(ctx, ios, n, &kind_with_metadata);
	return uring_loop_submit(ctx, ios, n, &kind);
}

/* ---- reap ---- */

/* The kernel returns 0 for a trim; fiord's core expects its bytes, as of other I/Os. */
static void set_trimmed_bytes(struct io *const *ios, unsigned n)
{
	for (unsigned i = 0; i < n; i++)
		if (ios[i]->op == IO_TRIM && !ios[i]->res)
			ios[i]->res = ios[i]->len;
}

static int uring_reap(struct engine_ctx *ctx, struct io **out, unsigned min, unsigned max,
		      uint64_t timeout_ns)
{
	struct uring_state *s = ctx->state;
	int n = has_metadata(ctx) ? uring_loop_reap(ctx, out, min, max, timeout_ns, &kind_with_metadata)
				  : uring_loop_reap(ctx, out, min, max, timeout_ns, &kind);

	if (__builtin_expect(s->queued_trims, 0) && n > 0)
		set_trimmed_bytes(out, (unsigned)n);
	return n;
}

/* ---- start and end ---- */

static void uring_end(struct engine_ctx *ctx)
{
	struct uring_state *s = ctx->state;

	uring_fini(ctx);
	uring_attributes_free(s->attributes);
	s->attributes = NULL;
}

static int uring_start(struct engine_ctx *ctx)
{
	struct uring_state *s = ctx->state;
	int ret = uring_attributes_new(&s->attributes, ctx);

	ret = ret ? diag_err(ctx->d, ret, "{ioengine=io_uring}: out of memory") : uring_init(ctx);
	if (ret)
		uring_end(ctx);
	return ret;
}

/* clang-format off */
#define OPT_STRUCT struct uring_opts
#define PASSTHROUGH(n) { .name = n, .status = OPT_REFUSED, .group = "io_uring", .why = PASSTHROUGH_WHY }
#define PASSTHROUGH_WHY "belongs to NVMe passthrough, which is ioengine=io_uring_cmd on /dev/ngXnY"
static const struct opt_row uring_rows[] = {
	URING_ROWS("io_uring"),
	{ .name = "nonvectored", OPT_I32(nonvectored), .def = "-1", OPT_RANGE(URING_MINUS_1, 1),
	  .group = "io_uring", .help = "1: plain reads and writes, 0: vectored ones, -1: whichever suits the "
		  "kernel" },
	{ .name = "uncached", OPT_FLAG(uncached), .group = "io_uring",
	  .help = "Buffered I/O that leaves no pages in the page cache (RWF_DONTCACHE)" },
	{ .name = "nowait", OPT_BOOL(nowait), .group = "io_uring",
	  .help = "Ask the kernel not to wait (RWF_NOWAIT); an I/O that would block fails with EAGAIN" },
	CMDPRIO_ROWS(cmdprio, "io_uring"),
	PROTECTION_ROWS("io_uring"),
	PASSTHROUGH("readfua"),
	PASSTHROUGH("writefua"),
	PASSTHROUGH("write_mode"),
	PASSTHROUGH("verify_mode"),
	PASSTHROUGH("cmd_type"),
	PASSTHROUGH("cdb_len"),
	PASSTHROUGH("verify_bytchk"),
	PASSTHROUGH("read_mode"),
	PASSTHROUGH("deac"),
	{ .name = NULL },
};
/* clang-format on */
static const struct opt_table uring_table = { uring_rows, sizeof(struct uring_opts) };

const struct engine engine_io_uring = {
	.name = "io_uring",
	.caps = ENG_RWF | ENG_PLUGS | ENG_RING | ENG_QUEUES_FALLOCATE | ENG_STREAMS,
	.help = "Linux asynchronous I/O through shared rings",
	.state_size = sizeof(struct uring_state),
	.opts = &uring_table,
	.opts_size = sizeof(struct uring_opts),
	.cmdprio = 1 + offsetof(struct uring_opts, cmdprio),
	.init = uring_start,
	.submit = uring_submit,
	.reap = uring_reap,
	.fini = uring_end,
	.reopen = uring_reopen,
	.needs_open_files = uring_needs_open_files,
	.queues_trims = uring_queues_trims,
	.wants_metadata = uring_attributes_wanted,
	.refuse_namespace = uring_attributes_refuse,
};
