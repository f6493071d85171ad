/* io.h: one I/O, passed from the core to the engine and back. */
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
/* A data direction and its operation have the same number. */
_Static_assert((int)IO_READ == DIR_READ && (int)IO_WRITE == DIR_WRITE && (int)IO_TRIM == DIR_TRIM, "order");

/* The res of an I/O that is in the engine, set by engine_submit. No engine may return it. */
#define IO_IN_ENGINE INT64_MIN

/* Engines read the first cache line; the second belongs to the core. */
struct io {
	_Alignas(64) struct file *file;
	void *buf;
	uint64_t offset;
	int64_t res;  /* bytes, or -errno, set by the engine before reap returns it; IO_IN_ENGINE meanwhile */
	uint32_t len; /* bytes to transfer */
	uint32_t rwf; /* RWF_* flags for preadv2 and similar calls */
	uint16_t index; /* slot number 0 .. depth-1, which never changes */
	uint16_t prio;  /* the kernel's encoding of class, hint and level; 0: the worker's priority */
	bool prefilled; /* next_io_fast.c: all fields but the offset are still valid */
	uint8_t op;     /* enum io_op */
	uint8_t dir;    /* enum io_dir */
	uint8_t level;  /* depth bucket at issue; set only during a ramp */

	_Alignas(64) uint64_t due_ns;
	uint64_t start_ns, issue_ns, seq;
	uint32_t done;  /* bytes moved by earlier parts of an I/O that came back short */
	uint32_t total; /* bytes of the whole I/O */
	uint32_t target;
	uint32_t prio_number; /* number of the priority in gen/prio.h */
};

/* Returns the name of an operation (enum io_op): "read", "fsync". */
const char *io_op_name(unsigned op);

#endif
