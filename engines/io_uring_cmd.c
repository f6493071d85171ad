/* io_uring_cmd: sends commands to NVMe namespaces through the rings of io_uring, past the block layer. The
   target is the character device of the namespace, /dev/ng0n1. nvme_command.h encodes the commands,
   uring_setup.c creates the rings, and uring_loop.h has the loop. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "engine.h"
#include "engine_parts.h"
#include "io.h"
#include "nvme_command.h"
#include "nvme_metadata.h"
#include "strbuf.h"
#include "uring.h"
#include "uring_loop.h"

/* The header of Debian 12 has it; those of older systems do not. */
#ifndef IORING_URING_CMD_FIXED
#define IORING_URING_CMD_FIXED 1u
#endif

struct passthrough {
	struct nvme_command command[2]; /* for reads and writes */
	struct nvme_dsm_range *range;   /* of trims: those of io->index begin at index * max_ranges */
	unsigned max_ranges;
	struct nvme_metadata *metadata; /* NULL: none are transferred */
};

static const struct passthrough_opts *command_options(const struct engine_ctx *ctx)
{
	static const struct uring_opts defaults = {
		.cmd = { .pi_act = true, .apptag = 0x1234, .apptag_mask = 0xffff }
	};
	const struct uring_opts *o = ctx->opts ? ctx->opts : &defaults;

	return &o->cmd;
}

/* ---- commands ---- */

static void fill_transfer(struct uring_state *s, struct io_uring_sqe *sqe, const struct io *io)
{
	const struct nvme_command *command = &s->cmd->command[io->op];
	uint64_t offset = io->offset;

	if (__builtin_expect(command->append, 0))
		offset -= offset % io->file->zone_bytes;
	nvme_command_data((struct nvme_uring_cmd *)(void *)sqe->cmd, command, io->file->nvme, offset, io->len,
			  io->buf);
	sqe->uring_cmd_flags = s->fixed_bufs && !command->no_data ? IORING_URING_CMD_FIXED : 0;
	sqe->buf_index = (uint16_t)(s->fixed_bufs ? io->index / s->per_region : 0);
}

static void fill_trim(const struct passthrough *p, struct nvme_uring_cmd *c, const struct io *io)
{
	const struct io_range one = { io->offset, io->len };

	nvme_command_trim(c, io->file->nvme, io->nranges ? io->buf : &one, io->nranges ? io->nranges : 1,
			  &p->range[(size_t)io->index * p->max_ranges]);
}

/* Fills an SQE whose command has no data, or data of its own. */
static void fill_trim_or_flush(struct uring_state *s, struct io_uring_sqe *sqe, const struct io *io)
{
	struct nvme_uring_cmd *c = (struct nvme_uring_cmd *)(void *)sqe->cmd;

	if (io->op == IO_TRIM && io->file->zone_bytes)
		nvme_command_reset_zone(c, io->file->nvme, io->offset);
	else if (io->op == IO_TRIM)
		fill_trim(s->cmd, c, io);
	else
		nvme_command_flush(c, io->file->nvme);
	sqe->uring_cmd_flags = 0;
	sqe->buf_index = 0;
}

static bool fill_command(struct uring_state *s, struct io *io)
{
	struct io_uring_sqe *sqe = &s->ring.sq.sqes[(size_t)io->index << 1];

	if (io->op <= IO_WRITE)
		fill_transfer(s, sqe, io);
	else if (io->op == IO_TRIM || io->op == IO_FSYNC || io->op == IO_FDATASYNC)
		fill_trim_or_flush(s, sqe, io);
	else
		return false;
	sqe->opcode = IORING_OP_URING_CMD;
	sqe->flags = s->sqe_flags;
	sqe->off = NVME_URING_CMD_IO; /* cmd_op, and padding that must be 0 */
	sqe->fd = s->fixed_files ? (int)io->file->index : io->file->fd;
	return true;
}

