/* in_use.h: whether a block device or file is in use already. It opens devices for reading only. */
#ifndef IN_USE_H
#define IN_USE_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>
#include "loop_devices.h"

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
