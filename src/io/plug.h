/* plug.h: which I/Os one system call may submit without the block layer merging them.

   The kernel plugs a call of more than PLUG_FREE I/Os (io_submit, io_uring_enter): it holds their requests
   back until the end of the call, and merges those of neighbouring blocks. Then a job of small I/Os in order
   would send a few large requests to the device. */
#ifndef PLUG_H
#define PLUG_H

struct io;

/* Calls of so many I/Os are not plugged. */
#define PLUG_FREE 2u
/* The kernel ends a plug after so many requests. */
#define PLUG_MOST 32u

/* How many of these n I/Os, from the first on, one call may submit: up to PLUG_FREE in any case, and more as
   long as no two of them are neighbours, whichever files they go to. */
unsigned plug_run(struct io *const *ios, unsigned n);

#endif
