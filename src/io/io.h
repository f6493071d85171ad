/* io.h: one I/O travelling core -> engine -> core. */
#ifndef IO_H
#define IO_H

#include <stdbool.h>
#include <stdint.h>
#include "dir.h"

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
/* The op of a data direction is the direction. */
_Static_assert((int)IO_READ == DIR_READ && (int)IO_WRITE == DIR_WRITE && (int)IO_TRIM == DIR_TRIM, "order");

/* The res of an I/O that is with the engine: kept by the door. No engine returns it. */
#define IO_IN_ENGINE INT64_MIN

/* The first line is what engines read; the second is the core's. */
struct io {
	_Alignas(64) struct file *file;
	void *buf;
	uint64_t offset;
	int64_t res;    /* bytes, or -errno; set by the engine before reap returns it; IO_IN_ENGINE */
	uint32_t len;   /* bytes asked for */
	uint32_t rwf;   /* RWF_* flags of preadv2 and kin */
	uint16_t index; /* 0 .. depth-1: this I/O's slot, the same for its whole life */
	uint16_t prio;  /* as the kernel takes it: class, hint, level; 0: the worker's own */
	bool in_row;    /* run/serve_plain.c: all but the offset is as it left it */
	uint8_t op;     /* enum io_op */
	uint8_t dir;    /* enum io_dir */
	uint8_t level;  /* depth bucket at its issue; set during a ramp only */

	_Alignas(64) uint64_t due_ns;
	uint64_t start_ns, issue_ns, seq;
	uint32_t done;  /* bytes moved by earlier parts of an I/O that came back short */
	uint32_t total; /* bytes of the whole I/O */
	uint32_t target;
	uint32_t prio_number; /* of gen/prio.h */
};

/* "read", "fsync", ... */
const char *io_op_name(unsigned op);

#endif
