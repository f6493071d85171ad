/* offload.h: io_submit_mode=offload: an engine behind threads, one for each I/O in flight, as in fio. Each
   has an engine_ctx of its own, of depth 1, does one I/O at a time and gives it back. So whatever the
   engine's submit does, the core only hands over; and a synchronous engine gets a depth.

   The core sees a face with the engine's name. Its start-to-issue time is that of the hand-over: io->issue_ns
   is when the thread gave the I/O to the engine (a synchronous one) or had given it. */
#ifndef OFFLOAD_H
#define OFFLOAD_H

#include "engine.h"

/* What stands in for ctx->inner as ctx->engine. */
struct engine offload_wrapper(const struct engine *inner);
/* The CPU time that its threads have used so far, beside the caller's. The kernel counts it whole; what of it
   was in user mode follows its ticks. */
void offload_used(const struct engine_ctx *ctx, uint64_t *user_us, uint64_t *sys_us);

#endif
