/* sg: sends SCSI commands to a disk, past the block layer. On the character device /dev/sgN a command is
   written to the driver and its outcome is read, so several are in flight; on the block device /dev/sdX the
   ioctl SG_IO sends one command at a time. scsi_command.h encodes the commands. */
#include <errno.h>
#include <poll.h>
#include <scsi/sg.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>
#include "clock.h"
#include "engine.h"
#include "engine_parts.h"
#include "io.h"
#include "scsi_command.h"

enum sg_write_mode {
	SG_WRITE,
	SG_WRITE_AND_VERIFY,
	SG_WRITE_SAME,
	SG_WRITE_SAME_NDOB,
	SG_VERIFY_00,
	SG_VERIFY_01,
	SG_VERIFY_11,
};

struct sg_opts {
	bool readfua, writefua;
	enum sg_write_mode write_mode;
};

/* The command of an I/O. */
struct sg_slot {
	uint8_t command[SCSI_COMMAND_BYTES];
	uint8_t list[SCSI_UNMAP_BYTES];
	uint8_t sense[64];
	struct io *io; /* in the driver; else NULL */
};

struct sg_state {
	struct scsi_command command[2]; /* for reads and writes */
	struct sg_slot *slots;          /* by io->index; owned */
	struct pollfd *polls;           /* room for each file; owned */
	unsigned *in_driver;            /* commands by file->index; owned */
	unsigned pending;               /* their sum */
	struct done_queue done;         /* I/Os completed inside submit */
};

/* ---- commands ---- */

static void fill_blocks(struct sg_io_hdr *h, const struct scsi_command *kind, const struct io *io)
{
	const struct scsi_disk *disk = io->file->scsi;
	unsigned shift = disk->lba_shift;

	h->cmd_len = scsi_command_blocks(h->cmdp, kind, io->offset >> shift, io->len >> shift,
					 disk->long_commands);
	if (kind->data == SCSI_DATA_NONE)
		return;
	h->dxferp = io->buf;
	h->dxfer_len = kind->data == SCSI_DATA_ALL ? io->len : 1u << shift;
	h->dxfer_direction = io->op == IO_READ ? SG_DXFER_FROM_DEV : SG_DXFER_TO_DEV;
}

/* Returns false if the operation has no command. */
static bool fill(const struct sg_state *s, struct sg_io_hdr *h, struct io *io)
{
	struct sg_slot *slot = &s->slots[io->index];
	unsigned shift = io->file->scsi->lba_shift;

	*h = (struct sg_io_hdr){ .interface_id = 'S',
				 .dxfer_direction = SG_DXFER_NONE,
				 .cmdp = slot->command,
				 .sbp = slot->sense,
				 .mx_sb_len = sizeof(slot->sense),
				 .timeout = SCSI_TIMEOUT_MS,
				 .pack_id = io->index,
				 .usr_ptr = io };
	if (io->op <= IO_WRITE) {
		fill_blocks(h, &s->command[io->op], io);
	} else if (io->op == IO_TRIM) {
		h->cmd_len = scsi_command_unmap(h->cmdp, slot->list, io->offset >> shift, io->len >> shift);
		h->dxferp = slot->list;
		h->dxfer_len = sizeof(slot->list);
		h->dxfer_direction = SG_DXFER_TO_DEV;
	} else if (io->op == IO_FSYNC || io->op == IO_FDATASYNC) {
		h->cmd_len = scsi_command_flush(h->cmdp, io->file->scsi->long_commands);
	} else {
		return false;
	}
	return true;
}

/* Returns the bytes of a command that moved all of its data, or whole blocks of them. */
static int64_t bytes_moved(const struct sg_state *s, const struct sg_io_hdr *h, const struct io *io)
{
	uint32_t block = 1u << io->file->scsi->lba_shift;

	if (io->op > IO_TRIM)
		return 0;
	if (io->op == IO_TRIM || s->command[io->op].data != SCSI_DATA_ALL || h->resid <= 0)
		return io->len;
	return (uint32_t)h->resid > io->len ? 0 : (io->len - (uint32_t)h->resid) & ~(block - 1);
}

