#include "nvme_metadata.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "engine.h"
#include "io.h"
#include "message.h"
#include "nvme_command.h"
#include "protection.h"
#include "units.h"

#define ALIGN 4096u

/* The metadata of a namespace. */
struct metadata_format {
	uint32_t bytes; /* of each block; 0: not transferred */
	bool extended;
	bool made;               /* the host makes protection information; else metadata are zeros */
	bool zeros_before_tuple; /* the metadata have more bytes than a tuple */
	struct protection protection;
};

struct metadata_words {
	char text[112];
};

struct nvme_metadata {
	size_t stride; /* bytes of the buffer of an I/O */
	unsigned char *base;
	struct metadata_format *format; /* by file->index */
	struct metadata_words *words;   /* by io->index: what a failed check found */
};

/* ---- start and end ---- */

static uint8_t host_checks(const struct passthrough_opts *o)
{
	if (o->pi_chk_by == PI_CHK_BY_CONTROLLER)
		return 0;
	return (uint8_t)((o->pi_chk & NVME_PRCHK_GUARD ? PROTECTION_GUARD : 0) |
			 (o->pi_chk & NVME_PRCHK_APP ? PROTECTION_APP : 0) |
			 (o->pi_chk & NVME_PRCHK_REF ? PROTECTION_REF : 0));
}

static const struct nvme_ns *format_of_file(const struct file *f)
{
	return f->nvme ? f->nvme : f->metadata;
}

static struct metadata_format format_of(const struct nvme_ns *ns, const struct passthrough_opts *o)
{
	struct metadata_format f = { 0 };

	if (!ns || !nvme_transfers_metadata(ns, o->pi_act))
		return f;
	f.bytes = ns->md_bytes;
	f.extended = ns->extended;
	f.made = ns->pi_type && !o->pi_act;
	f.zeros_before_tuple = !f.made || f.bytes > PROTECTION_BYTES;
	f.protection = (struct protection){
		.block_bytes = 1u << ns->lba_shift,
		.before = f.made && !ns->pi_first ? f.bytes - PROTECTION_BYTES : 0,
		.type = ns->pi_type,
		.checks = f.made ? host_checks(o) : 0,
		.app_tag = (uint16_t)o->apptag,
		.app_mask = (uint16_t)o->apptag_mask,
	};
	return f;
}

/* Returns the bytes that an I/O of `bytes` needs beside io->buf. */
static size_t metadata_buffer_bytes(const struct metadata_format *f, size_t bytes)
{
	size_t blocks = bytes / f->protection.block_bytes;

	return blocks * (f->bytes + (f->extended ? f->protection.block_bytes : 0));
}

/* Fills in the formats, and the size of buffers that serve all of them. */
static void read_formats(struct nvme_metadata *md, const struct engine_ctx *ctx,
			 const struct passthrough_opts *o)
{
	for (unsigned i = 0; i < ctx->nfiles; i++) {
		struct metadata_format *f = &md->format[i];
		size_t need;

		*f = format_of(format_of_file(&ctx->files[i]), o);
		need = f->bytes ? metadata_buffer_bytes(f, ctx->bufs->stride) : 0;
		if (f->bytes && !f->extended && need < o->md_per_io_size)
			need = o->md_per_io_size;
		if (md->stride < need)
			md->stride = need;
	}
	md->stride = (md->stride + ALIGN - 1) / ALIGN * ALIGN;
}

static bool transfers_any(const struct engine_ctx *ctx, bool pi_act)
{
	for (unsigned i = 0; i < ctx->nfiles; i++) {
		const struct nvme_ns *ns = format_of_file(&ctx->files[i]);

		if (ns && nvme_transfers_metadata(ns, pi_act))
			return ctx->bufs;
	}
	return false;
}

