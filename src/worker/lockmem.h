/* lockmem.h: the memory that a worker locks until it ends (lockmem). */
#ifndef LOCKMEM_H
#define LOCKMEM_H

#include "clone.h"

/* Allocates and locks the memory. *locked is the memory, or NULL if the job locks none. Returns false after
   clone_fail. */
bool lockmem_lock(struct clone *c, void **locked);
void lockmem_unlock(const struct clone *c, void *locked);

#endif
