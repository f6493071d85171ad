/* verify_async.h: threads that check blocks, so that the worker can go on reading (verify_async). Each block
   is copied, because its buffer belongs to the next read. The worker takes the results back in the order in
   which it handed the blocks over, and counts them. */
#ifndef VERIFY_ASYNC_H
#define VERIFY_ASYNC_H

#include <stdbool.h>
#include <stdint.h>
#include "block_check.h"

struct clone;
struct verify_async;
struct worker;

/* Starts the threads, with the worker's CPUs or those of verify_async_cpus. block_bytes: of the largest
   block. Returns false after clone_fail; call verify_async_stop in any case. */
bool verify_async_start(struct worker *w, const struct verify_format *f, size_t block_bytes);
/* Ends the threads and frees a, which may be NULL. Forgets blocks that were not taken back. */
void verify_async_stop(struct verify_async *a);
/* Hands a block over, with a copy of its bytes. Only if not verify_async_full(). */
void verify_async_put(struct verify_async *a, const struct block_check *c);
/* Returns whether there is no room for another block. */
bool verify_async_full(const struct verify_async *a);
/* Returns the oldest block if it has been checked; wait: waits until it has been. Returns NULL if there is
   none. It is valid until verify_async_release, which the caller must call before the next take. */
const struct block_check *verify_async_take(struct verify_async *a, bool wait);
void verify_async_release(struct verify_async *a);
/* Adds the CPU time of the threads so far, in microseconds. a may be NULL. */
void verify_async_cpu_time(const struct verify_async *a, uint64_t *user_us, uint64_t *sys_us);

#endif
