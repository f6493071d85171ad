/* diskstat.h: what the disks below the targets did meanwhile, all of it, whoever asked (/sys/dev/block).
   Needs no privileges. Several targets on one disk give one entry; a file system without a disk (tmpfs, NFS)
   gives none. */
#ifndef DISKSTAT_H
#define DISKSTAT_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

struct disk_count {
	uint64_t ios[2], merges[2], sectors[2]; /* read, write; sectors of 512 bytes */
	uint64_t ticks[2];                      /* ms that I/Os spent, summed over them */
	uint64_t in_queue;                      /* ms, both directions and the rest */
	double util; /* percent of the time with at least one I/O in flight, at most 100 */
};

struct disk_use {
	char name[32]; /* the whole disk's: "vda", "dm-0" */
	bool member;   /* is a disk of the stacked device before it, and no target itself */
	struct disk_count self;
	/* Of the disks that are listed too, on which it is stacked (dm, md): the mean; util is the highest */
	struct disk_count aggr;
};

struct diskstat;

/* Takes the first look. devs: st_dev of files, st_rdev of block devices. NULL when memory is short. */
struct diskstat *diskstat_begin(const dev_t *devs, unsigned n);
/* What happened since; may be called again. *out is an array of *n for the caller to free (NULL if there is
   none), stacked devices before their members. 0 or -ENOMEM. s may be NULL. */
int diskstat_end(struct diskstat *s, struct disk_use **out, unsigned *n);
void diskstat_free(struct diskstat *s);

#endif