/* Sets the placement id of a write. Other commands have none in the same field. */
static void fill_placement(struct nvme_uring_cmd *c, const struct io *io)
{
	bool placed = io->op == IO_WRITE && io->placed;

	c->cdw12 |= placed ? NVME_DTYPE_PLACEMENT : 0;
	c->cdw13 = placed ? (uint32_t)io->placement << NVME_DSPEC_SHIFT : 0;
}

/* Does what fill_command does, for a job in which some namespace transfers metadata, or writes have placement
   ids. */
static bool fill_more(struct uring_state *s, struct io *io)
{
	struct io_uring_sqe *sqe = &s->ring.sq.sqes[(size_t)io->index << 1];
	struct nvme_uring_cmd *c = (struct nvme_uring_cmd *)(void *)sqe->cmd;

	if (!fill_command(s, io))
		return false;
	c->metadata = 0;
	c->metadata_len = 0;
	if (s->placement)
		fill_placement(c, io);
	if (s->cmd->metadata && io->op <= IO_WRITE && !s->cmd->command[io->op].no_data &&
	    !nvme_metadata_add(s->cmd->metadata, io, c))
		sqe->uring_cmd_flags = 0;
	return true;
}

static int64_t unsupported(struct io *io)
{
	io->reason = NULL;
	io->nvme_status = 0;
	return -EOPNOTSUPP;
}

/* Returns what the kernel does for users of the block device. A positive result is the status of the device.
 */
static __attribute__((noinline)) void complete_failed(struct io *io, int32_t res)
{
	io->reason = NULL;
	io->nvme_status = res > 0 ? (uint16_t)res : 0;
	io->res = res > 0 ? -nvme_status_errno(io->nvme_status) : res;
}

/* The device says at which block it has put an append. */
static void complete_append(struct io *io, uint64_t block)
{
	uint64_t offset = block << io->file->nvme->lba_shift, zone = io->file->zone_bytes;

	if (offset / zone == io->offset / zone) {
		io->offset = offset;
		return;
	}
	io->reason = "the device has returned a block address outside of the zone";
	io->res = -EIO;
}

static void complete_command(struct uring_state *s, struct io *io, const struct io_uring_cqe *cqe)
{
	io->res = io->op <= IO_TRIM ? io->len : 0;
	if (__builtin_expect(cqe->res != 0, 0))
		complete_failed(io, cqe->res);
	else if (io->op == IO_WRITE && __builtin_expect(s->cmd->command[IO_WRITE].append, 0))
		complete_append(io, cqe->big_cqe[0]);
}

static void complete_more(struct uring_state *s, struct io *io, const struct io_uring_cqe *cqe)
{
	complete_command(s, io, cqe);
	if (s->cmd->metadata && io->op == IO_READ && io->res > 0)
		nvme_metadata_take(s->cmd->metadata, io);
}

static const struct uring_kind kind = {
	.big = 1, .fill = fill_command, .other = unsupported, .complete = complete_command
};
static const struct uring_kind kind_more = {
	.big = 1, .fill = fill_more, .other = unsupported, .complete = complete_more
};

static bool needs_more(const struct engine_ctx *ctx)
{
	const struct uring_state *s = ctx->state;

	return s->cmd->metadata || s->placement;
}

static int cmd_submit(struct engine_ctx *ctx, struct io **ios, unsigned n)
{
	if (needs_more(ctx))
		return uring_loop_submit(ctx, ios, n, &kind_more);
	return uring_loop_submit(ctx, ios, n, &kind);
}

static int cmd_reap(struct engine_ctx *ctx, struct io **out, unsigned min, unsigned max, uint64_t timeout_ns)
{
	if (needs_more(ctx))
		return uring_loop_reap(ctx, out, min, max, timeout_ns, &kind_more);
	return uring_loop_reap(ctx, out, min, max, timeout_ns, &kind);
}

/* ---- start and end ---- */

/* With pi_act=1 the controller inserts protection information into what is written, and strips it from what
   is read. The command Write Uncorrectable has no such fields, and Verify only checks. Write Zeroes sends no
   data, so only the controller can make the information. */
