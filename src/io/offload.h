/* offload.h: io_submit_mode=offload: an engine behind threads, one for each I/O in flight, as in fio. Each
   thread has its own engine_ctx of depth 1 and does one I/O at a time. The core therefore only hands I/Os
   over, even if the engine's submit blocks, and a synchronous engine gets a depth.

   The core sees a wrapper with the engine's name. Submission latency is the time of the hand-over:
   io->issue_ns is taken when the thread passes the I/O to a synchronous engine, or after it has submitted
   to an asynchronous one. */
#ifndef OFFLOAD_H
#define OFFLOAD_H

#include "engine.h"

/* Returns the engine that replaces `inner` as ctx->engine; the caller sets ctx->inner. */
struct engine offload_wrapper(const struct engine *inner);
/* Adds up the CPU time of the engine's threads so far, without the caller's. The total is exact; its
   division into user and system time follows the kernel's ticks. */
void offload_cpu_time(const struct engine_ctx *ctx, uint64_t *user_us, uint64_t *sys_us);

#endif
