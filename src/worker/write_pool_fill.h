/* write_pool_fill.h: fills this clone's share of the memory that writes send (write_pool). */
#ifndef WRITE_POOL_FILL_H
#define WRITE_POOL_FILL_H

#include <stdbool.h>

struct worker;

/* Returns false after clone_fail. */
bool write_pool_fill(struct worker *w);

#endif