static void set_protection(struct nvme_command *c, const struct passthrough_opts *o)
{
	bool makes = c->opcode == NVME_WRITE_ZEROES || (o->pi_act && c->opcode != NVME_VERIFY);

	if (c->opcode == NVME_WRITE_UNCORRECTABLE)
		return;
	c->protection = (o->pi_chk_by == PI_CHK_BY_HOST ? 0 : o->pi_chk) | (makes ? NVME_PRACT : 0);
	c->tags = o->apptag_mask << 16 | o->apptag;
}

static void choose_commands(struct passthrough *p, const struct passthrough_opts *o)
{
	static const uint8_t opcode[] = {
		[WRITE_MODE_WRITE] = NVME_WRITE,
		[WRITE_MODE_UNCOR] = NVME_WRITE_UNCORRECTABLE,
		[WRITE_MODE_ZEROES] = NVME_WRITE_ZEROES,
		[WRITE_MODE_VERIFY] = NVME_VERIFY,
		[WRITE_MODE_ZONE_APPEND] = NVME_ZONE_APPEND,
	};
	struct nvme_command *write = &p->command[IO_WRITE];

	p->command[IO_READ] =
		(struct nvme_command){ .opcode = NVME_READ, .cdw12 = o->readfua ? NVME_FUA : 0 };
	write->opcode = opcode[o->write_mode];
	write->append = o->write_mode == WRITE_MODE_ZONE_APPEND;
	write->no_data = o->write_mode != WRITE_MODE_WRITE && !write->append;
	write->cdw12 = o->writefua ? NVME_FUA : 0;
	if (o->write_mode == WRITE_MODE_ZEROES && o->deac)
		write->cdw12 |= NVME_DEAC;
	for (unsigned i = 0; i < 2; i++)
		set_protection(&p->command[i], o);
}

static void cmd_fini(struct engine_ctx *ctx)
{
	struct uring_state *s = ctx->state;

	uring_fini(ctx);
	if (s->cmd) {
		free(s->cmd->range);
		nvme_metadata_free(s->cmd->metadata);
	}
	free(s->cmd);
	s->cmd = NULL;
}

/* Returns how many ranges a trim of the job can have: they fit into a buffer. */
static unsigned most_ranges(const struct engine_ctx *ctx)
{
	size_t n = ctx->bufs ? ctx->bufs->stride / sizeof(struct io_range) : 1;

	return n < 1 ? 1 : n > NVME_DSM_RANGES_MAX ? NVME_DSM_RANGES_MAX : (unsigned)n;
}

static struct passthrough *passthrough_new(const struct engine_ctx *ctx)
{
	struct passthrough *p = calloc(1, sizeof(*p));

	if (!p)
		return NULL;
	p->max_ranges = most_ranges(ctx);
	p->range = calloc((size_t)ctx->depth * p->max_ranges, sizeof(*p->range));
	return p;
}

static int cmd_init(struct engine_ctx *ctx)
{
	struct uring_state *s = ctx->state;
	int ret;

	s->cmd = passthrough_new(ctx);
	if (!s->cmd || !s->cmd->range || nvme_metadata_new(&s->cmd->metadata, ctx, command_options(ctx))) {
		ret = diag_err(ctx->d, -ENOMEM, "{ioengine=io_uring_cmd}: out of memory");
	} else {
		choose_commands(s->cmd, command_options(ctx));
		ret = uring_init(ctx);
	}
	if (ret)
		cmd_fini(ctx);
	return ret;
}

/* ---- options ---- */

static bool queues_trims(const void *opts, int fd)
{
	(void)opts;
	(void)fd;
	return true;
}

static const char *refuse_namespace(const void *opts, const struct nvme_ns *ns, const char *path,
				    uint32_t bytes, struct strbuf *why)
{
	return nvme_metadata_refuse(opts, ns, path, bytes, why);
}

