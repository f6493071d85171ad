/* Which notes does a plan get before it runs? Plans come from canned facts. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>
#include "cmdline.h"
#include "preflight.h"

#define MIB    ((uint64_t)1 << 20)
#define LEN(a) (sizeof(a) / sizeof((a)[0]))

/* clang-format off */
/* The facts, by file name. */
static const struct facts_target targets[] = {
	{ "/dev/busy", { .type = TARGET_BLOCK, .size = 64 * MIB, .rdev = 7, .ino = 1, .refusal = "it is mounted on /mnt",
	  .in_use = true },
	  { .disk = "busy" } },
	{ "/dev/disk", { .type = TARGET_BLOCK, .size = 1024 * 1024 * MIB, .rdev = 8, .ino = 2 },
	  { .disk = "disk", .write_back = true, .physical_block = 4096 } },
	{ "/dev/loop", { .type = TARGET_BLOCK, .size = 64 * MIB, .rdev = 9, .ino = 3 }, { .disk = "loop", .cached_loop = true } },
	{ "/dev/ng0n1", { .type = TARGET_BLOCK, .commands = COMMANDS_NVME, .nvme = { .nsid = 1, .lba_shift = 9 }, .size = 64 * MIB,
	  .rdev = 13, .ino = 12 }, { .disk = "nvme0n1", .write_back = true } },
	{ "/dev/ng1n1", { .type = TARGET_BLOCK, .commands = COMMANDS_NVME, .nvme = { .nsid = 1, .lba_shift = 9 }, .size = 64 * MIB,
	  .rdev = 14, .ino = 13 }, { .disk = "nvme1n1", .counts_passthrough = true } },
	{ "/dev/ng2n1", { .type = TARGET_BLOCK, .commands = COMMANDS_NVME, .nvme = { .nsid = 1, .lba_shift = 9 }, .size = 64 * MIB,
	  .rdev = 20, .ino = 20 }, { .disk = "nvme2n1", .write_back = true } },
	{ "/dev/ng2n2", { .type = TARGET_BLOCK, .commands = COMMANDS_NVME, .nvme = { .nsid = 1, .lba_shift = 9 }, .size = 64 * MIB,
	  .rdev = 21, .ino = 21 }, { .disk = "nvme2n2", .write_back = true } },
	{ "/dev/ng2n3", { .type = TARGET_BLOCK, .commands = COMMANDS_NVME, .nvme = { .nsid = 1, .lba_shift = 9 }, .size = 64 * MIB,
	  .rdev = 22, .ino = 22 }, { .disk = "nvme2n3", .write_back = true } },
	{ "/dev/round", { .type = TARGET_BLOCK, .size = 64 * MIB, .rdev = 10, .ino = 4 }, { .disk = "round", .rotational = true } },
	{ "/dev/vda", { .type = TARGET_BLOCK, .size = 64 * MIB, .rdev = 11, .ino = 5 },
	  { .disk = "vda", .rotational = true, .is_virtual = true } },
	{ "/dev/zram0", { .type = TARGET_BLOCK, .size = 64 * MIB, .rdev = 12, .ino = 6 }, { .disk = "zram0", .in_memory = true } },
	{ "file", { .type = TARGET_FILE, .marked = true, .size = 64 * MIB, .blocks = 64 * MIB, .ino = 7, .fstype = "ext4" }, { .disk = "sda" } },
	{ "holes", { .type = TARGET_FILE, .marked = true, .size = 64 * MIB, .ino = 8, .fstype = "ext4" }, { .disk = "sda", .unwritten = 16 * MIB } },
	{ "large", { .type = TARGET_FILE, .marked = true, .size = 4096 * MIB, .blocks = 4096 * MIB, .ino = 9, .fstype = "ext4" }, { .disk = "sda" } },
	{ "ram", { .type = TARGET_FILE, .marked = true, .size = 64 * MIB, .ino = 10, .fstype = "tmpfs" }, { .disk = "" } },
	{ "reserved", { .type = TARGET_FILE, .marked = true, .size = 64 * MIB, .blocks = 64 * MIB, .ino = 11, .fstype = "xfs" },
	  { .disk = "sda", .unwritten = 64 * MIB, .unwritten_allocated = true } },
};

