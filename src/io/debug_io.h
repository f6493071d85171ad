/* debug_io.h: --debug=io: an engine that prints each I/O when another engine takes it and when it comes back.

   The core sees a wrapper with the name of that engine. The lines have the form of fio's:

       io       9005  queue: io_u 0x5582be342f40: off=0x0,len=0x1000,ddir=1,file=f

   A line "complete:" has the same fields. "requeue:" follows the line of an I/O that the engine did not take
   after all. "complete: io_u ADDRESS: ret=NUMBER" follows if an I/O transferred less, or failed (-errno).
   Lines are written before an I/O goes on: the worker waits for their reader. */
#ifndef DEBUG_IO_H
#define DEBUG_IO_H

#include "engine.h"

/* Returns the engine that replaces `inner` as ctx->engine; NULL if memory is short. The thread that calls
   this prints, to fd. inner must outlive it. */
const struct engine *debug_io_new(const struct engine *inner, int fd);
/* Frees such an engine; NULL is allowed. Returns the errno of the first line that could not be written, or 0;
   no line follows it. */
int debug_io_free(const struct engine *wrapper);

#endif