int nvme_metadata_new(struct nvme_metadata **out, const struct engine_ctx *ctx,
		      const struct passthrough_opts *o)
{
	struct nvme_metadata *md;
	void *base = NULL;

	*out = NULL;
	if (!transfers_any(ctx, o->pi_act))
		return 0;
	md = calloc(1, sizeof(*md));
	if (!md)
		return -ENOMEM;
	md->format = calloc(ctx->nfiles, sizeof(*md->format));
	md->words = calloc(ctx->depth, sizeof(*md->words));
	if (md->format)
		read_formats(md, ctx, o);
	if (!md->format || !md->words || posix_memalign(&base, ALIGN, md->stride * ctx->depth)) {
		nvme_metadata_free(md);
		return -ENOMEM;
	}
	md->base = base;
	memset(base, 0, md->stride * ctx->depth);
	*out = md;
	return 0;
}

void nvme_metadata_free(struct nvme_metadata *md)
{
	if (!md)
		return;
	free(md->base);
	free(md->format);
	free(md->words);
	free(md);
}

/* ---- I/Os ---- */

/* Describes the first blocks of an I/O. */
static struct protected_blocks blocks_of(const struct nvme_metadata *md, const struct metadata_format *f,
					 const struct io *io, uint32_t bytes)
{
	uint32_t block = f->protection.block_bytes;
	unsigned char *buffer = md->base + io->index * md->stride;

	return (struct protected_blocks){
		.data = io->buf,
		.metadata = f->extended ? buffer + block : buffer,
		.metadata_step = f->bytes + (f->extended ? block : 0),
		.n = bytes / block,
		.ref = (uint32_t)(io->offset / block),
	};
}

/* Copies data between io->buf and the buffer that interleaves them with metadata. */
static void copy_blocks(const struct metadata_format *f, const struct protected_blocks *b, void *data,
			bool write)
{
	uint32_t block = f->protection.block_bytes;
	unsigned char *at = b->metadata - block, *p = data;

	for (uint32_t i = 0; i < b->n; i++, at += b->metadata_step, p += block)
		memcpy(write ? at : p, write ? p : at, block);
}

static void make_tuples(const struct metadata_format *f, const struct protected_blocks *b)
{
	if (f->zeros_before_tuple)
		for (uint32_t i = 0; i < b->n; i++)
			memset(b->metadata + i * b->metadata_step, 0, f->bytes);
	if (f->made)
		protection_make(&f->protection, b);
}

/* Describes the blocks of an I/O, and makes the metadata of a write. */
static struct protected_blocks blocks_of_io(const struct nvme_metadata *md, const struct metadata_format *f,
					    const struct io *io)
{
	struct protected_blocks b = blocks_of(md, f, io, io->len);

	if (io->op == IO_WRITE) {
		make_tuples(f, &b);
		if (f->extended)
			copy_blocks(f, &b, io->buf, true);
	}
	return b;
}

uint32_t nvme_metadata_prepare(struct nvme_metadata *md, const struct io *io, void **metadata)
{
	const struct metadata_format *f = &md->format[io->file->index];
	struct protected_blocks b;

	if (!f->bytes)
		return 0;
	b = blocks_of_io(md, f, io);
	*metadata = b.metadata;
	return b.n * f->bytes;
}

bool nvme_metadata_add(struct nvme_metadata *md, const struct io *io, struct nvme_uring_cmd *c)
{
	const struct metadata_format *f = &md->format[io->file->index];
	struct protected_blocks b;

	if (!f->bytes)
		return true;
	b = blocks_of_io(md, f, io);
	if (f->extended) {
		c->addr = (uintptr_t)b.metadata - f->protection.block_bytes;
		c->data_len = (uint32_t)(b.n * b.metadata_step);
		return false;
	}
	c->metadata = (uintptr_t)b.metadata;
	c->metadata_len = b.n * f->bytes;
	return true;
}

