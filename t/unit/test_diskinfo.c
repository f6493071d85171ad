/* Do diskinfo and storage describe the devices of an artificial sysfs? */
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
#include "storage.h"
#include "sysfs.h"

static char root[] = "/tmp/fiord-disks.XXXXXX";

static void make_dirs(const char *path)
{
	char part[512];

	for (const char *slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
		snprintf(part, sizeof(part), "%.*s", (int)(slash - path), path);
		mkdir(part, 0700);
	}
}

/* Creates a file of the tree with one line. */
static void put(const char *name, const char *text)
{
	char path[512];
	FILE *f;

	snprintf(path, sizeof(path), "%s/sys/%s", root, name);
	make_dirs(path);
	f = fopen(path, "w");
	assert_non_null(f);
	fprintf(f, "%s\n", text);
	fclose(f);
}

static void put_link(const char *name, const char *to)
{
	char path[512];

	snprintf(path, sizeof(path), "%s/sys/%s", root, name);
	make_dirs(path);
	assert_int_equal(symlink(to, path), 0);
}

#define NVME "devices/pci0000:00/0000:00:04.0/nvme/nvme0/"
#define SDA  "devices/pci0000:00/ata1/host0/target0:0:0/0:0:0:0/block/sda/"
#define DM   "devices/virtual/block/dm-0/"

static void make_nvme(void)
{
	put(NVME "nvme0n1/dev", "259:0");
	put(NVME "nvme0n1/size", "2048");
	put(NVME "nvme0n1/queue/rotational", "0");
	put(NVME "nvme0n1/queue/scheduler", "[none] mq-deadline");
	put(NVME "nvme0n1/queue/write_cache", "write back");
	put(NVME "nvme0n1/queue/fua", "1");
	put(NVME "nvme0n1/queue/nr_requests", "1023");
	put(NVME "nvme0n1/queue/zoned", "host-managed");
	put(NVME "nvme0n1/queue/nr_zones", "32");
	put(NVME "nvme0n1/queue/chunk_sectors", "16384");
	put(NVME "nvme0n1/queue/max_open_zones", "4");
	put(NVME "nvme0n1/queue/max_hw_sectors_kb", "512");
	put(NVME "nvme0n1/integrity/format", "T10-DIF-TYPE1-CRC");
	put(NVME "nvme0n1/metadata_bytes", "8");
	put(NVME "nvme0n1/mq/0/cpu_list", "0");
	put(NVME "nvme0n1/mq/1/cpu_list", "1");
	put(NVME "nvme0n1/nvme0n1p2/dev", "259:2");
	put(NVME "nvme0n1/nvme0n1p2/partition", "2");
	put(NVME "nvme0n1/nvme0n1p2/size", "1024");
	put(NVME "nvme0n1/nvme0n1p2/start", "512");
	put(NVME "model", "ACME  SSD 1T           ");
	put(NVME "serial", "SECRET42");
	put(NVME "firmware_rev", "1.2  ");
	put(NVME "transport", "pcie");
	put(NVME "hwmon3/temp1_input", "49850");
	put_link(NVME "nvme0n1/device", "..");
	put_link(NVME "device", "../..");
	put("bus/pci/drivers/nvme/x", "");
	put_link("devices/pci0000:00/0000:00:04.0/driver", "../../../bus/pci/drivers/nvme");
	put_link("dev/block/259:0", "../../" NVME "nvme0n1");
	put_link("dev/block/259:2", "../../" NVME "nvme0n1/nvme0n1p2");
}

static void make_disk(void)
{
	put(SDA "dev", "8:0");
	put(SDA "size", "4096");
	put(SDA "ro", "1");
	put(SDA "queue/rotational", "1");
	put(SDA "queue/scheduler", "none mq-deadline [bfq]");
	put(SDA "queue/write_cache", "write through");
	put(SDA "queue/fua", "0");
	put(SDA "queue/nr_requests", "not a number");
	put("devices/pci0000:00/ata1/host0/target0:0:0/0:0:0:0/vendor", "ATA     ");
	put("devices/pci0000:00/ata1/host0/target0:0:0/0:0:0:0/model", "tab\there");
	put("devices/pci0000:00/ata1/host0/target0:0:0/0:0:0:0/queue_depth", "31");
	put("devices/pci0000:00/ata1/host0/target0:0:0/0:0:0:0/hwmon/hwmon4/temp1_input", "31000");
	put_link(SDA "device", "../..");
	put_link("dev/block/8:0", "../../devices/pci0000:00/ata1/host0/target0:0:0/0:0:0:0/block/sda");
}

