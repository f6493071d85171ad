#include "uring_attributes.h"

#include <errno.h>
#include <stdlib.h>
#include "engine.h"
#include "io.h"
#include "message.h"
#include "nvme_command.h"
#include "nvme_metadata.h"
#include "uring.h"

/* struct io_uring_attr_pi and IORING_RW_ATTR_FLAG_PI of linux/io_uring.h, IO_INTEGRITY_CHK_* of linux/fs.h.
   The headers of Debian 12 do not have them. In an SQE the address of the attribute is in addr3, and the
   mask of attributes in __pad2. */
struct attribute {
	uint16_t checks; /* by the controller */
	uint16_t app_tag;
	uint32_t bytes;
	uint64_t metadata;
	uint64_t ref; /* reference tag of the first block; on a partition the kernel adds its start */
	uint64_t reserved;
};
#define ATTRIBUTE_PROTECTION 1u
#define CHECK_GUARD          1u
#define CHECK_REF            2u
#define CHECK_APP            4u

struct uring_attributes {
	struct nvme_metadata *metadata;
	struct attribute *v; /* by io->index */
};

/* The attribute has no mask: the controller checks all bits of the application tag. */
static bool masks_app_tag(const struct passthrough_opts *o)
{
	return o->apptag_mask != 0xffff;
}

const char *uring_attributes_wanted(const void *opts)
{
	const struct uring_opts *o = opts;

	return !o ? NULL : !o->cmd.pi_act ? "pi_act" : o->cmd.md_per_io_size ? "md_per_io_size" : NULL;
}

const char *uring_attributes_refuse(const void *opts, const struct nvme_ns *ns, const char *path,
				    uint32_t bytes, struct strbuf *why)
{
	const struct uring_opts *o = opts;

	if (ns->pi_type && o->cmd.pi_act) {
		message_printf(
			why,
			"{md_per_io_size=%u}: needs {+pi_act=0} on %s, because io_uring cannot ask the "
			"controller to make protection information",
			o->cmd.md_per_io_size, path);
		return "md_per_io_size";
	}
	if (o->cmd.pi_chk & NVME_PRCHK_APP && masks_app_tag(&o->cmd) &&
	    o->cmd.pi_chk_by == PI_CHK_BY_CONTROLLER) {
		message_printf(why,
			       "{apptag_mask=%u}: needs {+pi_chk_by=host}, because io_uring passes no "
			       "mask to the controller",
			       o->cmd.apptag_mask);
		return "apptag_mask";
	}
	return nvme_metadata_refuse(o, ns, path, bytes, why);
}

/* Returns the checks that the controller makes. */
static uint16_t checks_of(const struct passthrough_opts *o)
{
	uint16_t checks = 0;

	if (o->pi_chk_by == PI_CHK_BY_HOST)
		return 0;
	if (o->pi_chk & NVME_PRCHK_GUARD)
		checks |= CHECK_GUARD;
	if (o->pi_chk & NVME_PRCHK_REF)
		checks |= CHECK_REF;
	if (o->pi_chk & NVME_PRCHK_APP && !masks_app_tag(o))
		checks |= CHECK_APP;
	return checks;
}

static int add_attributes(struct uring_attributes *a, const struct engine_ctx *ctx,
			  const struct passthrough_opts *o)
{
	a->v = calloc(ctx->depth, sizeof(*a->v));
	if (!a->v)
		return -ENOMEM;
	for (unsigned i = 0; i < ctx->depth; i++)
		a->v[i] = (struct attribute){ .checks = checks_of(o), .app_tag = (uint16_t)o->apptag };
	return nvme_metadata_new(&a->metadata, ctx, o);
}

int uring_attributes_new(struct uring_attributes **attributes, const struct engine_ctx *ctx)
{
	const struct uring_opts *o = ctx->opts;
	struct uring_attributes *a;
	int ret;

	*attributes = NULL;
	if (!uring_attributes_wanted(o))
		return 0;
	a = calloc(1, sizeof(*a));
	if (!a)
		return -ENOMEM;
	ret = add_attributes(a, ctx, &o->cmd);
	if (!ret && a->metadata)
		*attributes = a;
	else
		uring_attributes_free(a);
	return ret;
}

void uring_attributes_free(struct uring_attributes *a)
{
	if (!a)
		return;
	nvme_metadata_free(a->metadata);
	free(a->v);
	free(a);
}

void uring_attributes_fill(struct uring_attributes *a, struct io_uring_sqe *sqe, const struct io *io)
{
	struct attribute *attribute = &a->v[io->index];
	const struct nvme_ns *format = io->file->metadata;
	void *metadata;

	sqe->__pad2[0] = 0;
	if (io->op > IO_WRITE)
		return;
	attribute->bytes = nvme_metadata_prepare(a->metadata, io, &metadata);
	if (!attribute->bytes)
		return;
	attribute->metadata = (uintptr_t)metadata;
	attribute->ref = (uint32_t)(io->offset >> format->lba_shift);
	sqe->addr3 = (uintptr_t)attribute;
	sqe->__pad2[0] = ATTRIBUTE_PROTECTION;
}

void uring_attributes_take(struct uring_attributes *a, struct io *io)
{
	if (io->res <= 0) {
		io->reason = NULL;
		io->nvme_status = 0;
	} else if (io->op == IO_READ) {
		nvme_metadata_take(a->metadata, io);
	}
}
