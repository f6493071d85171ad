/* iobuf.h: one memory region that holds a worker's I/O buffers, of the requested kind of memory, aligned,
   and with all pages present before the clock starts. */
#ifndef IOBUF_H
#define IOBUF_H

#include <stddef.h>
#include <stdint.h>
#include <stdbool.h>
#include "content.h"
#include "target.h"

/* The kinds of memory that I/O buffers can have (option mem), and the file behind mem=mmap:FILE.
 */

enum mem_kind { MEM_MALLOC, MEM_SHM, MEM_SHMHUGE, MEM_MMAP, MEM_MMAPHUGE, MEM_MMAPSHARED };

/* The value of mem=KIND[:FILE]. */
struct mem_source {
	enum mem_kind kind;
	char *file; /* NULL: anonymous */
};

struct mem_cfg {
	struct mem_source source;
	uint64_t align;    /* alignment of every buffer, a power of two; 0: a page */
	uint64_t hugepage; /* bytes; 0: the system's default size */
	bool unused;       /* the engine moves no data, so all buffers may share their pages */
};

/* Returns the name of a kind, as in mem=NAME. */
const char *mem_kind_name(enum mem_kind kind);
static inline bool mem_kind_huge(enum mem_kind kind)
{
	return kind == MEM_SHMHUGE || kind == MEM_MMAPHUGE;
}

/* memfile.c: the file that backs the I/O buffers with mem=mmap:FILE, mmaphuge:FILE or mmapshared:FILE. */

/* Returns 0 if the guard allows these buffers to use the file, else -errno with d filled. */
int memfile_check(const struct mem_cfg *c, const struct target_allow *allow, struct diag *d);
/* Returns a descriptor of a file of at least `bytes`, or -errno with d filled. An existing file is neither
   extended nor removed; a missing one is created without a name, so that it vanishes with its last user. */
int memfile_open(const struct mem_cfg *c, const struct target_allow *allow, size_t bytes, struct diag *d);

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
