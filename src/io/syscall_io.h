/* syscall_io.h: one I/O by a plain system call: for synchronous engines, and for operations that an engine's
   own interface lacks. */
#ifndef SYSCALL_IO_H
#define SYSCALL_IO_H

#include <stdint.h>

struct io;

/* Does the I/O, restarted after signals. Returns the bytes that it moved, 0 for a sync, or -errno. */
int64_t syscall_io(struct io *io);

#endif
