/* uring.h: options and state that the engines with a ring share, io_uring and io_uring_cmd. */
#ifndef URING_H
#define URING_H

#include <liburing.h>
#include <linux/ioctl.h>
#include <stdbool.h>
#include <stdint.h>
#include "engine_parts.h"
#include "cmdprio.h"

/* The headers of some systems are older than their kernel. */
#ifndef BLOCK_URING_CMD_DISCARD
#define BLOCK_URING_CMD_DISCARD _IO(0x12, 0)
#endif

struct engine_ctx;

/* Which command carries a write. */
enum write_mode {
	WRITE_MODE_WRITE,
	WRITE_MODE_UNCOR,
	WRITE_MODE_ZEROES,
	WRITE_MODE_VERIFY,
	WRITE_MODE_ZONE_APPEND
};

/* Who makes the checks of pi_chk. */
enum pi_chk_by { PI_CHK_BY_BOTH, PI_CHK_BY_CONTROLLER, PI_CHK_BY_HOST };

/* Options of io_uring_cmd. io_uring has only those of metadata. */
struct passthrough_opts {
	bool readfua, writefua;
	bool deac; /* write_mode=zeroes also deallocates */
	enum write_mode write_mode;
	bool pi_act; /* the controller makes protection information, else the host */
	enum pi_chk_by pi_chk_by;
	uint32_t pi_chk; /* bits NVME_PRCHK_* */
	uint32_t apptag, apptag_mask;
	uint32_t md_per_io_size; /* 0: as much as the largest I/O needs */
};

/* How completions are found. */
enum hipri { HIPRI_OFF, HIPRI_POLL, HIPRI_HYBRID };

struct uring_opts {
	enum hipri hipri;
	bool sqthread_poll, uncached, nowait;
	int32_t fixedbufs, registerfiles; /* enum autoflag */
	int32_t nonvectored;              /* -1: whichever is faster with this kernel */
	int32_t sqthread_poll_cpu;        /* -1: any */
	uint32_t force_async;             /* every N; 0: never */
	struct cmdprio_opts cmdprio;
	struct passthrough_opts cmd; /* io_uring uses only those of metadata */
};

/* Rows that both engines have. */
/* clang-format off */
#define CHOICE(word, value, text) { word, value, text, NULL }
#define URING_MINUS_1 ((uint64_t)(int64_t)-1)
#define URING_ROWS(group_name) \
	{ .name = "hipri", .type = &hipri_type, OPT_AT(hipri, enum hipri *), .bare = true, OPT_CHOICES( \
		CHOICE("0", HIPRI_OFF, "Wait for interrupts"), \
		CHOICE("1", HIPRI_POLL, "Poll all the time; hipri alone means this"), \
		CHOICE("hybrid", HIPRI_HYBRID, "Sleep before polling (Linux 6.13)")), .group = group_name, \
	  .help = "Poll for completions (needs direct=1 and a device with poll queues)" }, \
	{ .name = "fixedbufs", AUTOFLAG(fixedbufs), .group = group_name, \
	  .help = "Register the buffers with the ring (-1: where the kernel allows it)" }, \
	{ .name = "registerfiles", AUTOFLAG(registerfiles), .group = group_name, \
	  .help = "Register the files with the ring (-1: where the kernel allows it)" }, \
	{ .name = "sqthread_poll", OPT_FLAG(sqthread_poll), .group = group_name, \
	  .help = "Let a kernel thread submit the I/Os" }, \
	{ .name = "sqthread_poll_cpu", OPT_I32(sqthread_poll_cpu), .def = "-1", \
	  OPT_RANGE(URING_MINUS_1, 65535), .group = group_name, \
	  .help = "CPU of the thread of sqthread_poll (-1: any)" }, \
	{ .name = "force_async", OPT_U32(force_async), .def = "0", .group = group_name, \
	  .help = "Submit every Nth I/O with IOSQE_ASYNC, to a kernel worker (0: none)" }

