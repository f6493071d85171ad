/* in_use.h: whether a block device or file is in use already. It opens devices for reading only. */
#ifndef IN_USE_H
#define IN_USE_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>
#include <stdint.h>

/* loop_devices.c: the files and devices behind loop devices. A loop device itself says what is behind it,
   because its file may have lost its name, or have another one here (a hard link, another mount namespace, a
   chroot). */

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

enum in_use {
	IN_USE_NOT,
	IN_USE_DATA, /* nobody uses it, but it holds data: partitions, a file system or another signature */
	IN_USE_BUSY, /* somebody uses it, or fiord cannot find out whether anybody does */
};

/* Fills why with the reason not to write the device, such as "it is mounted on /mnt/data", or with "" if
   it is free, and returns which kind of reason it is. Reasons are: it is mounted, in use as swap, held by a
   stacked device, behind a loop device in use, or opened exclusively by another program; the same holds for
   one of its partitions or for its disk; it has partitions; it carries a file system, RAID, LVM or other
   signature, or a partition table. If a check cannot be made, that is a reason too.

   fd is any open descriptor of the device. To test for other holders the function opens the device
   exclusively for a moment; if another fiord does so at the same time, it retries for at most 0.1 s. With
   `contents` it also searches for signatures, which takes some 50 reads (1 MiB) from the device. */
enum in_use in_use_device(int fd, dev_t rdev, bool contents, char *why, size_t size);

/* Makes those of the checks that need no open descriptor, for a device that cannot be opened: it is mounted,
   in use as swap or held by a stacked device, or one of its partitions or its disk is; it has partitions. */
enum in_use in_use_unopened(dev_t rdev, char *why, size_t size);

/* Does the same for a regular file that may be behind a loop device: fills why with the reason why that
   device is in use, or with "". IN_USE_DATA: some loop device does not say what is behind it, and may be that
   of the file. *loops has been zeroed, or filled by an earlier call; the caller calls loop_devices_fini at
   the end. */
enum in_use in_use_file(struct loop_devices *loops, const struct loop_backing *file, char *why, size_t size);

#endif
