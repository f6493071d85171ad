/* storage.h: the storage below a target, for the result document: its file system, and the devices under
   it down to the disks. It reads only and opens no device. */
#ifndef STORAGE_H
#define STORAGE_H

#include <stddef.h>
#include "props.h"
#include "target.h"

/* Level 0 is the device of the file system or target. A partition is followed by its disk; a stacked
   device is followed by its members, one level deeper. */
struct storage_dev {
	unsigned level;
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

#endif
