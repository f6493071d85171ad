/* placement_ids.h: where a device can place data: the placement ids of an NVMe namespace (Flexible Data
   Placement), or the write streams of a block device in Linux. */
#ifndef PLACEMENT_IDS_H
#define PLACEMENT_IDS_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>
#include "placement.h"

/* What the device has: commands carry id[i] for plid `first` + i. */
struct placement_ids {
	uint32_t n; /* at most PLACEMENT_IDS; further ones are not used */
	uint32_t first;
	uint16_t id[PLACEMENT_IDS];
};

#define PLACEMENT_ANSWER_BYTES (16 + 32 * PLACEMENT_IDS)

/* Asks a namespace, by its character device, for the status of its reclaim unit handles (I/O Management
   Receive). Returns 0 or -errno; -EIO if the device refused the command. */
int placement_ids_read(struct placement_ids *p, const char *path, uint32_t nsid);
/* Reads the ids out of the answer. Pure. */
void placement_ids_decode(struct placement_ids *p, const uint8_t answer[PLACEMENT_ANSWER_BYTES]);
/* Reads how many write streams a block device has, from sysfs: streams are numbered from 1. Returns 0, or
   -ENOENT if the kernel does not say. */
int placement_streams_read(struct placement_ids *p, dev_t block);

#endif
