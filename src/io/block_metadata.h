/* block_metadata.h: the metadata that a block device keeps with its blocks, such as protection information,
   as the kernel transfers them beside the data. */
#ifndef BLOCK_METADATA_H
#define BLOCK_METADATA_H

#include <linux/ioctl.h>
#include <stdint.h>

struct nvme_ns;

/* The kernel's answer, from linux/fs.h of Linux 6.17; the headers of Debian 12 do not have it. */
struct block_metadata_caps {
	uint32_t flags;    /* BLOCK_METADATA_* */
	uint16_t interval; /* bytes of data that the metadata belong to */
	uint8_t size;
	uint8_t opaque_size, opaque_offset; /* the part beside protection information */
	uint8_t pi_size, pi_offset;
	uint8_t guard; /* enum block_metadata_guard */
	uint8_t app_tag_size, ref_tag_size, storage_tag_size, pad;
};

#define BLOCK_METADATA_REF_TAG 2u /* the reference tags are checked: not those of type 3 */
enum block_metadata_guard { GUARD_NONE, GUARD_IP_CHECKSUM, GUARD_CRC16, GUARD_CRC64 = 4 };

#define BLOCK_METADATA_GET _IOWR(0x15, 2, struct block_metadata_caps) /* FS_IOC_GETLBMD_CAP */

/* Asks the kernel for the metadata of the open block device: fills in what format they have, and leaves the
   rest 0. md_bytes is 0 if the kernel transfers none. Returns 0, or -errno: kernels before Linux 6.17 do not
   know the question (-ENOTTY). */
int block_metadata_read(struct nvme_ns *ns, int fd);
/* Does the same with an answer of the kernel. Pure. */
void block_metadata_format(struct nvme_ns *ns, const struct block_metadata_caps *caps);

#endif
