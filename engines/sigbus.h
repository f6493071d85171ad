/* sigbus.h: copying from or to mapped memory that may turn out not to be there. The kernel answers with
   SIGBUS where a mapped file has become shorter, or where the disk is full or does not answer; here that is a
   return value. */
#ifndef SIGBUS_H
#define SIGBUS_H

#include <stdbool.h>
#include <stddef.h>

/* Once per process, from whichever thread, before the first sigbus_copy. It stays until the end; a SIGBUS
   from elsewhere does what it would have done without. 0 or -errno. */
int sigbus_init(void);
/* memcpy. False if a page of [mapped, mapped + n), which is `to` or `from`, could not be had; how much was
   copied is then unknown. */
bool sigbus_copy(void *to, const void *from, const void *mapped, size_t n);

#endif
