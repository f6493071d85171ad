/* uring_attributes.h: the metadata that io_uring transfers with the blocks of a block device, by the
   attribute of the kernel for protection information. nvme_metadata.h makes and checks them. */
#ifndef URING_ATTRIBUTES_H
#define URING_ATTRIBUTES_H

#include <stdint.h>

struct engine_ctx;
struct io;
struct io_uring_sqe;
struct nvme_ns;
struct strbuf;
struct uring_attributes;

/* Returns the option that asks for metadata, or NULL. */
const char *uring_attributes_wanted(const void *opts);
/* See refuse_namespace in engine.h. */
const char *uring_attributes_refuse(const void *opts, const struct nvme_ns *ns, const char *path,
				    uint32_t bytes, struct strbuf *why);

/* Sets *attributes to NULL if the options ask for no metadata. Returns 0 or -ENOMEM. */
int uring_attributes_new(struct uring_attributes **attributes, const struct engine_ctx *ctx);
void uring_attributes_free(struct uring_attributes *a);

/* Adds the attribute to the SQE of a read or write, and clears that of other operations. */
void uring_attributes_fill(struct uring_attributes *a, struct io_uring_sqe *sqe, const struct io *io);
/* Checks the protection information of a complete read, as nvme_metadata_take does. */
void uring_attributes_take(struct uring_attributes *a, struct io *io);

#endif
