/* iobuf.h: one memory region that holds a worker's I/O buffers, of the requested kind of memory, aligned,
   and with all pages present before the clock starts. */
#ifndef IOBUF_H
#define IOBUF_H

#include <stddef.h>
#include <stdint.h>
#include "content.h"
#include "mem_kind.h"
#include "target.h"

struct iobuf {
	unsigned char *base;
	size_t stride; /* bytes between the starts of two buffers */
	size_t bytes;
	void *map; /* the whole allocation; begins before base if base had to be aligned */
	size_t map_bytes;
	enum mem_kind kind;
	bool heap;   /* allocated with malloc() */
	bool shared; /* all workers share this memory: mem_cfg.unused */
};

/* Allocates count buffers of at least `bytes` each. A backing file that exists must be long enough, and
   for a shared mapping the guard must allow writes to it. If it does not exist, a nameless file in its
   directory is used. Returns 0, or -errno with d (DIAG_RUN) that names the kind, the size and the limit. */
int iobuf_init(struct iobuf *b, const struct mem_cfg *c, const struct target_allow *allow, unsigned count,
	       size_t bytes, struct diag *d);
/* Fills each buffer with its content before the first write; only write jobs need it. */
void iobuf_fill(struct iobuf *b, struct content *c);
void iobuf_fini(struct iobuf *b);

#endif