static __attribute__((noinline)) void mismatch(struct metadata_words *words, const struct metadata_format *f,
					       struct io *io, const struct protection_damage *d)
{
	snprintf(words->text, sizeof(words->text),
		 "%s mismatch in the block at offset %" PRIu64 ": expected 0x%x, found 0x%x", d->part,
		 io->offset + (uint64_t)d->block * f->protection.block_bytes, d->expected, d->found);
	io->reason = words->text;
	io->nvme_status = 0;
	io->res = -EILSEQ;
}

void nvme_metadata_take(struct nvme_metadata *md, struct io *io)
{
	const struct metadata_format *f = &md->format[io->file->index];
	struct protection_damage damage;
	struct protected_blocks b;

	if (!f->bytes)
		return;
	b = blocks_of(md, f, io, (uint32_t)io->res);
	if (f->extended)
		copy_blocks(f, &b, io->buf, false);
	if (f->protection.checks && !protection_check(&f->protection, &b, &damage))
		mismatch(&md->words[io->index], f, io, &damage);
}

/* ---- what is refused ---- */

static const char *refuse_separate(const struct uring_opts *o, const struct nvme_ns *ns, const char *path,
				   uint32_t bytes, struct strbuf *why)
{
	uint32_t need = (bytes >> ns->lba_shift) * ns->md_bytes;

	if (!o->cmd.md_per_io_size || o->cmd.md_per_io_size >= need)
		return NULL;
	message_printf(why,
		       "{md_per_io_size=%u}: an I/O of %s to %s has %u bytes of metadata, %u for each block; "
		       "without {md_per_io_size} the buffers fit",
		       o->cmd.md_per_io_size, units_bytes(bytes).text, path, need, ns->md_bytes);
	return "md_per_io_size";
}

static const char *refuse_extended(const struct uring_opts *o, const struct nvme_ns *ns, const char *path,
				   uint32_t bytes, struct strbuf *why)
{
	uint64_t whole = (1u << ns->lba_shift) + ns->md_bytes;
	uint64_t need = (uint64_t)(bytes >> ns->lba_shift) * whole;

	if (o->fixedbufs == AUTOFLAG_ON) {
		message_printf(why,
			       "{fixedbufs=1}: the format of %s interleaves blocks and metadata, in buffers "
			       "that are not registered",
			       path);
		return "fixedbufs";
	}
	if (!ns->max_bytes || need <= ns->max_bytes)
		return NULL;
	message_printf(why,
		       "{bs=%u}: one command to %s transfers %s of blocks at most, because their metadata "
		       "go with them",
		       bytes, path, units_bytes(ns->max_bytes / whole << ns->lba_shift).text);
	return "bs";
}

static const char *refuse_protection(const struct uring_opts *o, const struct nvme_ns *ns, const char *path,
				     struct strbuf *why)
{
	if (!ns->guard_bits) {
		message_printf(why,
			       "%s: the guards of its protection information are IP checksums; fiord "
			       "supports only CRCs of 16 bits",
			       path);
		return "filename";
	}
	if (ns->guard_bits != 16) {
		message_printf(why,
			       "%s: its protection information has guards of %u bits; fiord supports only "
			       "those of 16 bits",
			       path, ns->guard_bits);
		return "filename";
	}
	if (!o->cmd.pi_act || o->cmd.pi_chk_by != PI_CHK_BY_HOST)
		return NULL;
	message_printf(
		why, "{pi_chk_by=host}: needs {+pi_act=0}; with pi_act=1 the controller strips what the host "
		     "would check");
	return "pi_chk_by";
}

const char *nvme_metadata_refuse(const struct uring_opts *o, const struct nvme_ns *ns, const char *path,
				 uint32_t bytes, struct strbuf *why)
{
	const char *option = ns->pi_type ? refuse_protection(o, ns, path, why) : NULL;

	if (option || !nvme_transfers_metadata(ns, o->cmd.pi_act))
		return option;
	return ns->extended ? refuse_extended(o, ns, path, bytes, why)
			    : refuse_separate(o, ns, path, bytes, why);
}
