/* io.h: one I/O, passed from the core to the engine and back; which I/Os one call may submit; and an I/O by a
   plain system call. */
#ifndef IO_H
#define IO_H

#include <stdbool.h>
#include <stdint.h>
#include "dir.h"
#include "scsi.h"

struct file;

enum io_op {
	IO_READ,
	IO_WRITE,
	IO_TRIM,
	IO_FSYNC,
	IO_FDATASYNC,
	IO_SYNC_FILE_RANGE,
	IO_SYNCFS,
	IO_OPS,
};
/* A data direction and its operation have the same number. */
_Static_assert((int)IO_READ == DIR_READ && (int)IO_WRITE == DIR_WRITE && (int)IO_TRIM == DIR_TRIM, "order");

/* The res of an I/O that is in the engine, set by engine_submit. No engine may return it. */
#define IO_IN_ENGINE INT64_MIN

/* Engines read the first cache line; the second belongs to the core, but for the placement of writes. */
struct io {
	_Alignas(64) struct file *file;
	void *buf;
	uint64_t offset;
	int64_t res; /* bytes, or -errno, set by the engine before reap returns it; IO_IN_ENGINE meanwhile */
	const char *reason;   /* of a failed I/O: the words of the engine; NULL: a status or res says it */
	uint32_t len;         /* bytes to transfer */
	uint32_t rwf;         /* RWF_* flags for preadv2 and similar calls */
	uint16_t index;       /* slot number 0 .. depth-1, which never changes */
	uint16_t prio;        /* the kernel's encoding of class, hint and level; 0: the worker's priority */
	uint16_t nranges;     /* of a trim of several ranges: buf holds as many struct io_range; else 0 */
	uint16_t nvme_status; /* of a failed I/O: what the namespace answered, see nvme.h; 0: nothing */
	bool prefilled;       /* next_io_fast.c: all fields but the offset are still valid */
	uint8_t op;           /* enum io_op */
	uint8_t dir;          /* enum io_dir */
	struct scsi_status scsi; /* of a failed I/O: what the disk answered, see scsi.h; zeroes: nothing */

	_Alignas(64) uint64_t due_ns;
	uint64_t start_ns, issue_ns, seq;
	uint32_t done;  /* bytes moved by earlier parts of an I/O that came back short */
	uint32_t total; /* bytes of the whole I/O */
	uint32_t target;
	uint32_t prio_number; /* number of the priority in gen/prio.h */
	uint8_t level;        /* depth bucket at issue; set only during a ramp */
	bool placed;          /* with engine_ctx.placement: this write has a placement id or a write stream */
	uint16_t placement;   /* its number in the command */
	uint32_t placement_at; /* its position in the list of the job (placement.h) */
};
_Static_assert(sizeof(struct io) == 128, "two cache lines");

/* A part of a trim of several ranges (num_range), whose offset is that of the first and whose length is that
   of all. */
struct io_range {
	uint64_t offset;
	uint32_t len;
};

/* Returns the name of an operation (enum io_op): "read", "fsync". */
const char *io_op_name(unsigned op);

/* overlap.c: keeps I/Os that overlap apart in time (serialize_overlap, trimwrite). */

/* ready: the next I/Os, in order. all: the `depth` I/Os of the queue, those in flight among them. Returns how
   many of the n ready I/Os, counted from the first, overlap neither with an I/O in flight nor with one before
   them. Two reads may overlap. */
unsigned overlap_run(struct io *const *ready, unsigned n, const struct io *all, unsigned depth);
/* Moves those of the n ready I/Os that may be submitted to the front, at most `max`, and returns how many.
   The others are writes that overlap a trim in flight, or a trim before them among the ready ones. */
unsigned overlap_hold_writes(struct io **ready, unsigned n, unsigned max, const struct io *all,
			     unsigned depth);

/* plug.c: how many I/Os one system call may submit without the block layer merging them.

   The kernel plugs a call of more than PLUG_FREE I/Os (io_submit, io_uring_enter): it holds their requests
   back until the end of the call, and merges those of neighbouring blocks. Then a job of small I/Os in order
   would send a few large requests to the device. */

/* Calls with at most this many I/Os are not plugged. */
#define PLUG_FREE 2u
/* The kernel ends a plug after this many requests. */
#define PLUG_MAX 32u

/* Returns how many of these n I/Os, counted from the first, one call may submit without merging: always up
   to PLUG_FREE, and more as long as no two of them are adjacent, whichever files they belong to. */
unsigned plug_run(struct io *const *ios, unsigned n);

/* syscall_io.c: does one I/O with a plain system call, for synchronous engines and for operations that an
   engine's own interface lacks. */

/* Does the I/O and restarts it after signals. Returns the bytes transferred, 0 for a sync, or -errno. */
int64_t syscall_io(struct io *io);

#endif
