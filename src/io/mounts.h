/* mounts.h: the mounts that this process sees (/proc/self/mountinfo). */
#ifndef MOUNTS_H
#define MOUNTS_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/* One mount; the strings live until the callback returns. */
struct mount_entry {
	uint64_t id;
	dev_t dev;
	char *point;   /* where it is mounted */
	char *fstype;  /* "ext4" */
	char *source;  /* what is mounted: a device, or any word */
	char *options; /* of this mount: "rw,relatime" */
	char *super;   /* of the file system, by whichever mount: "rw,errors=remount-ro" */
};

/* Calls match for one mount after the other until it returns true; whether it did. */
bool mounts_any(bool (*match)(const struct mount_entry *m, void *arg), void *arg);

/* Turns \040 and its kin back into the characters, in place. */
void mounts_unescape(char *s);

#endif
