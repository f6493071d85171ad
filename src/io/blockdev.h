/* blockdev.h: block devices and the devices above and below them, from sysfs. It needs no privileges, and
   only blockdev_open opens a device. */
#ifndef BLOCKDEV_H
#define BLOCKDEV_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct blockdev {
	dev_t dev;
	char name[32]; /* as in /dev: "sda1", "dm-0" */
};

struct blockdev_list {
	struct blockdev *v; /* owned, sorted by name */
	size_t n, cap;
};

enum blockdev_relation {
	BLOCKDEV_PARTITIONS,
	BLOCKDEV_HOLDERS, /* devices stacked on it (dm, md) */
	BLOCKDEV_SLAVES,  /* devices it is stacked on */
};

/* Returns 0 or -errno; -ENOENT if sysfs knows no block device with this number. */
int blockdev_get(struct blockdev *b, dev_t dev);
/* Opens a block device by its number, for reading. Returns the descriptor or -errno. */
int blockdev_open(dev_t block);
/* Returns the disk of a partition, and any other device itself. */
dev_t blockdev_whole(dev_t dev);
/* Returns the most bytes that one request transfers, from sysfs: no more than max_hw_sectors_kb, and than
   max_segments pieces of memory of max_segment_size bytes; UINT32_MAX for more, and if it is unknown. */
uint32_t blockdev_max_transfer(dev_t dev);
/* Lists the relatives of one kind; the list may be empty. Returns 0 or -ENOMEM. The caller calls
   blockdev_list_fini. */
int blockdev_relatives(struct blockdev_list *list, dev_t dev, enum blockdev_relation kind);
void blockdev_list_fini(struct blockdev_list *list);

#endif
