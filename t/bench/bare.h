/* bare.h: the smallest loops that do the same I/O and count it: what the kernel alone costs. */
#ifndef BARE_H
#define BARE_H

#include <stdint.h>

/* Each does `ios` random 4 KiB reads of the file's first `bytes`; 0 or -errno. */
int bare_psync(const char *path, uint64_t bytes, uint64_t ios);
/* Like io_uring users write it: registered file, buffers and ring, single issuer, deferred task work. */
int bare_uring(const char *path, uint64_t bytes, uint64_t ios, unsigned depth);
/* No I/O: draws an offset, counts, reads the clock twice per `depth`. */
int bare_null(uint64_t bytes, uint64_t ios, unsigned depth);

#endif
