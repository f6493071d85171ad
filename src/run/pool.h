/* pool.h: what the writes of a section are slices of (write_pool): memory that its clones share, filled by
   them together before they start. */
#ifndef POOL_H
#define POOL_H

#include <stdbool.h>
#include "plan.h"

struct pool {
	unsigned char *bytes; /* NULL: none */
	uint64_t size;
	int fd; /* write_pool_file; -1: random data */
	const char *file;
	uint64_t file_size; /* of it */
};

/* Maps the pool of each section and opens its file, before the first fork. *pools: by section, or NULL if
   there are none. 0, or -errno with d. */
int pools_make(struct pool **pools, const struct plan *p, struct diag *d);
void pools_free(struct pool *pools, const struct plan *p);

#endif
