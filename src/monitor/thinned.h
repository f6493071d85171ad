/* thinned.h: the entries of fiord.status: as many as fit into a few MiB, however long the run. When they do
   not fit every other one is dropped, and from then on every second one is kept, and so on. */
#ifndef THINNED_H
#define THINNED_H

#include <stddef.h>
#include <stdint.h>

#define THINNED_BYTES (8u << 20)

struct thinned {
	char **text;
	uint64_t *number; /* from 1; 0: one that was asked for by hand, which goes last */
	size_t n, cap, bytes;
	uint64_t taken, every; /* every: 0 counts as 1 */
};

/* Copies the text, unless it is one that is dropped. always: one that was asked for by hand. 0 or -ENOMEM. */
int thinned_add(struct thinned *k, const char *text, size_t most_bytes, int always);
void thinned_free(struct thinned *k);

#endif
