/* Are the facts about NVMe namespaces right, the words of errors, and the bytes of commands? Expected: the
   NVM Express base and NVM command set specifications. */
#include <endian.h>
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>
#include "../../engines/nvme_command.h"
#include "../../engines/nvme_metadata.h"
#include "block_metadata.h"
#include "blockdev.h"
#include "engine.h"
#include "nvme.h"
#include "placement_ids.h"
#include "props.h"
#include "strbuf.h"
#include "sysfs.h"

/* ---- Identify ---- */

struct format_case {
	uint8_t nlbaf, flbas, dps;
	unsigned at;       /* where the format stands */
	uint8_t format[4]; /* metadata bytes, the exponent of the block size, performance */
	int ret;
	struct nvme_ns ns;
	uint8_t top; /* of the number of blocks, the highest byte but one */
};

static void test_format(void **state)
{
	static const struct format_case cases[] = {
		{ 0, 0, 0, 128, { 0, 0, 9, 0 }, 0, { .lba_shift = 9 } },
		{ 7, 4, 0, 144, { 0, 0, 12, 0 }, 0, { .lba_shift = 12 } },
		{ 7, 1, 1, 132, { 8, 0, 9, 0 }, 0, { .lba_shift = 9, .md_bytes = 8, .pi_type = 1 } },
		{ 7,
		  0x11,
		  3,
		  132,
		  { 8, 0, 9, 0 },
		  0,
		  { .lba_shift = 9, .md_bytes = 8, .extended = true, .pi_type = 3 } },
		{ 7,
		  2,
		  0x0a,
		  136,
		  { 16, 1, 12, 0 },
		  0,
		  { .lba_shift = 12, .md_bytes = 272, .pi_type = 2, .pi_first = true } },
		/* Above 16 formats bits 5 and 6 of FLBAS are the upper bits of the index. */
		{ 20, 0x21, 0, 128 + 4 * 17, { 0, 0, 12, 0 }, 0, { .lba_shift = 12 } },
		{ 15, 0x21, 0, 132, { 0, 0, 9, 0 }, 0, { .lba_shift = 9 } },
		{ 0, 0, 0, 128, { 0, 0, 0, 0 }, -EINVAL, { 0 } },
		{ 0, 0, 5, 128, { 8, 0, 9, 0 }, -EINVAL, { 0 } },
		{ .at = 128, .format = { 0, 0, 9 }, .ret = -EINVAL, .top = 0x40 }, /* 2^63 bytes */
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		const struct format_case *c = &cases[i];
		uint8_t answer[NVME_IDENTIFY_BYTES] = { 0x00, 0x00, 0x10 };
		struct nvme_ns ns = { 0 };

		answer[6] = c->top;
		answer[25] = c->nlbaf;
		answer[26] = c->flbas;
		answer[29] = c->dps;
		memcpy(answer + c->at, c->format, 4);
		assert_int_equal(nvme_format_read(&ns, answer), c->ret);
		if (c->ret)
			continue;
		assert_int_equal(ns.blocks, 0x100000);
		assert_int_equal(ns.lba_shift, c->ns.lba_shift);
		assert_int_equal(ns.md_bytes, c->ns.md_bytes);
		assert_int_equal(ns.extended, c->ns.extended);
		assert_int_equal(ns.pi_type, c->ns.pi_type);
		assert_int_equal(ns.pi_first, c->ns.pi_first);
	}
}

/* Expected: struct logical_block_metadata_cap of linux/fs.h, and what Linux 7 answers for namespaces of
   QEMU. */
