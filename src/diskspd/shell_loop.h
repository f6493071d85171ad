/* shell_loop.h: the loops of scripts, which are not run: finds the values of a loop and the flag of DISKSPD
   that takes them, so that an error can name the same sweep. Pure. */
#ifndef DISKSPD_SHELL_LOOP_H
#define DISKSPD_SHELL_LOOP_H

#include <stdbool.h>

struct strbuf;

/* Returns true if a list of values stands here whose pipe ends in a block: 1..4 | % { ... } */
bool shell_loop_is_pipe(const char *s);
/* Adds " --sweep -b=4K,64K" for each loop in the text whose values stand there and whose variable follows a
   flag. The text begins with a loop, and may have several lines. Returns false if there is none. */
bool shell_loop_sweeps(const char *text, struct strbuf *out);

#endif