/* says: parts of the notes in their order, "" behind the last; there are no other notes. */
static const struct { const char *line; const char *says[4]; } cases[] = {
	{ "--filename=file --rw=randread --direct=1", { "" } },
	{ "--filename=file --rw=randwrite --direct=1", { "" } },
	{ "--filename=file --rw=randread", { "" } },
	{ "--filename=large --rw=randread --time_based --runtime=60", { "" } },
	{ "--filename=file --rw=randwrite --end_fsync=1", { "" } },
	{ "--filename=file --rw=randwrite --sync=dsync", { "" } },
	{ "--ioengine=null --size=1t --rw=randrw --runtime=1", { "" } },
	{ "--ioengine=cpuio --cpuload=10 --runtime=1", { "" } },
	{ "--filename=file --rw=read --direct=1 --runtime=30", { "" } },
	{ "--filename=file --rw=read", { "x: direct=0: the kernel reads ahead" } },
	{ "--filename=file --rw=randread --loops=2", { "x: repeated reads go through the page cache (direct=0), and its 64 MiB" } },
	{ "--filename=file --rw=randread --time_based --runtime=60", { "repeated reads go through" } },
	{ "--filename=file --rw=randread --invalidate=0", { "repeated reads go through" } },
	{ "--filename=file --rw=randwrite", { "x: writes go to the page cache" } },
	{ "--filename=file --rw=randrw --loops=2", { "reads and writes go through" } },
	{ "--filename=ram --rw=randrw --loops=2 --runtime=1", { "x: ram is in memory (tmpfs)" } },
	{ "--filename=/dev/zram0 --rw=randread --direct=1", { "is in memory (zram0)" } },
	{ "--filename=/dev/loop --rw=randread --direct=1", { "losetup --direct-io=on /dev/loop" } },
	{ "--filename=file --rw=randread --ioengine=libaio --iodepth=8", { "iodepth=8 is in effect 1" } },
	{ "--filename=file --rw=randread --ioengine=libaio --iodepth=8 --direct=1", { "" } },
	{ "--filename=file --rw=randread --ioengine=libaio", { "" } },
	{ "--filename=holes --rw=randread", { "holes: 16 MiB of 64 MiB were never written (holes)" } },
	{ "--filename=reserved --rw=randread", { "64 MiB of 64 MiB were never written (room is reserved for them)" } },
	{ "--filename=holes --rw=randwrite --direct=1", { "" } },
	{ "--filename=holes --direct=1 --rw=write --name=y --stonewall --rw=randread", { "" } },
	{ "--filename=holes --direct=1 --rw=write --name=y --wait_for=x --rw=randread", { "" } },
	{ "--filename=holes --direct=1 --rw=write --name=y --wait_for=x --rw=write --name=z --wait_for=y --rw=randread", { "" } },
	{ "--filename=holes --direct=1 --rw=write --name=y --rw=randread", { "y: holes: 16 MiB of 64 MiB were never written" } },
	{ "--filename=file --rw=read --direct=1 --numjobs=4", { "its 4 clones use the same blocks of file", } },
	{ "--filename=file --rw=write --direct=1 --numjobs=2", { "every clone writes every block; size=50% with offset_increment=50%" } },
	{ "--filename=file --rw=write --direct=1 --numjobs=101", { "every clone writes every block" } },
	{ "--filename=file --rw=randread --direct=1 --numjobs=4", { "" } },
	{ "--filename=file --rw=read --direct=1 --numjobs=4 --size=25% --offset_increment=25%", { "" } },
	{ "--filename=/dev/disk --rw=randread --direct=1", { "without runtime it ends when 1.0 TiB" } },
	{ "--filename=/dev/disk --rw=randread --direct=1 --runtime=60", { "" } },
	{ "--filename=/dev/disk --rw=randread --direct=1 --number_ios=10", { "" } },
	{ "--filename=file --rw=randread --direct=1 --runtime=1", { "runtime=1 is short" } },
	{ "--filename=file --rw=randread --direct=1 --runtime=10 --rate_iops=5", { "allows 50 I/Os at most" } },
	{ "--filename=file --rw=randread --direct=1 --runtime=10 --rate_iops=500", { "" } },
	{ "--filename=/dev/busy --rw=randread --direct=1", { "/dev/busy is in use (it is mounted on /mnt)" } },
	{ "--filename=/dev/disk --rw=randwrite --direct=1 --size=1g", { "disk has a volatile write cache" } },
	{ "--filename=/dev/disk --rw=randwrite --direct=1 --size=1g --fsync=1", { "" } },
	{ "--filename=/dev/disk --rw=randwrite --direct=1 --size=1g --bs=512 --fdatasync=1", { "writes of 512 bytes do not fill the blocks of disk (4096 bytes)" } },
	{ "--filename=/dev/disk --rw=randwrite --direct=1 --size=1g --bs=512", { "volatile", "writes of 512 bytes" } },
	{ "--filename=/dev/disk --rw=randread --direct=1 --size=1g --bs=512", { "" } },
	{ "--ioengine=io_uring_cmd --filename=/dev/ng0n1 --rw=randwrite", { "nvme0n1 has a volatile write cache: a write "
	  "completes when it is in the cache; fsync=1 or writefua=1 measures", "the disk statistics of nvme0n1 do not count them" } },
	{ "--ioengine=io_uring_cmd --filename=/dev/ng0n1 --rw=randwrite --writefua=1", { "x: its commands go past the block layer" } },
	{ "--ioengine=io_uring_cmd --filename=/dev/ng1n1 --rw=randread", { "" } },
	{ "--ioengine=io_uring_cmd --filename=/dev/ng0n1:/dev/ng2n1:/dev/ng1n1 --rw=randwrite", { "x: nvme0n1 and nvme2n1 have a volatile write "
	  "cache: a write", "the disk statistics of nvme0n1 and nvme2n1 do not count them" } },
	{ "--ioengine=io_uring_cmd --filename=/dev/ng1n1:/dev/ng0n1 --rw=randread", { "the disk statistics of nvme0n1 do not" } },
	{ "--ioengine=io_uring_cmd --filename=/dev/ng0n1:/dev/ng2n1:/dev/ng2n2:/dev/ng2n3 --rw=randread",
	  { "the disk statistics of nvme0n1, nvme2n1, nvme2n2 and others do not" } },
	{ "--filename=/dev/vda --rw=randread --direct=1", { "vda is a virtual disk" } },
	{ "--filename=/dev/round --rw=randread --direct=1", { "round is a rotating disk" } },
	{ "--filename=/dev/round --rw=read --direct=1", { "" } },
	{ "--filename=file --rw=randread --direct=1 --runtime=1 --name=y --name=z --numjobs=3 --name=a --name=b",
	  { "x, y, z and 2 more: runtime=1 is short" } },
};