static int64_t outcome(const struct sg_state *s, const struct sg_io_hdr *h, struct io *io)
{
	if (scsi_status_read(&io->scsi, h))
		return -scsi_status_errno(&io->scsi);
	return bytes_moved(s, h, io);
}

static int64_t failed(struct io *io, int err)
{
	io->scsi = (struct scsi_status){ 0 };
	return err;
}

/* A trim of a zoned disk resets a zone, by an ioctl of the block device: the kernel must know of it. */
static int64_t reset_zone(struct io *io)
{
	io->scsi = (struct scsi_status){ 0 };
	return syscall_io(io);
}

/* Sends one command and waits for it. */
static int64_t sg_do_one(struct engine_ctx *ctx, struct io *io)
{
	const struct sg_state *s = ctx->state;
	struct sg_io_hdr h;
	int ret;

	if (io->op == IO_TRIM && io->file->zone_bytes)
		return reset_zone(io);
	if (!fill(s, &h, io))
		return failed(io, -EOPNOTSUPP);
	do
		ret = ioctl(io->file->fd, SG_IO, &h);
	while (ret && errno == EINTR);
	return ret ? failed(io, -errno) : outcome(s, &h, io);
}

/* ---- several commands in flight ---- */

/* Hands a command to the driver. Returns false if it takes no more now: it holds SG_MAX_QUEUE commands of an
   open file. */
static bool queue(struct sg_state *s, struct io *io)
{
	struct sg_io_hdr h;
	ssize_t n;

	if (!fill(s, &h, io)) {
		done_queue_push(&s->done, io, failed(io, -EOPNOTSUPP));
		return true;
	}
	do
		n = write(io->file->fd, &h, sizeof(h));
	while (n < 0 && errno == EINTR);
	if (n < 0 && errno == EDOM && s->pending)
		return false;
	if (n < 0) {
		done_queue_push(&s->done, io, failed(io, -errno));
		return true;
	}
	s->slots[io->index].io = io;
	s->in_driver[io->file->index]++;
	s->pending++;
	return true;
}

static int sg_submit(struct engine_ctx *ctx, struct io **ios, unsigned n)
{
	struct sg_state *s = ctx->state;

	for (unsigned i = 0; i < n; i++) {
		if (ctx->depth == 1 || ios[i]->file->type != TARGET_CHAR)
			done_queue_push(&s->done, ios[i], sg_do_one(ctx, ios[i]));
		else if (!queue(s, ios[i]))
			return (int)i;
	}
	return (int)n;
}

static void leave_driver(struct sg_state *s, struct io *io)
{
	s->slots[io->index].io = NULL;
	s->in_driver[io->file->index]--;
	s->pending--;
}

/* The disk is gone: fails the commands that the driver held. */
static void fail_all(struct sg_state *s, unsigned depth, const struct file *f, int err)
{
	for (unsigned i = 0; i < depth; i++) {
		struct io *io = s->slots[i].io;

		if (!io || io->file != f)
			continue;
		leave_driver(s, io);
		done_queue_push(&s->done, io, failed(io, err));
	}
}

/* Takes a completed command of the file. Returns it, or NULL if there was none. */
static struct io *take_completed(struct engine_ctx *ctx, const struct file *f)
{
	struct sg_state *s = ctx->state;
	struct sg_io_hdr h = { .interface_id = 'S' };
	struct io *io;

	if (read(f->fd, &h, sizeof(h)) < 0) {
		if (errno != EINTR && errno != EAGAIN)
			fail_all(s, ctx->depth, f, -errno);
		return NULL;
	}
	io = h.usr_ptr;
	leave_driver(s, io);
	io->res = outcome(s, &h, io);
	return io;
}