static void test_block_metadata(void **state)
{
	static const struct {
		struct block_metadata_caps caps;
		struct nvme_ns ns;
	} cases[] = {
		{ { 0 }, { 0 } },
		{ { .flags = 3,
		    .interval = 512,
		    .size = 8,
		    .pi_size = 8,
		    .guard = 2,
		    .app_tag_size = 2,
		    .ref_tag_size = 4 },
		  { .md_bytes = 8, .lba_shift = 9, .pi_type = 1, .pi_first = true, .guard_bits = 16 } },
		{ { .flags = 3,
		    .interval = 4096,
		    .size = 16,
		    .opaque_size = 8,
		    .pi_size = 8,
		    .pi_offset = 8,
		    .guard = 2 },
		  { .md_bytes = 16, .lba_shift = 12, .pi_type = 1, .guard_bits = 16 } },
		{ { .flags = 1, .interval = 512, .size = 8, .pi_size = 8, .guard = 2 },
		  { .md_bytes = 8, .lba_shift = 9, .pi_type = 3, .pi_first = true, .guard_bits = 16 } },
		{ { .flags = 3, .interval = 4096, .size = 16, .pi_size = 16, .guard = 4 },
		  { .md_bytes = 16, .lba_shift = 12, .pi_type = 1, .pi_first = true, .guard_bits = 64 } },
		{ { .flags = 3, .interval = 512, .size = 8, .pi_size = 8, .guard = 1 },
		  { .md_bytes = 8, .lba_shift = 9, .pi_type = 1, .pi_first = true } },
		{ { .interval = 512, .size = 8, .opaque_size = 8 }, { .md_bytes = 8, .lba_shift = 9 } },
	};

	(void)state;
	assert_int_equal(sizeof(struct block_metadata_caps), 16);
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct nvme_ns ns;

		block_metadata_format(&ns, &cases[i].caps);
		assert_int_equal(ns.md_bytes, cases[i].ns.md_bytes);
		assert_int_equal(ns.lba_shift, cases[i].ns.lba_shift);
		assert_int_equal(ns.pi_type, cases[i].ns.pi_type);
		assert_int_equal(ns.pi_first, cases[i].ns.pi_first);
		assert_int_equal(ns.guard_bits, cases[i].ns.guard_bits);
	}
}

/* The bytes of a controller with 64 ranges of 0x01020304 blocks each, and 0x0102030405060708 blocks in all.
 */
static void test_trim_limits(void **state)
{
	static const uint8_t answer[NVME_IDENTIFY_BYTES] = {
		9, 9, 9, 64, 4, 3, 2, 1, 8, 7, 6, 5, 4, 3, 2, 1
	};
	struct nvme_ns ns = { 0 };

	(void)state;
	nvme_trim_limits_read(&ns, answer);
	assert_int_equal(ns.trim_ranges, 64);
	assert_int_equal(ns.trim_range_blocks, 0x01020304);
	assert_int_equal(ns.trim_blocks, 0x0102030405060708);
}

/* ---- status ---- */

static void test_status(void **state)
{
	static const struct {
		uint16_t status;
		int err;
		const char *text;
	} cases[] = {
		{ 0x281, ENODATA, "unrecovered read error (NVMe status: sct 2, sc 0x81)" },
		{ 0x4281, ENODATA,
		  "unrecovered read error (NVMe status: sct 2, sc 0x81)" }, /* do not retry */
		{ 0x282, EILSEQ, "guard check error (NVMe status: sct 2, sc 0x82)" },
		{ 0x080, EREMOTEIO, "LBA out of range (NVMe status: sct 0, sc 0x80)" },
		{ 0x002, EOPNOTSUPP, "invalid field in the command (NVMe status: sct 0, sc 0x02)" },
		{ 0x081, ENOSPC, "capacity exceeded (NVMe status: sct 0, sc 0x81)" },
		{ 0x7ff, EIO, "the device failed the command (NVMe status: sct 7, sc 0xff)" },
	};
	char text[96];

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		assert_int_equal(nvme_status_errno(cases[i].status), cases[i].err);
		assert_string_equal(nvme_status_text(cases[i].status, text, sizeof(text)), cases[i].text);
	}
}

/* ---- health ---- */

/* The bytes are those of the SMART / Health Information log in the NVM Express base specification. */
static void test_health(void **state)
{
	static const struct {
		uint8_t low, high; /* of the temperature in kelvin */
		uint64_t celsius;  /* UINT64_MAX: unknown */
	} cases[] = { { 0x43, 1, 50 }, { 0x11, 1, 0 }, { 0, 0, UINT64_MAX } };

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		uint8_t log[NVME_SMART_BYTES] = { 0x0a, cases[i].low, cases[i].high, 100, 10, 7 };
		struct props p = { 0 };

		log[216] = 5;
		log[221] = 1;
		nvme_health_read(&p, log, false);
		assert_int_equal(props_num(&p, "smart_before_temperature_celsius", UINT64_MAX),
				 cases[i].celsius);
		assert_int_equal(props_num(&p, "smart_before_critical_warning", 0), 10);
		assert_int_equal(props_num(&p, "smart_before_percentage_used", 0), 7);
		assert_int_equal(props_num(&p, "smart_before_throttled", 0), 261);
		props_fini(&p);
	}
}

