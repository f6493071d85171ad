#include "scsi.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <scsi/sg.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/sysmacros.h>
#include "blockdev.h"
#include "sysfs.h"

#define TYPE_DISK         0
#define TYPE_HOST_MANAGED 0x14 /* a zoned disk whose zones must be written in order */

static bool is_disk_type(uint64_t type)
{
	return type == TYPE_DISK || type == TYPE_HOST_MANAGED;
}

/* Copies the name of the only entry of a directory. */
static int only_entry(char *name, size_t size, const char *path)
{
	const struct dirent *e;
	DIR *dir = opendir(path);
	int ret = -ENOENT;

	if (!dir)
		return -errno;
	while (ret && (e = readdir(dir)))
		if (e->d_name[0] != '.')
			ret = (size_t)snprintf(name, size, "%s", e->d_name) < size ? 0 : -ENAMETOOLONG;
	closedir(dir);
	return ret;
}

int scsi_block_device(struct blockdev *b, dev_t character)
{
	unsigned cmaj = major(character), cmin = minor(character), maj, min;
	char path[PATH_MAX], name[sizeof(b->name)], text[32];
	uint64_t type;

	if (sysfs_u64(&type, "/sys/dev/char/%u:%u/device/type", cmaj, cmin) || !is_disk_type(type))
		return -ENOENT;
	snprintf(path, sizeof(path), "%s/sys/dev/char/%u:%u/device/block", sysfs_root, cmaj, cmin);
	if (only_entry(name, sizeof(name), path) ||
	    sysfs_line(text, sizeof(text), "/sys/dev/char/%u:%u/device/block/%s/dev", cmaj, cmin, name) ||
	    sscanf(text, "%u:%u", &maj, &min) != 2)
		return -ENOENT;
	b->dev = makedev(maj, min);
	memcpy(b->name, name, sizeof(name));
	return 0;
}

/* Returns whether the device below a block device is a SCSI disk, and its type. A partition has no such
   device. */
static bool is_disk(unsigned maj, unsigned min, uint64_t *type)
{
	uint64_t level;

	return !sysfs_u64(&level, "/sys/dev/block/%u:%u/device/scsi_level", maj, min) &&
	       !sysfs_u64(type, "/sys/dev/block/%u:%u/device/type", maj, min) && is_disk_type(*type);
}

void scsi_disk_read(struct scsi_disk *disk, dev_t block)
{
	unsigned maj = major(block), min = minor(block);
	uint64_t type, bytes, segments, piece;

	*disk = (struct scsi_disk){ 0 };
	if (!is_disk(maj, min, &type) ||
	    sysfs_u64(&bytes, "/sys/dev/block/%u:%u/queue/logical_block_size", maj, min) || bytes < 512 ||
	    bytes & (bytes - 1) || bytes > 1u << 24)
		return;
	disk->max_bytes = disk->sg_max_bytes = blockdev_max_transfer(block);
	if (!sysfs_u64(&segments, "/sys/dev/block/%u:%u/queue/max_segments", maj, min) &&
	    !sysfs_u64(&piece, "/sys/module/sg/parameters/scatter_elem_sz") && piece &&
	    segments < disk->max_bytes / piece)
		disk->sg_max_bytes = (uint32_t)(segments * piece);
	disk->lba_shift = (uint8_t)__builtin_ctzll(bytes);
	disk->long_commands = type == TYPE_HOST_MANAGED;
}

uint64_t scsi_disk_bytes(dev_t block)
{
	uint64_t sectors;

	return sysfs_u64(&sectors, "/sys/dev/block/%u:%u/size", major(block), minor(block)) ? 0
											    : sectors * 512;
}

int scsi_flush(int fd, const struct scsi_disk *disk)
{
	unsigned char command[16] = { disk->long_commands ? SCSI_SYNCHRONIZE_CACHE_16
							  : SCSI_SYNCHRONIZE_CACHE };
	unsigned char sense[32];
	struct sg_io_hdr h = {
		.interface_id = 'S',
		.dxfer_direction = SG_DXFER_NONE,
		.cmdp = command,
		.cmd_len = disk->long_commands ? 16 : 10,
		.sbp = sense,
		.mx_sb_len = sizeof(sense),
		.timeout = SCSI_TIMEOUT_MS,
	};
	struct scsi_status s;

	if (ioctl(fd, SG_IO, &h))
		return -errno;
	return scsi_status_read(&s, &h) ? -scsi_status_errno(&s) : 0;
}
