#include "block_metadata.h"

#include <errno.h>
#include <sys/ioctl.h>
#include "nvme.h"

static uint8_t guard_bits(uint8_t guard)
{
	return guard == GUARD_CRC16 ? 16 : guard == GUARD_CRC64 ? 64 : 0;
}

/* Types 1 and 2 differ in what a controller expects, which is the kernel's business. */
void block_metadata_format(struct nvme_ns *ns, const struct block_metadata_caps *caps)
{
	*ns = (struct nvme_ns){ 0 };
	if (!caps->size || caps->interval < 512)
		return;
	ns->md_bytes = caps->size;
	ns->lba_shift = (uint8_t)__builtin_ctz(caps->interval);
	if (!caps->pi_size)
		return;
	ns->pi_type = caps->flags & BLOCK_METADATA_REF_TAG ? 1 : 3;
	ns->pi_first = !caps->pi_offset;
	ns->guard_bits = guard_bits(caps->guard);
}

int block_metadata_read(struct nvme_ns *ns, int fd)
{
	struct block_metadata_caps caps = { 0 };

	*ns = (struct nvme_ns){ 0 };
	if (ioctl(fd, BLOCK_METADATA_GET, &caps))
		return -errno;
	block_metadata_format(ns, &caps);
	return 0;
}
