/* loop_devices.h: the files and devices behind loop devices. A loop device itself says what is behind it,
   because its file may have lost its name, or have another one here (a hard link, another mount namespace, a
   chroot). */
#ifndef LOOP_DEVICES_H
#define LOOP_DEVICES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* A file or block device that may be behind a loop device. */
struct loop_backing {
	dev_t dev;
	ino_t ino;
	dev_t rdev; /* of a device; 0: a file, which dev and ino identify */
	uint64_t size;
};

/* A loop device that has a file or device behind it. */
struct loop_device {
	dev_t number;
	char name[32]; /* "loop0" */
	/* 0, or -errno if it could not be asked, nor its file be found by its name. `backing` is then
	 * unknown. */
	int error;
	struct loop_backing backing;
	uint64_t size, offset; /* its own size, and where it begins in its file, in bytes */
	bool limited;          /* it may end before its file does */
};

struct loop_devices {
	struct loop_device *v; /* owned */
	size_t n, cap;
	bool listed;
	int error; /* 0, or -errno: the kernel's loop devices could not be listed */
};

enum loop_match { LOOP_OTHER, LOOP_MAY_MATCH, LOOP_MATCHES };

/* Lists the loop devices into *l, which the caller has zeroed. Further calls with the same list do nothing.
 */
void loop_devices_list(struct loop_devices *l);
void loop_devices_fini(struct loop_devices *l);
/* Returns whether this file or device is behind the loop device. LOOP_MAY_MATCH: that is unknown, but the
   sizes fit. */
enum loop_match loop_device_match(const struct loop_device *l, const struct loop_backing *b);
/* Opens the loop device for reading, with further flags of open(2). Returns a descriptor or -errno. */
int loop_device_open(const struct loop_device *l, int flags);

#endif
