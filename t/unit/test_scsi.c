/* Does fiord find the disk of a SCSI character device, are the bytes of commands those of the standard, and
   do errors get the right words? The expected commands are those of the tables of SBC-4 (READ(10) to UNMAP)
   and SPC-5 (sense data), byte by byte; codes and words those of T10's list of additional sense codes; errnos
   those of Linux's block layer (drivers/scsi/scsi_lib.c). */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <scsi/sg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sysmacros.h>
#include <unistd.h>
#include "../../engines/scsi_command.h"
#include "blockdev.h"
#include "scsi.h"
#include "sysfs.h"

/* ---- commands ---- */

static void test_block_commands(void **state)
{
	static const struct {
		struct scsi_command kind;
		uint64_t first;
		uint32_t blocks;
		uint8_t length, bytes[16];
	} cases[] = {
		{ { { 0x28, 0x88 }, 0, SCSI_DATA_ALL },
		  0x12345678,
		  8,
		  10,
		  { 0x28, 0, 0x12, 0x34, 0x56, 0x78, 0, 0, 8, 0 } },
		{ { { 0x28, 0x88 }, 0x08, SCSI_DATA_ALL },
		  0,
		  0xffff,
		  10,
		  { 0x28, 0x08, 0, 0, 0, 0, 0, 0xff, 0xff, 0 } },
		/* 65536 blocks do not fit into 10 bytes, nor does a block beyond 2^32. */
		{ { { 0x28, 0x88 }, 0x08, SCSI_DATA_ALL },
		  1,
		  0x10000,
		  16,
		  { 0x88, 0x08, 0, 0, 0, 0, 0, 0, 0, 1, 0, 1, 0, 0, 0, 0 } },
		{ { { 0x2a, 0x8a }, 0, SCSI_DATA_ALL },
		  0xfffffffe,
		  2,
		  10,
		  { 0x2a, 0, 0xff, 0xff, 0xff, 0xfe, 0, 0, 2, 0 } },
		{ { { 0x2a, 0x8a }, 0, SCSI_DATA_ALL },
		  0xfffffffe,
		  3,
		  16,
		  { 0x8a, 0, 0, 0, 0, 0, 0xff, 0xff, 0xff, 0xfe, 0, 0, 0, 3, 0, 0 } },
		{ { { 0x2a, 0x8a }, 0x08, SCSI_DATA_ALL },
		  0x123456789abcull,
		  0x01020304,
		  16,
		  { 0x8a, 0x08, 0, 0, 0x12, 0x34, 0x56, 0x78, 0x9a, 0xbc, 1, 2, 3, 4, 0, 0 } },
		{ { { 0, 0x93 }, 0x01, SCSI_DATA_NONE },
		  7,
		  16,
		  16,
		  { 0x93, 0x01, 0, 0, 0, 0, 0, 0, 0, 7, 0, 0, 0, 16, 0, 0 } },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		uint8_t c[SCSI_COMMAND_BYTES];

		memset(c, 0xee, sizeof(c));
		assert_int_equal(
			scsi_command_blocks(c, &cases[i].kind, cases[i].first, cases[i].blocks, false),
			cases[i].length);
		assert_memory_equal(c, cases[i].bytes, sizeof(c));
	}
}

/* A host-managed disk takes the long form only, also where the short one would do. */
static void test_long_commands(void **state)
{
	static const struct scsi_command write = { SCSI_WRITE, 0, SCSI_DATA_ALL };
	static const uint8_t want[16] = { 0x8a, 0, 0, 0, 0, 0, 0, 0, 0, 7, 0, 0, 0, 8 };
	uint8_t c[SCSI_COMMAND_BYTES];

	(void)state;
	assert_int_equal(scsi_command_blocks(c, &write, 7, 8, true), 16);
	assert_memory_equal(c, want, sizeof(c));
}

