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
	char *root;    /* the directory or file of the file system that is mounted: "/" but for bind mounts */
	char *point;   /* the mount point */
	char *fstype;  /* "ext4" */
	char *source;  /* the device, or any other word */
	char *options; /* options of this mount: "rw,relatime" */
	char *super;   /* options of the file system, the same for all its mounts: "rw,errors=remount-ro" */
};

/* Calls match for each mount until it returns true. Returns whether it did. */
bool mounts_any(bool (*match)(const struct mount_entry *m, void *arg), void *arg);

/* Where a file lies in its file system, whatever is mounted where. */
struct mounts_place {
	dev_t dev;
	char path[4096]; /* from the root of the file system */
};
/* Finds the place of an absolute path without symbolic links. `mount` is the number of its mount. Returns
   false if the mount is not listed, for example because /proc is not mounted. */
bool mounts_find_place(struct mounts_place *p, const char *real, uint64_t mount);
/* Returns the number of the mount of a path; 0: unknown. */
uint64_t mounts_id(const char *path);

/* Decodes \040 and similar escapes in place. */
void mounts_unescape(char *s);

#endif