/* ---- sysfs ---- */

static char root[] = "/tmp/fiord-nvme.XXXXXX";

static void put(const char *path, const char *text)
{
	char command[512];

	snprintf(command, sizeof(command), "mkdir -p \"$(dirname %s/%s)\" && echo %s >%s/%s", root, path,
		 text, root, path);
	assert_int_equal(system(command), 0);
}

static void put_link(const char *path, const char *to)
{
	char name[256];

	snprintf(name, sizeof(name), "%s/%s", root, path);
	assert_int_equal(symlink(to, name), 0);
}

/* A controller nvme0; a subsystem with several paths, nvme-subsys3; and a device that is no namespace. */
static int make_tree(void **state)
{
	(void)state;
	if (!mkdtemp(root))
		return -1;
	put("sys/devices/pci/nvme0/nvme0n2/dev", "259:7");
	put("sys/devices/pci/nvme0/ng0n2/dev", "243:1");
	put("sys/devices/pci/nvme0/ng0n5/dev", "243:9"); /* it has no block device */
	put("sys/devices/virtual/nvme-subsystem/nvme-subsys3/nvme3n1/dev", "259:3");
	put("sys/devices/virtual/nvme-subsystem/nvme-subsys3/ng3n1/dev", "243:2");
	put("sys/dev/char/keep", "1");
	put_link("sys/devices/pci/nvme0/ng0n2/device", "../../nvme0");
	put_link("sys/devices/pci/nvme0/ng0n5/device", "../../nvme0");
	put_link("sys/devices/virtual/nvme-subsystem/nvme-subsys3/ng3n1/device", "../../nvme-subsys3");
	put_link("sys/dev/char/243:1", "../../devices/pci/nvme0/ng0n2");
	put_link("sys/dev/char/243:9", "../../devices/pci/nvme0/ng0n5");
	put_link("sys/dev/char/243:2", "../../devices/virtual/nvme-subsystem/nvme-subsys3/ng3n1");
	put_link("sys/dev/char/1:3", "../../devices/virtual/mem/null");
	sysfs_root = root;
	return 0;
}

static int drop_tree(void **state)
{
	char command[64];

	(void)state;
	sysfs_root = "";
	snprintf(command, sizeof(command), "rm -rf %s", root);
	return system(command);
}

static void test_block_device(void **state)
{
	static const struct {
		unsigned maj, min;
		const char *name; /* NULL: none */
		unsigned block_min;
	} cases[] = {
		{ 243, 1, "nvme0n2", 7 }, { 243, 2, "nvme3n1", 3 }, { 243, 9, NULL, 0 },
		{ 1, 3, NULL, 0 },        { 9, 9, NULL, 0 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct blockdev b;
		int ret = nvme_block_device(&b, makedev(cases[i].maj, cases[i].min));

		assert_int_equal(ret, cases[i].name ? 0 : -ENOENT);
		if (ret)
			continue;
		assert_string_equal(b.name, cases[i].name);
		assert_int_equal(b.dev, makedev(259, cases[i].block_min));
	}
}

/* ---- commands ---- */

/* The submission queue entry: its dwords, as the kernel's struct has them from dword 0 on. */
static void assert_dwords(const struct nvme_uring_cmd *c, const uint32_t want[18])
{
	uint32_t have[18];

	_Static_assert(sizeof(*c) == sizeof(have), "size");
	memcpy(have, c, sizeof(have));
	/* The first has four bytes, and two pairs are addresses. */
	have[0] = le32toh(have[0]);
	for (unsigned i = 4; i < 8; i += 2) {
		uint64_t address;

		memcpy(&address, have + i, sizeof(address));
		have[i] = (uint32_t)address;
		have[i + 1] = (uint32_t)(address >> 32);
	}
	for (unsigned i = 0; i < 18; i++)
		assert_int_equal(have[i], want[i]);
}

static void test_data_commands(void **state)
{
	static const struct {
		struct nvme_command kind;
		uint8_t lba_shift;
		uint64_t offset;
		uint32_t bytes, nlb, lba[2], data;
	} cases[] = {
		{ { NVME_READ, false, false, 0 }, 9, 4096, 4096, 7, { 8, 0 }, 4096 },
		{ { NVME_WRITE, false, false, NVME_FUA }, 12, 8192, 4096, 0, { 2, 0 }, 4096 },
		{ { NVME_WRITE, false, false, 0 }, 9, 1ull << 41, 512, 0, { 0, 1 }, 512 },
		{ { NVME_WRITE_ZEROES, true, false, NVME_DEAC }, 12, 0, 65536u * 4096, 0xffff, { 0, 0 }, 0 },
		{ { NVME_WRITE_UNCORRECTABLE, true, false, 0 }, 12, 4096, 4096, 0, { 1, 0 }, 0 },
		{ { NVME_VERIFY, true, false, 0 }, 9, 512, 1024, 1, { 1, 0 }, 0 },
	};
	static char data[8];

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct nvme_ns ns = { .nsid = 3, .lba_shift = cases[i].lba_shift };
		struct nvme_uring_cmd c = { 0 };
		uint64_t addr = cases[i].data ? (uintptr_t)data : 0;

		nvme_command_data(&c, &cases[i].kind, &ns, cases[i].offset, cases[i].bytes, data);
		assert_dwords(&c, (uint32_t[18]){ cases[i].kind.opcode, 3, 0, 0, 0, 0, (uint32_t)addr,
						  (uint32_t)(addr >> 32), 0, cases[i].data, cases[i].lba[0],
						  cases[i].lba[1], cases[i].kind.cdw12 | cases[i].nlb });
	}
}

