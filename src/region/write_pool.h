/* write_pool.h: what the writes of a section are slices of (write_pool): memory that its clones share, filled
   by them together before they start. */
#ifndef WRITE_POOL_H
#define WRITE_POOL_H

#include <stdbool.h>
#include "plan.h"

struct write_pool {
	unsigned char *bytes; /* NULL: none */
	uint64_t size;
	int fd; /* write_pool_file; -1: random data */
	const char *file;
	uint64_t file_size; /* of it */
};

/* Maps the pool of each section and opens its file, before the first fork. *pools: by section, or NULL if
   there are none. 0, or -errno with d. */
int write_pools_make(struct write_pool **pools, const struct plan *p, struct diag *d);
void write_pools_free(struct write_pool *pools, const struct plan *p);

#endif
