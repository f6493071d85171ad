/* nvme_metadata.h: the metadata of blocks that io_uring_cmd and io_uring transfer, in buffers of their own:
   one for each I/O of the queue. Where the format interleaves blocks and metadata (extended), such a buffer
   holds both, and the data are copied. With pi_act=0 the protection information of writes is made here, and
   that of reads is checked. */
#ifndef NVME_METADATA_H
#define NVME_METADATA_H

#include <linux/nvme_ioctl.h>
#include <stdbool.h>
#include <stdint.h>
#include "nvme.h"
#include "uring.h"

struct engine_ctx;
struct io;
struct nvme_metadata;
struct strbuf;

/* Returns whether commands to the namespace transfer metadata. They do not if the controller makes and strips
   all that there is. */
static inline bool nvme_transfers_metadata(const struct nvme_ns *ns, bool pi_act)
{
	return ns->md_bytes > (ns->pi_type && pi_act ? 8 : 0);
}

/* Sets *md to NULL if no file of the job has blocks whose metadata are transferred. Returns 0 or -ENOMEM. */
int nvme_metadata_new(struct nvme_metadata **md, const struct engine_ctx *ctx,
		      const struct passthrough_opts *o);
void nvme_metadata_free(struct nvme_metadata *md);
/* See refuse_namespace in engine.h. */
const char *nvme_metadata_refuse(const struct uring_opts *o, const struct nvme_ns *ns, const char *path,
				 uint32_t bytes, struct strbuf *why);

/* Adds the metadata to the command of a read or a write, and makes those of a write. Returns whether the
   command's data are still those in io->buf. */
bool nvme_metadata_add(struct nvme_metadata *md, const struct io *io, struct nvme_uring_cmd *c);
/* Makes the metadata of a write that are separate from the data, and returns how many bytes the I/O has in
 *metadata; 0: none. */
uint32_t nvme_metadata_prepare(struct nvme_metadata *md, const struct io *io, void **metadata);
/* Takes the data of a complete read, io->res bytes, and checks them. Sets io->res to -EILSEQ, with
   io->reason, if the protection information does not match. */
void nvme_metadata_take(struct nvme_metadata *md, struct io *io);

#endif
