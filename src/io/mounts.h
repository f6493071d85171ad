/* mounts.h: the mounts that this process sees (/proc/self/mountinfo). */
#ifndef MOUNTS_H
#define MOUNTS_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/* One mount. The strings are valid only during the callback. */
struct mount_entry {
	uint64_t id;
	dev_t dev;
	char *point;   /* the mount point */
	char *fstype;  /* "ext4" */
	char *source;  /* the device, or any other word */
	char *options; /* options of this mount: "rw,relatime" */
	char *super;   /* options of the file system, the same for all its mounts: "rw,errors=remount-ro" */
};

/* Calls match for each mount until it returns true. Returns whether it did. */
bool mounts_any(bool (*match)(const struct mount_entry *m, void *arg), void *arg);

/* Decodes \040 and similar escapes in place. */
void mounts_unescape(char *s);

#endif
