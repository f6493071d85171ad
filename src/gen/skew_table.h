/* skew_table.h: the skews of a worker's files: one for each configuration and number of places, however many
   files share it. */
#ifndef SKEW_TABLE_H
#define SKEW_TABLE_H

#include <stddef.h>
#include <stdint.h>
#include "skew.h"

struct skew_entry;
struct skew_table {
	uint64_t hot_seed; /* decides where the hot places are */
	unsigned batch;    /* skew.batch of all skews */
	struct skew_entry **bucket;
	size_t buckets, n; /* buckets: a power of two; n: skews */
};

void skew_table_init(struct skew_table *t, uint64_t hot_seed, unsigned batch);
void skew_table_fini(struct skew_table *t);
/* Returns the skew, which lives as long as the table; NULL if memory is short. */
const struct skew *skew_table_get(struct skew_table *t, const struct skew_cfg *cfg, uint64_t places);

#endif
