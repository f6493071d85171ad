/* scsi.h: SCSI disks that a job reaches with passthrough, through their block devices (/dev/sda) or character
   devices (/dev/sg0), and the words of SCSI's errors. */
#ifndef SCSI_H
#define SCSI_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct blockdev;

#define SCSI_SYNCHRONIZE_CACHE    0x35 /* the operation code of a flush */
#define SCSI_SYNCHRONIZE_CACHE_16 0x91
#define SCSI_TIMEOUT_MS           60000 /* of a command: that of the kernel for SG_IO */

struct scsi_disk {
	uint8_t lba_shift;     /* a block has 1 << lba_shift bytes; 0: the target is no SCSI disk */
	uint32_t max_bytes;    /* the most that one command transfers; 0: unknown */
	uint32_t sg_max_bytes; /* the same on the character device, where the sg driver copies the data
				  through max_segments pieces of memory of scatter_elem_sz bytes */
	bool long_commands;    /* it takes reads, writes and flushes of 16 bytes only: a host-managed disk */
};

/* Finds the block device of the SCSI disk whose character device has this number, from sysfs. Returns 0;
   -ENOENT if the number belongs to no disk (peripheral device types 0 and 0x14), or to one without a block
   device. */
int scsi_block_device(struct blockdev *b, dev_t character);
/* Fills in the facts about a whole disk from sysfs; zeroes for any other block device, such as a partition.
 */
void scsi_disk_read(struct scsi_disk *disk, dev_t block);
/* Returns the size of a block device from sysfs; 0: unknown. */
uint64_t scsi_disk_bytes(dev_t block);
/* Sends SYNCHRONIZE CACHE for the whole disk, and waits for it. Returns 0 or -errno. */
int scsi_flush(int fd, const struct scsi_disk *disk);

/* scsi_status.c: the answer to a failed command. Pure. */

struct sg_io_hdr;

struct scsi_status {
	uint8_t status; /* of the disk, such as 0x02, CHECK CONDITION; 0: good */
	uint8_t host;   /* of the adapter's driver, if the command did not reach the disk; 0: it did */
	uint8_t key, asc,
		ascq; /* sense data of CHECK CONDITION: sense key, additional code and its qualifier */
};

/* Reads the answer to a command that the kernel has returned. Returns whether the command failed. */
bool scsi_status_read(struct scsi_status *s, const struct sg_io_hdr *answer);
/* Returns the positive errno of this status. It is that of users of the block device; EAGAIN for a command
   that Linux would send again for them. */
int scsi_status_errno(const struct scsi_status *s);
/* Writes words and numbers, such as "medium error, unrecovered read error (SCSI sense 3/11/00)". */
const char *scsi_status_text(const struct scsi_status *s, char *text, size_t size);

#endif
