/* nvme_command.h: encodes the commands that io_uring_cmd sends. Pure. Only the commands of enum nvme_opcode
   exist, so no job can send another one. */
#ifndef NVME_COMMAND_H
#define NVME_COMMAND_H

#include <endian.h>
#include <linux/nvme_ioctl.h>
#include <stdbool.h>
#include <stdint.h>
#include "io.h"
#include "nvme.h"

/* Bits of cdw12 of reads, writes and commands like them. */
#define NVME_FUA         (1u << 30)
#define NVME_PRACT       (1u << 29) /* the controller inserts, and strips, protection information */
#define NVME_PRCHK_GUARD (1u << 28)
#define NVME_PRCHK_APP   (1u << 27)
#define NVME_PRCHK_REF   (1u << 26)
#define NVME_DEAC        (1u << 25) /* Write Zeroes may deallocate the blocks */

/* The kind of directive in cdw12, and the placement id in cdw13. */
#define NVME_DTYPE_PLACEMENT (2u << 20)
#define NVME_DSPEC_SHIFT     16

#define NVME_DSM_DEALLOCATE (1u << 2) /* cdw11 of Dataset Management */

/* What the reads, or the writes, of a job have in common. */
struct nvme_command {
	uint8_t opcode;
	bool no_data;   /* the command moves no data */
	bool append;    /* the command names a zone, and the device chooses the place in it */
	uint32_t cdw12; /* without the number of blocks */
	/* For namespaces with protection information: PRACT and checks in cdw12, and the application tag with
	   its mask. */
	uint32_t protection, tags;
};

#define NVME_DSM_RANGES_MAX 256u

/* A range of Dataset Management. */
struct nvme_dsm_range {
	uint32_t attributes, blocks;
	uint64_t first;
};

/* Fills in a read, a write or a command like them; cdw2, cdw3, metadata, cdw13 and the timeout are left as
   they are, which is 0. The reference tag of types 1 and 2 is the lower part of the block's address; the
   controller counts it up from that of the first block. Those of type 3 are not checked. */
static inline void nvme_command_data(struct nvme_uring_cmd *c, const struct nvme_command *kind,
				     const struct nvme_ns *ns, uint64_t offset, uint32_t bytes,
				     const void *data)
{
	uint64_t first = offset >> ns->lba_shift;

	c->opcode = kind->opcode;
	c->nsid = ns->nsid;
	c->addr = kind->no_data ? 0 : (uintptr_t)data;
	c->data_len = kind->no_data ? 0 : bytes;
	c->cdw10 = (uint32_t)first;
	c->cdw11 = (uint32_t)(first >> 32);
	c->cdw12 = kind->cdw12 | (ns->pi_type ? kind->protection : 0) | ((bytes >> ns->lba_shift) - 1);
	c->cdw14 = ns->pi_type == 1 || ns->pi_type == 2 ? (uint32_t)first : 0;
	c->cdw15 = ns->pi_type ? kind->tags : 0;
}

/* Fills in a command that resets the zone at this offset. */
static inline void nvme_command_reset_zone(struct nvme_uring_cmd *c, const struct nvme_ns *ns,
					   uint64_t offset)
{
	uint64_t first = offset >> ns->lba_shift;

	*c = (struct nvme_uring_cmd){ .opcode = NVME_ZONE_MANAGEMENT_SEND,
				      .nsid = ns->nsid,
				      .cdw10 = (uint32_t)first,
				      .cdw11 = (uint32_t)(first >> 32),
				      .cdw13 = NVME_ZONE_RESET };
}

static inline void nvme_command_flush(struct nvme_uring_cmd *c, const struct nvme_ns *ns)
{
	*c = (struct nvme_uring_cmd){ .opcode = NVME_FLUSH, .nsid = ns->nsid };
}

/* Fills in n ranges, which must live until the command is complete, and a command that deallocates them. */
static inline void nvme_command_trim(struct nvme_uring_cmd *c, const struct nvme_ns *ns,
				     const struct io_range *r, unsigned n, struct nvme_dsm_range *range)
{
	for (unsigned i = 0; i < n; i++)
		range[i] = (struct nvme_dsm_range){ .blocks = htole32(r[i].len >> ns->lba_shift),
						    .first = htole64(r[i].offset >> ns->lba_shift) };
	*c = (struct nvme_uring_cmd){ .opcode = NVME_DATASET_MANAGEMENT,
				      .nsid = ns->nsid,
				      .addr = (uintptr_t)range,
				      .data_len = n * (uint32_t)sizeof(*range),
				      .cdw10 = n - 1, /* their number, counted from 0 */
				      .cdw11 = NVME_DSM_DEALLOCATE };
}

#endif
