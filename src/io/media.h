/* media.h: what lies below a target: which disk, what it keeps from being measured, what of a file was never
   written. For the preflight: best effort, reads only; what is not known is zero. */
#ifndef MEDIA_H
#define MEDIA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "target.h"

struct media {
	char disk[32];      /* "sda"; "" if the file system is on none that is known */
	char scheduler[24]; /* that is in force; "" if it has none */
	bool rotational, write_back;
	bool is_virtual;         /* a disk that a hypervisor makes */
	bool in_memory;          /* zram, ram */
	bool cached_loop;        /* a loop device whose file goes through the page cache */
	uint32_t physical_block; /* bytes */
	uint64_t unwritten;      /* bytes of the file that are answered with zeroes from no device */
	bool reserved;           /* ... and have their room on it */
};

/* before: what was found for another target, whose disk need not be looked at again if it is the same; or
 * NULL. */
void media_probe(struct media *m, const struct target_facts *f, const char *path,
		 const struct target_facts *other, const struct media *before);
/* "powersave"; "" where there is none. Of the first CPU. */
void media_governor(char *buf, size_t size);

#endif
