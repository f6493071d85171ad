/* diskinfo.h: facts about a block device and the settings of its queue, from sysfs, without privileges and
   without opening the device. Facts have sysfs's names where it has one. Serial numbers and UUIDs are left
   out because users share results. */
#ifndef DISKINFO_H
#define DISKINFO_H

#include <sys/types.h>
#include "props.h"

/* Adds the facts of dev; none if it is not a block device. A partition gets only its own facts, not those
   of its disk. */
void diskinfo_add(struct props *p, dev_t dev);
/* Tells how a write with O_DSYNC or RWF_DSYNC becomes durable, from the queue's write_cache ("write back" or
   "write through") and fua (0, 1, or -1 if unknown). Returns "neither" (the device has no volatile cache),
   "fua" (a flag of the write), "flush" (a separate command), or NULL if unknown. */
const char *diskinfo_durable(const char *write_cache, int fua);

#endif
