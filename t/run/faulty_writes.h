/* faulty_writes.h: the faults of faulty_fs.c: which writes they harm, and how. The caller holds the lock. */
#ifndef FAULTY_WRITES_H
#define FAULTY_WRITES_H

#include <stddef.h>
#include "faulty_files.h"

/* Handles a line that was written to .faults: see faulty_fs.c. Returns 0 or -EINVAL. */
int request(const char *text, size_t size);
/* Stores a write, with the damage that was asked for. Returns the bytes to acknowledge, or -errno. */
long write_faulty(struct file *f, const unsigned char *data, long offset, long bytes);

#endif