/* Protection information: cdw12 has PRACT and the checks, cdw14 the first reference tag, cdw15 the
 * application tag. */
static void test_protection(void **state)
{
	static const struct {
		uint8_t type;
		uint32_t cdw12, cdw14, cdw15;
	} cases[] = {
		{ 0, 7, 0, 0 },
		{ 1, 7 | 1u << 29 | 1u << 28, 0x12345678, 0xff00abcd },
		{ 2, 7 | 1u << 29 | 1u << 28, 0x12345678, 0xff00abcd },
		{ 3, 7 | 1u << 29 | 1u << 28, 0, 0xff00abcd },
	};
	const struct nvme_command kind = { .opcode = NVME_WRITE,
					   .protection = NVME_PRACT | NVME_PRCHK_GUARD,
					   .tags = 0xff00abcd };
	struct nvme_uring_cmd c = { 0 };

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct nvme_ns ns = { .nsid = 1, .lba_shift = 9, .pi_type = cases[i].type };

		nvme_command_data(&c, &kind, &ns, 0x912345678ull << 9, 4096, NULL);
		assert_dwords(&c, (uint32_t[18]){ 1, 1, 0, 0, 0, 0, 0, 0, 0, 4096, 0x12345678, 9,
						  cases[i].cdw12, 0, cases[i].cdw14, cases[i].cdw15 });
	}
	assert_int_equal(NVME_PRCHK_APP, 1u << 27);
	assert_int_equal(NVME_PRCHK_REF, 1u << 26);
}

/* ---- metadata that are transferred ---- */

struct metadata_case {
	struct nvme_ns ns;
	bool pi_act;
	uint32_t transferred; /* bytes of metadata with two blocks; 0: none */
	unsigned tag_at; /* of the second block's application tag, in the metadata of that block; 0: none */
};

#define EXTENDED (512u + c->ns.md_bytes)

/* Where the metadata of the second block are, which must be in the command's buffers. */
static unsigned char *second(const struct metadata_case *c, const struct nvme_uring_cmd *cmd)
{
	if (c->ns.extended)
		return (unsigned char *)(uintptr_t)cmd->addr + EXTENDED + 512;
	return (unsigned char *)(uintptr_t)cmd->metadata + c->ns.md_bytes;
}

static void assert_buffers(const struct metadata_case *c, const struct nvme_uring_cmd *cmd, const void *data)
{
	const unsigned char *blocks = data, *at = (const unsigned char *)(uintptr_t)cmd->addr;

	assert_int_equal(cmd->metadata_len, c->ns.extended ? 0 : c->transferred);
	assert_int_equal(cmd->data_len, 1024 + (c->ns.extended ? c->transferred : 0));
	if (!c->ns.extended) {
		assert_ptr_equal(at, data);
		return;
	}
	assert_memory_equal(at, blocks, 512);
	assert_memory_equal(at + EXTENDED, blocks + 512, 512);
}

