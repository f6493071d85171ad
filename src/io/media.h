/* media.h: the disk below a target, facts about it that distort measurements, and the parts of a file that
   were never written. For the preflight: best effort, read-only; unknown values are zero. */
#ifndef MEDIA_H
#define MEDIA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "target.h"

struct media {
	char disk[32];      /* "sda"; "" if the disk is unknown */
	char scheduler[24]; /* the active scheduler; "" if it has none */
	bool rotational, write_back;
	bool counts_passthrough;  /* the kernel's disk statistics count passthrough commands */
	bool is_virtual;          /* a hypervisor's disk */
	bool in_memory;           /* zram, ram */
	bool cached_loop;         /* a loop device whose file goes through the page cache */
	uint32_t physical_block;  /* bytes */
	uint64_t unwritten;       /* bytes of holes and unwritten extents, which read as zeroes without I/O */
	bool unwritten_allocated; /* the unwritten bytes are allocated on the disk */
};

/* Fills *m except for the bytes that were never written. If `before` is not NULL, it holds the result for the
   target `other`, which is reused if both targets are on the same disk. */
void media_probe(struct media *m, const struct target_facts *f, const struct target_facts *other,
		 const struct media *before);
/* Asks the file system which bytes of a file were never written. Dirty data in memory counts as written. */
void media_probe_holes(struct media *m, const struct target_facts *f, const char *path);
/* Returns the bytes of a regular file that were never written or were trimmed, and its size; 0 for anything
   else. Looks at *most holes at most, and subtracts those that it saw. */
uint64_t media_unwritten(const char *path, uint64_t *size, unsigned *most);
/* Writes the CPU frequency governor of the first CPU, such as "powersave"; "" if it is unknown. */
void media_governor(char *buf, size_t size);

#endif