static void test_codes(void **state)
{
	static const struct {
		struct scsi_opcode have;
		uint8_t short_form, long_form;
	} cases[] = {
		{ SCSI_READ, 0x28, 0x88 },
		{ SCSI_WRITE, 0x2a, 0x8a },
		{ SCSI_WRITE_AND_VERIFY, 0x2e, 0x8e },
		{ SCSI_VERIFY, 0x2f, 0x8f },
		{ SCSI_WRITE_SAME, 0x41, 0x93 },
		{ SCSI_WRITE_SAME_16, 0, 0x93 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		assert_int_equal(cases[i].have.short_form, cases[i].short_form);
		assert_int_equal(cases[i].have.long_form, cases[i].long_form);
	}
	assert_int_equal(SCSI_FUA, 1 << 3);
	assert_int_equal(SCSI_BYTCHK_ALL, 1 << 1);
	assert_int_equal(SCSI_BYTCHK_ONE, 3 << 1);
	assert_int_equal(SCSI_NDOB, 1);
}

static void test_other_commands(void **state)
{
	static const uint8_t flush[16] = { 0x35 }, long_flush[16] = { 0x91 };
	static const uint8_t unmap[16] = { 0x42, 0, 0, 0, 0, 0, 0, 0, 24, 0 };
	static const uint8_t want[24] = { 0,    22,   0,    16,   0,    0,    0,    0, 0,    0,
					  0x12, 0x34, 0x56, 0x78, 0x9a, 0xbc, 0x80, 0, 0x10, 1 };
	uint8_t c[SCSI_COMMAND_BYTES], list[SCSI_UNMAP_BYTES];

	(void)state;
	memset(c, 0xee, sizeof(c));
	memset(list, 0xee, sizeof(list));
	assert_int_equal(scsi_command_flush(c, false), 10);
	assert_memory_equal(c, flush, sizeof(c));
	assert_int_equal(scsi_command_flush(c, true), 16);
	assert_memory_equal(c, long_flush, sizeof(c));
	assert_int_equal(scsi_command_unmap(c, list, 0x123456789abcull, 0x80001001), 10);
	assert_memory_equal(c, unmap, sizeof(c));
	assert_memory_equal(list, want, sizeof(list));
}

/* ---- errors ---- */

static void test_failures(void **state)
{
	static const struct {
		uint8_t status, host, sense[20];
		int err; /* 0: no failure */
		const char *text;
	} cases[] = {
		{ 2,
		  0,
		  { 0x70, 0, 3, 0, 0, 0, 0, 10, 0, 0, 0, 0, 0x11, 0 },
		  ENODATA,
		  "medium error, unrecovered read error (SCSI sense 3/11/00)" },
		{ 2,
		  0,
		  { 0x72, 3, 0x11, 0x00 },
		  ENODATA,
		  "medium error, unrecovered read error (SCSI sense 3/11/00)" },
		{ 2, 0x13, { 0x72, 3, 0x99, 0x07 }, ENODATA, "medium error (SCSI sense 3/99/07)" },
		{ 2,
		  0,
		  { 0xf0, 0, 0x25, 0, 0, 0, 0, 10, 0, 0, 0, 0, 0x20, 0 },
		  EOPNOTSUPP,
		  "illegal request, invalid command operation code (SCSI sense 5/20/00)" },
		{ 2,
		  0,
		  { 0x72, 5, 0x21, 0 },
		  EREMOTEIO,
		  "illegal request, logical block address out of range (SCSI sense 5/21/00)" },
		{ 2,
		  0,
		  { 0x72, 14, 0x1d, 0 },
		  EREMOTEIO,
		  "miscompare, miscompare during verify operation (SCSI sense e/1d/00)" },
		{ 2,
		  0,
		  { 0x72, 11, 0x10, 1 },
		  EILSEQ,
		  "aborted command, logical block guard check failed (SCSI sense b/10/01)" },
		{ 2,
		  0,
		  { 0x72, 7, 0x27, 7 },
		  ENOSPC,
		  "data protect, space allocation failed write protect (SCSI sense 7/27/07)" },
		{ 2,
		  0,
		  { 0x72, 6, 0x29, 0 },
		  EAGAIN,
		  "unit attention, power on, reset, or bus device reset occurred (SCSI sense 6/29/00)" },
		{ 2, 0, { 0x72, 1, 0x17, 0 }, 0, NULL }, /* a recovered error */
		{ 2, 0, { 0 }, EIO, "check condition without sense data (SCSI status 0x02)" },
		{ 0x18, 0, { 0 }, EBADE, "reservation conflict (SCSI status 0x18)" },
		{ 0x28, 0, { 0 }, EAGAIN, "task set full (SCSI status 0x28)" },
		{ 0, 1, { 0 }, EIO, "no connection to the disk (SCSI host status 0x01)" },
		{ 0, 3, { 0 }, ETIMEDOUT, "the command timed out (SCSI host status 0x03)" },
		{ 0, 0x77, { 0 }, EIO, "the command failed (SCSI host status 0x77)" },
		{ 0, 0, { 0 }, EIO, "internal error of the driver (SCSI host status 0x07)" },
	};
	char text[160];

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		uint8_t sense[20];
		struct sg_io_hdr h = { .info = SG_INFO_CHECK,
				       .status = cases[i].status,
				       .host_status = cases[i].host,
				       .sbp = sense,
				       .sb_len_wr = cases[i].sense[0] ? sizeof(sense) : 0 };
		struct scsi_status s;

		memcpy(sense, cases[i].sense, sizeof(sense));
		assert_int_equal(scsi_status_read(&s, &h), cases[i].err != 0);
		if (!cases[i].err)
			continue;
		assert_int_equal(scsi_status_errno(&s), cases[i].err);
		assert_string_equal(scsi_status_text(&s, text, sizeof(text)), cases[i].text);
	}
}