/* A mirror of two disks, one of them by a partition. */
static void make_stack(void)
{
	put(DM "dev", "252:0");
	put(DM "size", "1000");
	put(DM "dm/name", "vg-data");
	put(DM "dm/uuid", "LVM-abcdefghij");
	put(DM "queue/write_cache", "write back");
	put_link(DM "slaves/nvme0n1p2", "../../../../../" NVME "nvme0n1/nvme0n1p2");
	put_link(DM "slaves/sda",
		 "../../../../../devices/pci0000:00/ata1/host0/target0:0:0/0:0:0:0/block/sda");
	put_link("dev/block/252:0", "../../devices/virtual/block/dm-0");
}

static int make_tree(void **state)
{
	(void)state;
	if (!mkdtemp(root))
		return -1;
	make_nvme();
	make_disk();
	make_stack();
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

static void test_durable(void **state)
{
	static const struct {
		const char *cache;
		int fua;
		const char *word;
	} t[] = { { "write through", 0, "neither" },
		  { "write through", 1, "neither" },
		  { "write through", -1, "neither" },
		  { "write back", 1, "fua" },
		  { "write back", 0, "flush" },
		  { "write back", -1, NULL },
		  { "", 1, NULL },
		  { "", -1, NULL },
		  { "else", 0, NULL } };

	(void)state;
	for (size_t i = 0; i < sizeof(t) / sizeof(t[0]); i++) {
		const char *word = diskinfo_durable(t[i].cache, t[i].fua);

		if (t[i].word)
			assert_string_equal(word, t[i].word);
		else
			assert_null(word);
	}
}

static void test_nvme(void **state)
{
	struct props p = { 0 };

	(void)state;
	diskinfo_add(&p, makedev(259, 0));
	assert_string_equal(props_str(&p, "name"), "nvme0n1");
	assert_string_equal(props_str(&p, "kind"), "disk");
	assert_string_equal(props_str(&p, "model"), "ACME  SSD 1T");
	assert_string_equal(props_str(&p, "firmware"), "1.2");
	assert_string_equal(props_str(&p, "driver"), "nvme");
	assert_string_equal(props_str(&p, "transport"), "pcie");
	assert_string_equal(props_str(&p, "scheduler"), "none");
	assert_string_equal(props_str(&p, "durable_writes"), "fua");
	assert_string_equal(props_str(&p, "zoned"), "host-managed");
	assert_int_equal(props_num(&p, "nr_zones", 0), 32);
	assert_int_equal(props_num(&p, "zone_bytes", 0), 8 << 20);
	assert_int_equal(props_num(&p, "max_open_zones", 0), 4);
	assert_int_equal(props_num(&p, "max_hw_sectors_kb", 0), 512);
	assert_string_equal(props_str(&p, "protection"), "T10-DIF-TYPE1-CRC");
	assert_int_equal(props_num(&p, "metadata_bytes", 0), 8);
	assert_int_equal(props_num(&p, "size_bytes", 0), 1 << 20);
	assert_int_equal(props_num(&p, "rotational", 9), 0);
	assert_int_equal(props_num(&p, "nr_requests", 0), 1023);
	assert_int_equal(props_num(&p, "hw_queues", 0), 2);
	assert_null(props_find(&p, "queue_depth")); /* a missing attribute has no property */
	assert_null(props_find(&p, "read_only"));
	for (size_t i = 0; i < p.n; i++)
		assert_true(!p.v[i].text || !strstr(p.v[i].text, "SECRET42"));
	props_fini(&p);
}

/* The kernel's driver of NVMe turns 323 kelvins into 49,850 thousandths; SMART counts from 273. */
static void test_temperature(void **state)
{
	struct props p = { 0 }, sda = { 0 }, dm = { 0 };

	(void)state;
	props_u64(&p, "smart_before_temperature_celsius", 44);
	diskinfo_temperature_add(&p, makedev(259, 0), false);
	diskinfo_temperature_add(&p, makedev(259, 0), true);
	assert_int_equal(props_num(&p, "smart_before_temperature_celsius", 0), 44); /* the log comes first */
	assert_int_equal(props_num(&p, "smart_after_temperature_celsius", 0), 50);
	assert_int_equal(p.n, 2);
	diskinfo_temperature_add(&sda, makedev(8, 0), false);
	assert_int_equal(props_num(&sda, "smart_before_temperature_celsius", 0), 31);
	diskinfo_temperature_add(&dm, makedev(252, 0), false);
	assert_int_equal(dm.n, 0);
	props_fini(&p);
	props_fini(&sda);
}

static void test_disk(void **state)
{
	struct props p = { 0 };

	(void)state;
	diskinfo_add(&p, makedev(8, 0));
	assert_string_equal(props_str(&p, "vendor"), "ATA");
	assert_string_equal(props_str(&p, "model"), "tab\there");
	assert_string_equal(props_str(&p, "transport"), "ata");
	assert_string_equal(props_str(&p, "scheduler"), "bfq");
	assert_string_equal(props_str(&p, "durable_writes"), "neither");
	assert_int_equal(props_num(&p, "queue_depth", 0), 31);
	assert_int_equal(props_num(&p, "read_only", 0), 1);
	assert_int_equal(props_num(&p, "rotational", 0), 1);
	assert_null(props_find(&p, "nr_requests"));
	props_fini(&p);
}

static void test_nothing(void **state)
{
	struct props p = { 0 };

	(void)state;
	diskinfo_add(&p, makedev(1, 1));
	assert_int_equal(p.n, 0);
	sysfs_root = "/nonexistent";
	diskinfo_add(&p, makedev(8, 0));
	assert_int_equal(p.n, 0);
	sysfs_root = root;
	props_fini(&p);
}

static void check_chain(const struct storage *s, unsigned n, const char *const *names, const unsigned *levels)
{
	assert_int_equal(s->n, n);
	for (unsigned i = 0; i < n; i++) {
		assert_string_equal(props_str(&s->v[i].props, "name"), names[i]);
		assert_int_equal(s->v[i].level, levels[i]);
	}
}

static void test_stack(void **state)
{
	static const char *const names[] = { "dm-0", "nvme0n1p2", "nvme0n1", "sda" };
	static const unsigned levels[] = { 0, 1, 2, 1 };
	struct target_facts f = { .type = TARGET_BLOCK, .rdev = makedev(252, 0) };
	struct storage s = { 0 };
	const struct props *p;

	(void)state;
	storage_probe(&s, &f, "/dev/dm-0");
	check_chain(&s, 4, names, levels);
	assert_int_equal(s.fs.n, 0);
	p = &s.v[0].props;
	assert_string_equal(props_str(p, "kind"), "dm");
	assert_string_equal(props_str(p, "dm_name"), "vg-data");
	assert_string_equal(props_str(p, "dm_kind"), "LVM");
	assert_string_equal(props_str(p, "durable_writes"), ""); /* an old kernel has no fua attribute */
	p = &s.v[1].props;
	assert_string_equal(props_str(p, "kind"), "partition");
	assert_int_equal(props_num(p, "start_bytes", 0), 512 * 512);
	assert_null(props_find(p, "scheduler"));
	storage_fini(&s);
}

/* A missing file two directories deep is on the file system of the nearest existing directory. */
static void test_file(void **state)
{
	struct target_facts f = { .type = TARGET_MISSING, .dev = makedev(259, 2), .fstype = "ext4" };
	static const char *const names[] = { "nvme0n1p2", "nvme0n1" };
	static const unsigned levels[] = { 0, 1 };
	struct storage s = { 0 };
	char path[64];

	(void)state;
	snprintf(path, sizeof(path), "%s/not/there", root);
	storage_probe(&s, &f, path);
	check_chain(&s, 2, names, levels);
	assert_true(props_num(&s.fs, "block_bytes", 0) > 0);
	assert_true(props_num(&s.fs, "size_bytes", 0) > 0);
	assert_true(*props_str(&s.fs, "type"));
	storage_fini(&s);
}

static void test_none(void **state)
{
	struct target_facts f = { .type = TARGET_CHAR };
	struct storage s = { 0 };

	(void)state;
	storage_probe(&s, &f, "/dev/null");
	assert_int_equal(s.n + s.fs.n, 0);
	f = (struct target_facts){ .type = TARGET_FILE, .error = -13 };
	storage_probe(&s, &f, "/x");
	assert_int_equal(s.n + s.fs.n, 0);
	storage_fini(&s);
}

int unit_diskinfo(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_durable),     cmocka_unit_test(test_nvme),
		cmocka_unit_test(test_temperature), cmocka_unit_test(test_disk),
		cmocka_unit_test(test_nothing),     cmocka_unit_test(test_stack),
		cmocka_unit_test(test_file),        cmocka_unit_test(test_none),
	};

	return cmocka_run_group_tests(tests, make_tree, drop_tree);
}
