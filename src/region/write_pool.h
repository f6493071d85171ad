/* write_pool.h: the memory from which the writes of a section take their data (write_pool). The clones of the
   section share the pool, and fill it together before they start. */
#ifndef WRITE_POOL_H
#define WRITE_POOL_H

#include <stdbool.h>
#include "plan.h"

struct write_pool {
	unsigned char *bytes; /* NULL: none */
	uint64_t size;
	int fd; /* write_pool_file; -1: random data */
	const char *file;
	uint64_t file_size; /* size of that file, in bytes */
};

/* Maps the pool of each section and opens its file, before the first fork. *pools is indexed by section, or
   NULL if no section has a pool. Returns 0, or -errno with d. */
int write_pools_init(struct write_pool **pools, const struct plan *p, struct diag *d);
void write_pools_fini(struct write_pool *pools, const struct plan *p);

#endif
