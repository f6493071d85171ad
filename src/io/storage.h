/* storage.h: the storage below a target, for the result document: its file system, and the devices under
   it down to the disks. It reads only and opens no device. */
#ifndef STORAGE_H
#define STORAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>
#include "props.h"
#include "target.h"

/* Level 0 is the device of the file system or target. A partition is followed by its disk; a stacked
   device is followed by its members, one level deeper. */
struct storage_dev {
	unsigned level;
	dev_t dev;
	struct props props;
};

struct storage {
	struct props fs; /* empty for a block device */
	struct storage_dev *v;
	size_t n, cap;
	bool failed; /* memory was short */
};

/* Fills *s, which the caller has zeroed; best effort. */
void storage_probe(struct storage *s, const struct target_facts *f, const char *path);
void storage_fini(struct storage *s);
/* Returns whether both targets are on the same device or file system, so that one probe serves for both. */
bool storage_same(const struct target_facts *a, const struct target_facts *b);

/* diskinfo.c: facts about a block device and the settings of its queue, from sysfs, without privileges and
   without opening the device. Facts have sysfs's names where it has one. Serial numbers and UUIDs are left
   out because users share results. */

/* Adds the facts of dev; none if it is not a block device. A partition gets only its own facts, not those
   of its disk. */
void diskinfo_add(struct props *p, dev_t dev);
/* Adds the temperature of a disk that has a sensor in sysfs (hwmon), unless *p has one from its SMART log,
   which nvme_health_add reads. */
void diskinfo_temperature_add(struct props *p, dev_t dev, bool after);
/* Tells how a write with O_DSYNC or RWF_DSYNC becomes durable, from the queue's write_cache ("write back" or
   "write through") and fua (0, 1, or -1 if unknown). Returns "neither" (the device has no volatile cache),
   "fua" (a flag of the write), "flush" (a separate command), or NULL if unknown. */
const char *diskinfo_durable(const char *write_cache, int fua);

#endif
