/* disk_class.h: what disks of a class usually show when they are read, and where these figures come from.
   Pure.

   A range has the figures of two documents of makers: of a modest product and of a fast one. They are the
   best that a new disk does, so half of the modest product's speed is still usual. */
#ifndef DISK_CLASS_H
#define DISK_CLASS_H

#include "result.h"

enum disk_class {
	DISK_UNKNOWN,
	DISK_ROTATIONAL,
	DISK_SATA_SSD, /* or SAS */
	DISK_NVME,
	DISK_VIRTUAL, /* a disk of a virtual machine, such as a cloud volume */
	DISK_NETWORK, /* a file system or a block device on another machine */
	DISK_CLASSES
};

enum disk_measure {
	DISK_LATENCY,   /* ns, the mean of one 4 KiB read at a time */
	DISK_IOPS,      /* of 4 KiB reads, 32 in flight */
	DISK_BANDWIDTH, /* bytes per second of large sequential reads */
	DISK_MEASURES
};

enum disk_judgement { DISK_USUAL, DISK_SLOW, DISK_FAST };

struct disk_range {
	double slowest, fastest; /* in the unit of the measure; for a latency slowest is the greater one */
	const char *source;
};

/* "SATA SSDs", for a sentence. */
extern const char *const disk_class_name[DISK_CLASSES];
/* Returns the class of the device below the result's first target. */
enum disk_class disk_class_of(const struct result *r);
/* Returns the disk below the first target, at the bottom of the stack; NULL if none is known. */
const struct props *disk_bottom(const struct result *r);
/* Returns false if the class has no range. */
bool disk_usual(enum disk_class class, enum disk_measure m, struct disk_range *range);
enum disk_judgement disk_judge(enum disk_measure m, const struct disk_range *range, double value);

#endif
