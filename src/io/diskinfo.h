/* diskinfo.h: what a block device is and how its queue is set, as sysfs tells without privileges and without
   opening it. Names of facts are sysfs's own where it has one. Serial numbers and UUIDs are left out: results
   are passed on. */
#ifndef DISKINFO_H
#define DISKINFO_H

#include <sys/types.h>
#include "props.h"

/* Adds what is known of dev: nothing if it is no block device. Of a partition that is only what it has of its
   own: its disk's is the whole device's. */
void diskinfo_add(struct props *p, dev_t dev);
/* What makes a write durable that must be (O_DSYNC, RWF_DSYNC), from a queue's write_cache ("write back",
   "write through") and fua: "neither" (there is no volatile cache), "fua" (the write itself says so), "flush"
   (a command after it), or NULL, not known. fua: 0, 1, or -1 where the kernel does not tell. */
const char *diskinfo_durable(const char *write_cache, int fua);

#endif