/* clang-format on */

/* The notes about this line; f: facts about the machine, to which this adds targets and memory. */
static void preflight_with(struct facts f, const char *line, struct notes *said)
{
	struct job_set set = { 0 };
	struct cmdline c = { 0 };
	struct diag d = { 0 };
	struct plan p = { 0 };
	struct note_range memory = { 0 };
	char *copy = strdup(line), *argv[32] = { (char *)"fiord" }, *save = NULL;
	int argc = 1;

	/* Options before --name apply to all jobs. */
	for (char *w = strtok_r(copy, " ", &save); w; w = strtok_r(NULL, " ", &save)) {
		if (!strcmp(w, "--name=y"))
			argv[argc++] = (char *)"--name=x";
		argv[argc++] = w;
	}
	if (!strstr(line, "--name="))
		argv[argc++] = (char *)"--name=x";
	f.targets = (struct facts_target *)(uintptr_t)targets;
	f.ntargets = LEN(targets);
	f.memory_bytes = 1024 * MIB;
	if (cmdline_parse(&c, &set, argc, argv, &d) || plan_build(&p, &set, &f, &d))
		fail_msg("%s: %s", line, diag_text(&d));
	preflight(&p, &f, said, &memory);
	for (size_t i = 0; i < said->count; i++)
		assert_int_equal(i - memory.first < memory.count,
				 strstr(said->line[i], "mostly those of memory; direct=1") != NULL);
	plan_fini(&p);
	job_set_fini(&set);
	free(copy);
}

static void take_off(const char *line, const char *governor, struct notes *said)
{
	struct facts f = { 0 };

	strcpy(f.governor, governor);
	preflight_with(f, line, said);
}

static void test_cases(void **state)
{
	(void)state;
	for (size_t i = 0; i < LEN(cases); i++) {
		struct notes said = { 0 };
		size_t n = 0;

		take_off(cases[i].line, "", &said);
		for (; cases[i].says[n] && *cases[i].says[n]; n++) {
			if (n >= said.count || !strstr(said.line[n], cases[i].says[n]))
				fail_msg("%s: \"%s\" is not said, but %s", cases[i].line, cases[i].says[n],
					 n < said.count ? said.line[n] : "nothing");
		}
		if (said.count > n)
			fail_msg("%s: also said: %s", cases[i].line, said.line[n]);
		notes_fini(&said);
	}
}

static void test_governor(void **state)
{
	static const char *const lines[] = { "--filename=file --rw=randread --direct=1",
					     "--ioengine=null --size=1m" };

	(void)state;
	for (size_t i = 0; i < LEN(lines); i++) {
		struct notes said = { 0 };

		take_off(lines[i], "performance", &said);
		assert_int_equal(said.count, 0);
		take_off(lines[i], "powersave", &said);
		assert_int_equal(said.count, 1);
		assert_non_null(strstr(said.line[0], "x: the CPU governor is powersave"));
		notes_fini(&said);
	}
}

static void test_unmounted(void **state)
{
	const struct facts f = { .no_proc = true, .no_sys = true };
	struct notes said = { 0 };

	(void)state;
	preflight_with(f, "--ioengine=null --size=1m", &said);
	assert_int_equal(said.count, 0);
	preflight_with(f, "--filename=file --rw=randread --direct=1 --numjobs=2", &said);
	assert_int_equal(said.count, 2);
	assert_non_null(strstr(said.line[0], "/proc is not mounted"));
	assert_non_null(strstr(said.line[1], "/sys is not mounted"));
	notes_fini(&said);
}

int unit_preflight(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(test_cases), cmocka_unit_test(test_governor),
					    cmocka_unit_test(test_unmounted) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
