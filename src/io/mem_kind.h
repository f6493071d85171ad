/* mem_kind.h: the kinds of memory that I/O buffers can have (option mem), and the file behind mem=mmap:FILE.
 */
#ifndef MEM_KIND_H
#define MEM_KIND_H

#include <stdbool.h>
#include <stdint.h>
#include "target.h"

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

#endif
