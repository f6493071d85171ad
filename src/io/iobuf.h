/* iobuf.h: one region that holds a worker's I/O buffers, of the kind of memory that was asked for, aligned,
   and all there before the clock starts. */
#ifndef IOBUF_H
#define IOBUF_H

#include <stddef.h>
#include <stdint.h>
#include "content.h"
#include "target.h"

enum mem_kind { MEM_MALLOC, MEM_SHM, MEM_SHMHUGE, MEM_MMAP, MEM_MMAPHUGE, MEM_MMAPSHARED };

/* mem=KIND[:FILE] */
struct mem_source {
	enum mem_kind kind;
	char *file; /* NULL: anonymous */
};

struct mem_cfg {
	struct mem_source source;
	uint64_t align;    /* of every buffer, a power of two; 0: a page */
	uint64_t hugepage; /* bytes; 0: what the system calls the default */
	bool unused;       /* nobody reads or writes them: they need not have pages */
};

struct iobuf {
	unsigned char *base;
	size_t stride; /* bytes from one I/O's buffer to the next */
	size_t bytes;
	void *map; /* what to give back; begins before base where that had to be aligned */
	size_t map_bytes;
	enum mem_kind kind;
	bool heap; /* malloc() gave it */
	bool none; /* others have the same: mem_cfg.unused */
};

/* The name of a kind, as in mem=NAME. */
const char *mem_kind_name(enum mem_kind kind);
static inline bool mem_kind_huge(enum mem_kind kind)
{
	return kind == MEM_SHMHUGE || kind == MEM_MMAPHUGE;
}

/* count buffers of at least `bytes` each. A file that is there is mapped as it is if it is long enough, and
   for a shared mapping only if the guard lets it be written; of one that is not there a nameless one takes
   the place. 0, or -errno with d (DIAG_RUN) that names kind, size and what limits it. */
int iobuf_init(struct iobuf *b, const struct mem_cfg *c, const struct target_allow *allow, unsigned count,
	       size_t bytes, struct diag *d);
/* What each buffer contains before its first write; only write jobs need it. */
void iobuf_fill(struct iobuf *b, struct content *c);
void iobuf_fini(struct iobuf *b);

#endif
