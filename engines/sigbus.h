/* sigbus.h: copies from or to mapped memory that may be missing. The kernel sends SIGBUS if a mapped file
   has become shorter, or if its disk is full or fails; sigbus_copy turns that into a return value. */
#ifndef SIGBUS_H
#define SIGBUS_H

#include <stdbool.h>
#include <stddef.h>

/* Installs the handler, once per process, from any thread, before the first sigbus_copy. It stays
   installed; a SIGBUS from elsewhere has its usual effect. Returns 0 or -errno. */
int sigbus_init(void);
/* Copies like memcpy. Returns false if a page of [mapped, mapped + n), which is `to` or `from`, was
   missing; how much was copied is then unknown. */
bool sigbus_copy(void *to, const void *from, const void *mapped, size_t n);

#endif