/* Waits until a file has a completed command. Returns how many have, or -errno. */
static int wait_for_files(struct engine_ctx *ctx, unsigned *nfiles, uint64_t timeout_ns)
{
	struct sg_state *s = ctx->state;
	struct timespec ts = { (time_t)(timeout_ns / 1000000000), (long)(timeout_ns % 1000000000) };
	int ret;

	*nfiles = 0;
	for (unsigned i = 0; i < ctx->nfiles; i++)
		if (s->in_driver[i])
			s->polls[(*nfiles)++] = (struct pollfd){ .fd = ctx->files[i].fd, .events = POLLIN };
	ret = ppoll(s->polls, *nfiles, timeout_ns == UINT64_MAX ? NULL : &ts, NULL);
	return ret < 0 ? -errno : ret;
}

/* Takes at most one command from each file that is ready. Returns how many. */
static unsigned take_ready(struct engine_ctx *ctx, struct io **out, unsigned max, unsigned npolls)
{
	struct sg_state *s = ctx->state;
	unsigned n = 0, at = 0;

	for (unsigned i = 0; i < ctx->nfiles && at < npolls && n < max; i++) {
		if (s->polls[at].fd != ctx->files[i].fd)
			continue;
		if (s->polls[at++].revents && (out[n] = take_completed(ctx, &ctx->files[i])))
			n++;
	}
	return n + done_queue_pop(&s->done, out + n, max - n);
}

static int sg_reap(struct engine_ctx *ctx, struct io **out, unsigned min, unsigned max, uint64_t timeout_ns)
{
	struct sg_state *s = ctx->state;
	bool timed = timeout_ns && timeout_ns != UINT64_MAX;
	uint64_t end = timed ? clock_ns() + timeout_ns : 0;
	unsigned npolls, n = done_queue_pop(&s->done, out, max);

	while (n < max && s->pending) {
		uint64_t now = timed ? clock_ns() : 0;
		bool waits = n < min && timeout_ns && !(timed && now >= end);
		int ret = wait_for_files(ctx, &npolls, !waits ? 0 : timed ? end - now : UINT64_MAX);

		ctx->waits += waits;
		if (ret == -EINTR || !ret)
			break;
		if (ret < 0)
			return n ? (int)n : diag_err(ctx->d, ret, "{ioengine=sg}: poll: %s", diag_errno(ret));
		n += take_ready(ctx, out + n, max - n, npolls);
	}
	return (int)n;
}

/* ---- start and end ---- */

static void choose_commands(struct sg_state *s, const struct sg_opts *o)
{
	static const struct scsi_command writes[] = {
		[SG_WRITE] = { SCSI_WRITE, 0, SCSI_DATA_ALL },
		[SG_WRITE_AND_VERIFY] = { SCSI_WRITE_AND_VERIFY, 0, SCSI_DATA_ALL },
		[SG_WRITE_SAME] = { SCSI_WRITE_SAME, 0, SCSI_DATA_ONE_BLOCK },
		[SG_WRITE_SAME_NDOB] = { SCSI_WRITE_SAME_16, SCSI_NDOB, SCSI_DATA_NONE },
		[SG_VERIFY_00] = { SCSI_VERIFY, 0, SCSI_DATA_NONE },
		[SG_VERIFY_01] = { SCSI_VERIFY, SCSI_BYTCHK_ALL, SCSI_DATA_ALL },
		[SG_VERIFY_11] = { SCSI_VERIFY, SCSI_BYTCHK_ONE, SCSI_DATA_ONE_BLOCK },
	};

	s->command[IO_READ] = (struct scsi_command){ SCSI_READ, o->readfua ? SCSI_FUA : 0, SCSI_DATA_ALL };
	s->command[IO_WRITE] = writes[o->write_mode];
	if (o->writefua && o->write_mode == SG_WRITE)
		s->command[IO_WRITE].flags = SCSI_FUA;
}