/* Rows of protection information and other metadata. */
#define PROTECTION_ROWS(group_name) \
	{ .name = "pi_act", OPT_BOOL(cmd.pi_act), .def = "1", .group = group_name, \
	  .help = "The controller or the kernel makes protection information, and strips it from reads (0: the host makes it)" }, \
	{ .name = "pi_chk", .type = &pi_chk_type, OPT_AT(cmd.pi_chk, uint32_t *), .group = group_name, \
	  .help = "Parts of the protection information to check: GUARD, REFTAG, APPTAG, separated by commas" }, \
	{ .name = "pi_chk_by", OPT_ENUM(cmd.pi_chk_by, \
		CHOICE("both", PI_CHK_BY_BOTH, "The controller, and with pi_act=0 also the host"), \
		CHOICE("controller", PI_CHK_BY_CONTROLLER, "The controller alone: the host only makes protection information"), \
		CHOICE("host", PI_CHK_BY_HOST, "The host alone, and only what it reads (needs pi_act=0)")), \
	  .def = "both", .group = group_name, .help = "Who makes the checks of pi_chk" }, \
	{ .name = "apptag", OPT_U32(cmd.apptag), .def = "0x1234", OPT_RANGE(0, 0xffff), .group = group_name, \
	  .help = "Application tag of the protection information" }, \
	{ .name = "apptag_mask", OPT_U32(cmd.apptag_mask), .def = "0xffff", OPT_RANGE(0, 0xffff), .group = group_name, \
	  .help = "Bits of the application tag that are checked" }, \
	{ .name = "md_per_io_size", OPT_U32(cmd.md_per_io_size), .def = "0", OPT_RANGE(0, 1u << 30), .group = group_name, \
	  .help = "Bytes of the metadata buffer of each I/O, where metadata are separate (0: as many as the largest I/O needs)" }
/* clang-format on */

extern const struct opt_type pi_chk_type; /* pi_chk.c */
extern const struct opt_type hipri_type;  /* hipri.c */

struct uring_attributes;

struct uring_state {
	struct io_uring ring;
	unsigned enter_flags; /* flags of every io_uring_enter */
	bool sqpoll;          /* a kernel thread submits */
	bool iopoll;          /* the kernel finds completions only by polling */
	bool big;             /* SQEs and CQEs have twice the size, for passthrough */
	bool fixed_files, fixed_bufs;
	bool queued_trims;
	bool reregister;     /* files were registered before they were closed, and will be again */
	bool more;           /* SQEs need more fields than fill_data sets */
	bool placement;      /* writes have a write stream or a placement id */
	uint8_t sqe_flags;   /* flags of every SQE */
	int bufs_err;        /* -errno of the registration of buffers */
	unsigned per_region; /* buffers in one registered region */
	uint8_t opcode[2];   /* for reads and writes */
	uint32_t rwf[2];     /* RWF_* flags of reads and writes */
	struct iovec *iov;   /* by io->index; NULL: not vectored */
	unsigned in_ring;    /* submitted to the ring and not yet seen complete */
	unsigned async_every, async_count;
	struct done_queue done;              /* I/Os completed inside submit */
	struct passthrough *cmd;             /* io_uring_cmd; owned by it */
	struct uring_attributes *attributes; /* io_uring; NULL: its I/Os transfer no metadata */
};

/* Creates and maps the rings and registers what the user requested or the kernel allows; ctx->info
   describes the result. Returns 0, or -errno with ctx->d filled and nothing left to release. */
int uring_init(struct engine_ctx *ctx);
void uring_fini(struct engine_ctx *ctx);
void uring_reopen(struct engine_ctx *ctx, bool open);
/* Returns the option that needs files which stay open, as needs_open_files in engine.h. */
const char *uring_needs_open_files(const void *opts);
/* Asks the kernel with a trim of 0 bytes. See queues_trims in engine.h. */
bool uring_queues_trims(const void *opts, int fd);

#endif
