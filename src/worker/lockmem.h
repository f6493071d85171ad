/* lockmem.h: memory that a worker locks for as long as it lives. */
#ifndef LOCKMEM_H
#define LOCKMEM_H

#include "clone.h"

/* Locks the memory of lockmem. *locked: the memory, or NULL. False after clone_fail. */
bool lockmem_get(struct clone *c, void **locked);
void lockmem_free(const struct clone *c, void *locked);

#endif
