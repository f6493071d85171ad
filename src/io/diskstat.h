/* diskstat.h: the I/O of the disks below the targets, by any program, from /sys/dev/block. It needs no
   privileges. Several targets on one disk give one entry; a file system without a disk (tmpfs, NFS) gives
   none. */
#ifndef DISKSTAT_H
#define DISKSTAT_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

struct disk_count {
	uint64_t ios[2], merges[2], sectors[2]; /* read, write; sectors of 512 bytes */
	uint64_t ticks[2];                      /* ms, summed over I/Os */
	uint64_t in_queue;                      /* ms, summed over I/Os of all kinds */
	double util; /* percent of the time with at least one I/O in flight, at most 100 */
};

struct disk_use {
	char name[32]; /* the whole disk's: "vda", "dm-0" */
	bool member;   /* a disk below the stacked device before it, and not itself a target */
	struct disk_count self;
	/* Mean over the listed disks below this stacked device (dm, md); util is the highest of them. */
	struct disk_count aggr;
};

struct diskstat;

/* Reads the counters for the first time. devs holds the st_dev of files and the st_rdev of block devices.
   Returns NULL if memory is short. */
struct diskstat *diskstat_begin(const dev_t *devs, unsigned n);
/* Returns the changes since diskstat_begin; may be called again. *out is an array of *n entries that the
   caller frees (NULL if empty), stacked devices before their members. Returns 0 or -ENOMEM. s may be NULL. */
int diskstat_end(struct diskstat *s, struct disk_use **out, unsigned *n);
void diskstat_free(struct diskstat *s);

#endif