/* clang-format off */
#define OPT_STRUCT struct uring_opts
#define GROUP      .group = "io_uring_cmd"
#define UNSUPPORTED(n, reason) { .name = n, .status = OPT_REFUSED, GROUP, .why = reason }
#define BSG_WHY    "is for the SCSI commands of cmd_type=bsg; fiord sends SCSI commands with ioengine=sg"
#define PRIO_WHY   "NVMe commands carry no priority of the kernel"
#define REFUSE(word, reason) { word, CHOICE_REFUSED, NULL, reason }
static const struct opt_row cmd_rows[] = {
	{ .name = "cmd_type", OPT_FIXED(CHOICE("nvme", 0, "NVMe commands, to /dev/ngXnY"), REFUSE("bsg", "fiord sends SCSI commands with ioengine=sg")),
	  .def = "nvme", GROUP, .help = "Kind of the commands" },
	URING_ROWS("io_uring_cmd"),
	{ .name = "readfua", OPT_BOOL(cmd.readfua), GROUP,
	  .help = "Read from the medium, not from the cache of the device (FUA)" },
	{ .name = "writefua", OPT_BOOL(cmd.writefua), GROUP,
	  .help = "Complete writes when they are on the medium (FUA)" },
	{ .name = "write_mode", OPT_ENUM(cmd.write_mode,
		CHOICE("write", WRITE_MODE_WRITE, "Write"),
		CHOICE("uncor", WRITE_MODE_UNCOR, "Write Uncorrectable: reads of the blocks fail afterwards"),
		CHOICE("zeroes", WRITE_MODE_ZEROES, "Write Zeroes"),
		CHOICE("verify", WRITE_MODE_VERIFY, "Verify: the device reads the blocks and checks them"),
		CHOICE("zone_append", WRITE_MODE_ZONE_APPEND, "Zone Append: the device chooses the place in the zone (needs zonemode=zbd)")),
	  .def = "write", GROUP, .help = "Command that carries a write" },
	{ .name = "deac", OPT_BOOL(cmd.deac), GROUP, .help = "write_mode=zeroes: also deallocate the blocks" },
	UNSUPPORTED("nonvectored", "passthrough sends plain commands, as with nonvectored=1 in fio"),
	UNSUPPORTED("uncached", "passthrough has no page cache"),
	UNSUPPORTED("nowait", "passthrough has no flag that keeps the kernel from waiting"),
	UNSUPPORTED("verify_mode", "verification reads the blocks; Compare is not included"),
	UNSUPPORTED("cdb_len", BSG_WHY),
	UNSUPPORTED("verify_bytchk", BSG_WHY),
	UNSUPPORTED("read_mode", BSG_WHY),
	UNSUPPORTED("cmdprio_percentage", PRIO_WHY),
	UNSUPPORTED("cmdprio_class", PRIO_WHY),
	UNSUPPORTED("cmdprio_hint", PRIO_WHY),
	UNSUPPORTED("cmdprio", PRIO_WHY),
	UNSUPPORTED("cmdprio_bssplit", PRIO_WHY),
	PROTECTION_ROWS("io_uring_cmd"),
	{ .name = NULL },
};
/* clang-format on */
static const struct opt_table cmd_table = { cmd_rows, sizeof(struct uring_opts) };

const struct engine engine_io_uring_cmd = {
	.name = "io_uring_cmd",
	.caps = ENG_PASSTHROUGH | ENG_RING,
	.help = "NVMe commands through io_uring, past the block layer (/dev/ngXnY)",
	.state_size = sizeof(struct uring_state),
	.opts = &cmd_table,
	.opts_size = sizeof(struct uring_opts),
	.init = cmd_init,
	.submit = cmd_submit,
	.reap = cmd_reap,
	.fini = cmd_fini,
	.reopen = uring_reopen,
	.needs_open_files = uring_needs_open_files,
	.queues_trims = queues_trims,
	.refuse_namespace = refuse_namespace,
};
