/* plug.h: how many I/Os one system call may submit without the block layer merging them.

   The kernel plugs a call of more than PLUG_FREE I/Os (io_submit, io_uring_enter): it holds their requests
   back until the end of the call, and merges those of neighbouring blocks. Then a job of small I/Os in order
   would send a few large requests to the device. */
#ifndef PLUG_H
#define PLUG_H

struct io;

/* Calls with at most this many I/Os are not plugged. */
#define PLUG_FREE 2u
/* The kernel ends a plug after this many requests. */
#define PLUG_MAX 32u

/* Returns how many of these n I/Os, counted from the first, one call may submit without merging: always up
   to PLUG_FREE, and more as long as no two of them are adjacent, whichever files they belong to. */
unsigned plug_run(struct io *const *ios, unsigned n);

#endif
