/* write_pool_fill.h: fills this clone's share of the memory that writes send (write_pool). */
#ifndef WRITE_POOL_FILL_H
#define WRITE_POOL_FILL_H

#include <stdbool.h>

struct clone;
struct io_source;

/* Returns false after clone_fail. */
bool write_pool_fill(struct clone *c, const struct io_source *s);

#endif
