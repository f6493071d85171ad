/* blockdev.h: what sysfs says about a block device and its relatives. Needs no privileges and opens no
 * device. */
#ifndef BLOCKDEV_H
#define BLOCKDEV_H

#include <stdbool.h>
#include <stddef.h>
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

/* 0 or -errno: -ENOENT if dev is no block device that sysfs knows. */
int blockdev_get(struct blockdev *b, dev_t dev);
/* The disk that a partition is a part of; dev itself if it is none. */
dev_t blockdev_whole(dev_t dev);
/* Relatives of one kind; an empty list if there are none. 0 or -ENOMEM. */
int blockdev_relatives(struct blockdev_list *list, dev_t dev, enum blockdev_relation kind);
void blockdev_list_fini(struct blockdev_list *list);

#endif