/* Writes two blocks, reads them back with a wrong application tag, and then without their data. */
static void check_transfer(const struct metadata_case *c, struct nvme_metadata *md, struct io *io)
{
	struct nvme_uring_cmd cmd = { .addr = (uintptr_t)io->buf, .data_len = 1024 };
	unsigned char tag[2] = { 0xab, 0xcd }, *metadata;

	memset(io->buf, 0x5a, 1024);
	assert_int_equal(nvme_metadata_add(md, io, &cmd), !c->ns.extended);
	assert_buffers(c, &cmd, io->buf);
	metadata = second(c, &cmd);
	if (c->tag_at)
		assert_memory_equal(metadata + c->tag_at, tag, 2);
	io->op = IO_READ;
	io->res = 1024;
	if (c->ns.extended)
		memset(io->buf, 0, 1024);
	nvme_metadata_take(md, io);
	assert_int_equal(io->res, 1024);
	assert_int_equal(((unsigned char *)io->buf)[1023], 0x5a);
	if (!c->tag_at)
		return;
	metadata[c->tag_at] ^= 1;
	nvme_metadata_take(md, io);
	assert_int_equal(io->res, -EILSEQ);
	assert_string_equal(
		io->reason,
		"application tag mismatch in the block at offset 4608: expected 0xabcd, found 0xaacd");
}

static void test_metadata(void **state)
{
#define NS(md, ext, type, first)                                                                             \
	{                                                                                                    \
		.lba_shift = 9, .md_bytes = (md), .extended = (ext), .pi_type = (type), .pi_first = (first), \
		.guard_bits = 16                                                                             \
	}
	static const struct metadata_case cases[] = {
		{ NS(0, false, 0, false), false, 0, 0 },   { NS(8, false, 1, false), true, 0, 0 },
		{ NS(8, true, 1, false), true, 0, 0 },     { NS(8, false, 1, false), false, 16, 2 },
		{ NS(8, true, 3, false), false, 16, 2 },   { NS(16, false, 2, true), false, 32, 2 },
		{ NS(16, true, 1, false), false, 32, 10 }, { NS(64, true, 1, false), false, 128, 58 },
		{ NS(16, false, 1, false), true, 32, 0 },  { NS(8, false, 0, false), true, 16, 0 },
		{ NS(8, true, 0, false), false, 16, 0 },
	};
	static _Alignas(4096) unsigned char data[4096];

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct passthrough_opts o = { .pi_act = cases[i].pi_act,
					      .pi_chk = NVME_PRCHK_GUARD | NVME_PRCHK_APP,
					      .apptag = 0xabcd,
					      .apptag_mask = 0xffff };
		struct file file = { .nvme = &cases[i].ns };
		struct iobuf bufs = { .base = data, .stride = sizeof(data) };
		struct io io = { .file = &file, .buf = data, .offset = 4096, .len = 1024, .op = IO_WRITE };
		struct engine_ctx ctx = { .depth = 1, .files = &file, .nfiles = 1, .bufs = &bufs };
		struct nvme_metadata *md;

		assert_int_equal(nvme_metadata_new(&md, &ctx, &o), 0);
		assert_int_equal(md != NULL, cases[i].transferred != 0);
		if (md)
			check_transfer(&cases[i], md, &io);
		nvme_metadata_free(md);
	}
}

