/* syscall_io.h: does one I/O with a plain system call, for synchronous engines and for operations that an
   engine's own interface lacks. */
#ifndef SYSCALL_IO_H
#define SYSCALL_IO_H

#include <stdint.h>

struct io;

/* Does the I/O and restarts it after signals. Returns the bytes transferred, 0 for a sync, or -errno. */
int64_t syscall_io(struct io *io);

#endif