static void test_success(void **state)
{
	struct sg_io_hdr h = { .info = SG_INFO_OK | SG_INFO_DIRECT_IO };
	struct scsi_status s;

	(void)state;
	assert_false(scsi_status_read(&s, &h));
}

/* ---- sysfs ---- */

static char root[] = "/tmp/fiord-scsi.XXXXXX";

static void put(const char *path, const char *text)
{
	char command[512];

	snprintf(command, sizeof(command), "mkdir -p \"$(dirname %s/%s)\" && echo '%s' >%s/%s", root, path,
		 text, root, path);
	assert_int_equal(system(command), 0);
}

/* A disk sda with a partition, a CD drive, an enclosure without a block device, and a card whose type is a
 * word. */
static int make_tree(void **state)
{
	(void)state;
	if (!mkdtemp(root))
		return -1;
	put("sys/dev/char/21:0/device/type", "0");
	put("sys/dev/char/21:0/device/block/sda/dev", "8:0");
	put("sys/dev/char/21:1/device/type", "5");
	put("sys/dev/char/21:1/device/block/sr0/dev", "11:0");
	put("sys/dev/char/21:2/device/type", "13");
	put("sys/dev/char/21:3/device/type", "0"); /* no driver has bound the disk */
	put("sys/dev/block/8:0/device/type", "0");
	put("sys/dev/block/8:0/device/scsi_level", "7");
	put("sys/dev/block/8:0/size", "2048");
	put("sys/dev/block/8:0/queue/logical_block_size", "4096");
	put("sys/dev/block/8:0/queue/max_hw_sectors_kb", "32767");
	put("sys/dev/block/8:0/queue/max_segments", "16");
	put("sys/dev/block/8:0/queue/max_segment_size", "65536");
	put("sys/module/sg/parameters/scatter_elem_sz", "32768");
	put("sys/dev/block/8:1/partition", "1");
	put("sys/dev/block/11:0/device/type", "5");
	put("sys/dev/block/11:0/device/scsi_level", "6");
	put("sys/dev/block/179:0/device/type", "SD");
	put("sys/dev/block/179:0/queue/logical_block_size", "512");
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
	struct blockdev b;

	(void)state;
	assert_int_equal(scsi_block_device(&b, makedev(21, 0)), 0);
	assert_string_equal(b.name, "sda");
	assert_int_equal(b.dev, makedev(8, 0));
	for (unsigned i = 1; i < 5; i++)
		assert_int_equal(scsi_block_device(&b, makedev(21, i)), -ENOENT);
}

static void test_disk(void **state)
{
	const dev_t others[] = { makedev(8, 1), makedev(11, 0), makedev(179, 0), makedev(9, 9) };
	struct scsi_disk disk;

	(void)state;
	scsi_disk_read(&disk, makedev(8, 0));
	assert_int_equal(disk.lba_shift, 12);
	assert_int_equal(disk.max_bytes, 16 * 64 << 10); /* pieces of memory */
	assert_int_equal(disk.sg_max_bytes, 16 * 32 << 10);
	put("sys/dev/block/8:0/queue/max_hw_sectors_kb", "256");
	scsi_disk_read(&disk, makedev(8, 0));
	assert_int_equal(disk.max_bytes, 256 << 10);
	assert_int_equal(disk.sg_max_bytes, 256 << 10);
	assert_int_equal(scsi_disk_bytes(makedev(8, 0)), 1 << 20);
	assert_int_equal(scsi_disk_bytes(makedev(9, 9)), 0);
	for (size_t i = 0; i < sizeof(others) / sizeof(*others); i++) {
		scsi_disk_read(&disk, others[i]);
		assert_int_equal(disk.lba_shift, 0);
	}
}

/* The same disk, as a host-managed one. The tests before have used its limits. */
static void test_host_managed(void **state)
{
	struct scsi_disk disk;
	struct blockdev b;

	(void)state;
	scsi_disk_read(&disk, makedev(8, 0));
	assert_false(disk.long_commands);
	put("sys/dev/char/21:0/device/type", "20");
	put("sys/dev/block/8:0/device/type", "20");
	assert_int_equal(scsi_block_device(&b, makedev(21, 0)), 0);
	scsi_disk_read(&disk, makedev(8, 0));
	assert_int_equal(disk.lba_shift, 12);
	assert_true(disk.long_commands);
}

int unit_scsi(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_block_commands), cmocka_unit_test(test_codes),
		cmocka_unit_test(test_other_commands), cmocka_unit_test(test_failures),
		cmocka_unit_test(test_success),        cmocka_unit_test(test_block_device),
		cmocka_unit_test(test_disk),           cmocka_unit_test(test_long_commands),
		cmocka_unit_test(test_host_managed),
	};

	return cmocka_run_group_tests(tests, make_tree, drop_tree);
}
