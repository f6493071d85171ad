/* in_use.h: what a block device is used for already. Opens it for reading only. */
#ifndef IN_USE_H
#define IN_USE_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/* Fills why with the reason not to write the device, such as "it is mounted on /mnt/data", or "" if there is
   none: mounted, swap, held by a device stacked on it or opened exclusively by anyone; the same for its
   partitions and for the disk it is a part of; partitions; a file system, RAID, LVM or other signature, or a
   partition table. fd is any open descriptor of it. Whatever cannot be examined counts as a reason. The
   exclusive look lasts a moment; looks of other runs at the same time are waited for (0.1 s at most).
   contents: look for signatures, too, which reads from the device (some 50 reads, 1 MiB). */
void in_use_device(int fd, dev_t rdev, bool contents, char *why, size_t size);

/* The same for a regular file: in use as the contents of a loop device that is itself in use. */
void in_use_file(dev_t dev, ino_t ino, char *why, size_t size);

#endif