static void test_metadata_refusals(void **state)
{
	static const struct {
		struct nvme_ns ns;
		struct passthrough_opts o;
		int32_t fixedbufs;
		const char *option, *words; /* NULL: nothing is refused */
	} cases[] = {
		{ NS(8, false, 1, false), { .pi_chk_by = PI_CHK_BY_HOST }, 1, NULL, NULL },
		{ NS(8, false, 1, false),
		  { .pi_act = true, .pi_chk_by = PI_CHK_BY_HOST },
		  0,
		  "pi_chk_by",
		  "strips" },
		{ NS(8, true, 1, false), { .pi_act = true }, 1, NULL, NULL },
		{ NS(8, true, 1, false), { .pi_act = false }, 1, "fixedbufs", "interleaves" },
		{ NS(8, false, 0, false), { .md_per_io_size = 63 }, 0, "md_per_io_size", "has 64 bytes" },
		{ NS(8, false, 0, false), { .md_per_io_size = 64 }, 0, NULL, NULL },
		{ { .lba_shift = 12, .md_bytes = 16, .pi_type = 1, .guard_bits = 64 },
		  { .pi_act = true },
		  0,
		  "filename",
		  "64 bits" },
		{ { .lba_shift = 9, .md_bytes = 8, .extended = true, .max_bytes = 4160 },
		  { .pi_act = true },
		  0,
		  NULL,
		  NULL },
		{ { .lba_shift = 9, .md_bytes = 8, .extended = true, .max_bytes = 4159 },
		  { .pi_act = true },
		  0,
		  "bs",
		  "3.5 KiB" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct uring_opts o = { .cmd = cases[i].o, .fixedbufs = cases[i].fixedbufs };
		struct strbuf why = { 0 };
		const char *option = nvme_metadata_refuse(&o, &cases[i].ns, "/dev/ng0n1", 4096, &why);

		assert_int_equal(option != NULL, cases[i].option != NULL);
		if (option) {
			assert_string_equal(option, cases[i].option);
			assert_non_null(strstr(strbuf_str(&why), cases[i].words));
		}
		strbuf_fini(&why);
	}
}

static void test_other_commands(void **state)
{
	struct nvme_ns ns = { .nsid = 2, .lba_shift = 12 };
	struct nvme_uring_cmd c = { .cdw12 = 1 };
	struct nvme_dsm_range range[2];
	const struct io_range trimmed[2] = { { 1ull << 44, 65536 }, { 4096, 8192 } };
	const uint8_t bytes[32] = { 0, 0, 0, 0, 16, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0,
				    0, 0, 0, 0, 2,  0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0 };
	uint64_t addr = (uintptr_t)range;

	(void)state;
	nvme_command_flush(&c, &ns);
	assert_dwords(&c, (uint32_t[18]){ 0x00, 2 });
	nvme_command_trim(&c, &ns, trimmed, 1, range);
	assert_dwords(&c, (uint32_t[18]){ 0x09, 2, 0, 0, 0, 0, (uint32_t)addr, (uint32_t)(addr >> 32), 0, 16,
					  0, 4 });
	nvme_command_trim(&c, &ns, trimmed, 2, range);
	assert_dwords(&c, (uint32_t[18]){ 0x09, 2, 0, 0, 0, 0, (uint32_t)addr, (uint32_t)(addr >> 32), 0, 32,
					  1, 4 });
	assert_memory_equal(range, bytes, 32);
	nvme_command_reset_zone(&c, &ns, 1ull << 45);
	assert_dwords(&c, (uint32_t[18]){ [0] = 0x79, 2, [10] = 0, 2, 0, 4 });
}

/* The opcodes and bits are those of the specification. */
static void test_numbers(void **state)
{
	(void)state;
	assert_int_equal(NVME_WRITE, 0x01);
	assert_int_equal(NVME_READ, 0x02);
	assert_int_equal(NVME_WRITE_UNCORRECTABLE, 0x04);
	assert_int_equal(NVME_WRITE_ZEROES, 0x08);
	assert_int_equal(NVME_VERIFY, 0x0c);
	assert_int_equal(NVME_ZONE_APPEND, 0x7d);
	assert_int_equal(NVME_FUA, 0x40000000);
	assert_int_equal(NVME_DEAC, 0x02000000);
}

/* The status of reclaim unit handles, as QEMU 10 answers for two handles, and one with more than fiord uses.
 */
static void test_placement_ids(void **state)
{
	static uint8_t answer[PLACEMENT_ANSWER_BYTES] = {
		[14] = 2, [16] = 0x01, [17] = 0x80, [48] = 7, [56] = 1
	};
	struct placement_ids ids;

	(void)state;
	placement_ids_decode(&ids, answer);
	assert_int_equal(ids.n, 2);
	assert_int_equal(ids.first, 0);
	assert_int_equal(ids.id[0], 0x8001);
	assert_int_equal(ids.id[1], 7);
	answer[15] = 1;
	placement_ids_decode(&ids, answer);
	assert_int_equal(ids.n, PLACEMENT_IDS);
	assert_int_equal(ids.id[1], 7);
}

int unit_nvme(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_format),         cmocka_unit_test(test_block_metadata),
		cmocka_unit_test(test_trim_limits),    cmocka_unit_test(test_status),
		cmocka_unit_test(test_health),         cmocka_unit_test(test_block_device),
		cmocka_unit_test(test_data_commands),  cmocka_unit_test(test_protection),
		cmocka_unit_test(test_metadata),       cmocka_unit_test(test_metadata_refusals),
		cmocka_unit_test(test_other_commands), cmocka_unit_test(test_numbers),
		cmocka_unit_test(test_placement_ids),
	};

	return cmocka_run_group_tests(tests, make_tree, drop_tree);
}