static void sg_fini(struct engine_ctx *ctx)
{
	struct sg_state *s = ctx->state;

	free(s->slots);
	free(s->polls);
	free(s->in_driver);
	done_queue_fini(&s->done);
}

static int sg_init(struct engine_ctx *ctx)
{
	static const struct sg_opts defaults = { .write_mode = SG_WRITE };
	struct sg_state *s = ctx->state;

	s->slots = calloc(ctx->depth, sizeof(*s->slots));
	s->polls = calloc(ctx->nfiles + 1, sizeof(*s->polls));
	s->in_driver = calloc(ctx->nfiles + 1, sizeof(*s->in_driver));
	if (done_queue_init(&s->done, ctx->depth) || !s->slots || !s->polls || !s->in_driver) {
		sg_fini(ctx);
		return diag_err(ctx->d, -ENOMEM, "{ioengine=sg}: out of memory");
	}
	choose_commands(s, ctx->opts ? ctx->opts : &defaults);
	return 0;
}

static bool queues_trims(const void *opts, int fd)
{
	(void)opts;
	(void)fd;
	return true;
}

/* clang-format off */
#define OPT_STRUCT struct sg_opts
#define GROUP      .group = "sg"
#define CHOICE(word, value, text) { word, value, text, NULL }
static const struct opt_row rows[] = {
	{ .name = "hipri", .type = &opt_type_string, .bare = true, .status = OPT_NOTED, GROUP,
	  .why = "has no effect: the sg driver of Linux does not poll for completions",
	  .help = "Poll for completions" },
	{ .name = "readfua", OPT_BOOL(readfua), GROUP,
	  .help = "Read from the medium, not from the cache of the device (FUA)" },
	{ .name = "writefua", OPT_BOOL(writefua), GROUP,
	  .help = "Complete writes when they are on the medium (FUA)" },
	{ .name = "sg_write_mode", OPT_ENUM(write_mode,
		CHOICE("write", SG_WRITE, "WRITE"),
		CHOICE("write_and_verify", SG_WRITE_AND_VERIFY, "WRITE AND VERIFY: the disk reads the blocks again after it wrote them"),
		CHOICE("verify", SG_WRITE_AND_VERIFY, "The old name of write_and_verify"),
		CHOICE("write_same", SG_WRITE_SAME, "WRITE SAME: the first block of the data goes to all blocks of the I/O"),
		CHOICE("same", SG_WRITE_SAME, "The old name of write_same"),
		CHOICE("write_same_ndob", SG_WRITE_SAME_NDOB, "WRITE SAME(16) without data, which writes zeros"),
		CHOICE("verify_bytchk_00", SG_VERIFY_00, "VERIFY: the disk reads the blocks and compares nothing"),
		CHOICE("verify_bytchk_01", SG_VERIFY_01, "VERIFY: the disk compares the blocks with the data"),
		CHOICE("verify_bytchk_11", SG_VERIFY_11, "VERIFY: the disk compares each block with the first block of the data"),
		{ "write_stream", CHOICE_REFUSED, NULL, "fiord sends no commands with streams" }),
	  .def = "write", GROUP, .help = "SCSI command that carries a write" },
	{ .name = NULL },
};
/* clang-format on */
static const struct opt_table sg_table = { rows, sizeof(struct sg_opts) };

const struct engine engine_sg = {
	.name = "sg",
	.caps = ENG_PASSTHROUGH | ENG_SCSI,
	.help = "SCSI commands, past the block layer (/dev/sgN, /dev/sdX)",
	.state_size = sizeof(struct sg_state),
	.opts = &sg_table,
	.opts_size = sizeof(struct sg_opts),
	.init = sg_init,
	.submit = sg_submit,
	.reap = sg_reap,
	.do_one = sg_do_one,
	.fini = sg_fini,
	.queues_trims = queues_trims,
};
