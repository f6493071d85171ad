/* nvme.h: NVMe namespaces that a job reaches with passthrough, through their character devices (/dev/ng0n1),
   and the words of NVMe's errors. The only admin commands that fiord sends are
   Identify and, for the SMART log, Get Log Page. */
#ifndef NVME_H
#define NVME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct blockdev;
struct props;

enum nvme_opcode {
	NVME_FLUSH = 0x00,
	NVME_WRITE = 0x01,
	NVME_READ = 0x02,
	NVME_WRITE_UNCORRECTABLE = 0x04,
	NVME_WRITE_ZEROES = 0x08,
	NVME_DATASET_MANAGEMENT = 0x09,
	NVME_VERIFY = 0x0c,
	NVME_ZONE_MANAGEMENT_SEND = 0x79,
	NVME_ZONE_APPEND = 0x7d,
};

/* The format of a namespace. */
struct nvme_ns {
	uint32_t nsid;      /* 0: unknown */
	uint64_t blocks;    /* its size; in bytes it is less than 2^63 */
	uint32_t max_bytes; /* the most that the device transfers with one command; 0: unknown */
	uint16_t md_bytes;  /* metadata of each block; 0: none */
	uint8_t lba_shift;  /* a block has 1 << lba_shift bytes of data */
	bool extended;      /* the metadata follows the data of each block; else it has a buffer of its own */
	uint8_t pi_type;    /* of protection information: 1 to 3; 0: none */
	bool pi_first;      /* it begins the metadata, else it ends it */
	uint8_t guard_bits; /* of a CRC: 16, 32 or 64; 0: the guard is an IP checksum */
	/* Of a trim: the most ranges (DMRL), blocks of a range (DMRSL) and blocks (DMSL); 0: no limit known
	 */
	uint8_t trim_ranges;
	uint32_t trim_range_blocks;
	uint64_t trim_blocks;
};

#define NVME_IDENTIFY_BYTES 4096
/* The most blocks of a read, a write or a command like them: their number is a field of 16 bits that counts
   from 0. */
#define NVME_BLOCKS_MAX 65536u

/* Finds the block device of the namespace whose character device has this number, from sysfs. Returns 0;
   -ENOENT if the number belongs to no namespace, or to one that has no block device. With multipath that is
   the block device of all its paths. */
int nvme_block_device(struct blockdev *b, dev_t character);

/* Asks the namespace of the open character device for its format. Returns 0, or -errno: -EACCES if this
   process may not send commands, -EIO if the device refused the command. */
int nvme_identify(struct nvme_ns *ns, int fd);
/* Reads the format out of the answer to Identify (CNS 0). Returns 0, or -EINVAL if the answer makes no sense:
   blocks below 512 bytes or above 16 MiB, 2^63 bytes or more, or an unknown kind of protection information.
 */
int nvme_format_read(struct nvme_ns *ns, const uint8_t answer[NVME_IDENTIFY_BYTES]);
/* Reads the limits of trims out of the answer to Identify (CNS 6) of the NVM command set. */
void nvme_trim_limits_read(struct nvme_ns *ns, const uint8_t answer[NVME_IDENTIFY_BYTES]);
/* Sends the command Flush and waits for it. Returns 0 or -errno. */
int nvme_flush(int fd, uint32_t nsid);

/* What the command Zone Management Send does with a zone. */
enum nvme_zone_action { NVME_ZONE_FINISH = 2, NVME_ZONE_RESET = 4 };
/* Sends the command about the zone that begins at this offset, and waits for it. Returns 0 or -errno. */
int nvme_zone_send(int fd, const struct nvme_ns *ns, enum nvme_zone_action action, uint64_t offset);

/* Temperature and wear, from the SMART log. */

#define NVME_SMART_BYTES 512

/* Adds the health of an NVMe disk before or after a run, as smart_before_NAME or smart_after_NAME, or
   nothing: the kernel lets only root ask for the log. It opens the disk for reading. */
void nvme_health_add(struct props *p, dev_t block, bool after);
/* Adds what a log says. Pure. */
void nvme_health_read(struct props *p, const uint8_t log[NVME_SMART_BYTES], bool after);

/* nvme_status.c: the status of a failed command: bits 0 to 7 are the status code (SC), 8 to 10 its type
   (SCT); higher bits are ignored. Pure. */

/* Returns the positive errno that the kernel returns for this status to users of the block device. */
int nvme_status_errno(uint16_t status);
/* Writes words and numbers, such as "unrecovered read error (NVMe status: sct 2, sc 0x81)". */
const char *nvme_status_text(uint16_t status, char *text, size_t size);

#endif
