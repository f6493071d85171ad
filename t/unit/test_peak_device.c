/* What does fiord peak read about a device from an artificial sysfs: its NUMA node, the order of the CPUs,
   its link, and polling? The speeds follow from the encodings of PCIe, SATA and SAS: 8 bits in 10, 128 in
   130, and 128 in 150. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "machine.h"
#include "peak_run.h"
#include "sysfs.h"

#define PCI "sys/devices/pci0000:00/0000:01:00.0/"

static char root[] = "/tmp/fiord-peak.XXXXXX";

static int begin(void **state)
{
	(void)state;
	strcpy(root + strlen(root) - 6, "XXXXXX");
	sysfs_root = mkdtemp(root);
	return !sysfs_root;
}

static int end(void **state)
{
	char command[128];

	(void)state;
	sysfs_root = "";
	snprintf(command, sizeof(command), "rm -rf '%s'", root);
	return system(command);
}

static void make_directories(char *path)
{
	for (char *slash = strchr(path + sizeof(root), '/'); slash; slash = strchr(slash + 1, '/')) {
		*slash = '\0';
		mkdir(path, 0700);
		*slash = '/';
	}
}

static void put(const char *name, const char *text)
{
	char path[256];
	FILE *f;

	snprintf(path, sizeof(path), "%s/%s", root, name);
	make_directories(path);
	f = fopen(path, "w");
	assert_non_null(f);
	fprintf(f, "%s\n", text);
	fclose(f);
}

static void put_disk(const char *disk, const char *directory)
{
	char path[256], link[256];

	snprintf(path, sizeof(path), "%s/sys/block/%s", root, disk);
	make_directories(path);
	snprintf(link, sizeof(link), "%s/%s", root, directory);
	assert_int_equal(symlink(link, path), 0);
}

static void probe(struct peak_target *t, const char *disk, struct arena *mem)
{
	struct machine m = { 0 };

	put("sys/devices/system/cpu/online", "0-7");
	put("sys/devices/system/node/has_memory", "0-1");
	put("sys/devices/system/node/node0/cpulist", "0-3");
	put("sys/devices/system/node/node1/cpulist", "4-7");
	assert_int_equal(machine_probe(&m), 0);
	memset(&m.allowed, 0, sizeof(m.allowed));
	for (unsigned cpu = 0; cpu < 8; cpu++)
		if (cpu != 6) /* a cpuset withholds one */
			cpuset_add(&m.allowed, cpu);
	*t = (struct peak_target){ .path = "x", .disk = disk };
	assert_int_equal(peak_device_probe(t, &m, mem), 0);
	machine_fini(&m);
}

/* An NVMe drive on node 1 has two queues: CPUs 0, 1, 4 and 5, and the rest. Their interrupts go to CPUs 5
 * and 3. */
static void nvme(void **state)
{
	static const unsigned order[] = { 5, 7, 4, 3, 0, 2, 1 };
	struct arena mem = { 0 };
	struct peak_target t;

	(void)state;
	put(PCI "numa_node", "1");
	put(PCI "current_link_speed", "8.0 GT/s PCIe");
	put(PCI "current_link_width", "4");
	put(PCI "msi_irqs/30", "msix");
	put(PCI "msi_irqs/31", "msix");
	put(PCI "nvme/nvme0/nvme0n1/mq/0/cpu_list", "0, 1, 4, 5");
	put(PCI "nvme/nvme0/nvme0n1/mq/1/cpu_list", "2, 3, 6, 7");
	put(PCI "nvme/nvme0/nvme0n1/queue/io_poll", "1");
	put("proc/irq/30/effective_affinity_list", "5");
	put("proc/irq/31/effective_affinity_list", "3");
	put_disk("nvme0n1", PCI "nvme/nvme0/nvme0n1");
	probe(&t, "nvme0n1", &mem);
	assert_int_equal(t.node, 1);
	assert_true(t.polls);
	assert_string_equal(t.link, "PCIe 8.0 GT/s x4");
	assert_true(t.link_bytes > 3938000000ull &&
		    t.link_bytes < 3939000000ull); /* 32 Gbit/s * 128 / 130 / 8 */
	assert_int_equal(t.ncpus, 7);
	for (size_t i = 0; i < t.ncpus; i++)
		assert_int_equal(t.cpus[i], order[i]);
	arena_fini(&mem);
}

static void links(void **state)
{
	static const struct {
		const char *file, *text, *link;
		uint64_t bytes;
	} cases[] = {
		{ "sys/devices/pci/ata1/link1/ata_link/link1/sata_spd", "6.0 Gbps", "SATA 6.0 Gbit/s",
		  600000000 },
		{ "sys/devices/pci/ata1/phy-0:1/sas_phy/phy-0:1/negotiated_linkrate", "12.0 Gbit",
		  "SAS 12.0 Gbit/s", 1200000000 },
		{ "sys/devices/pci/ata1/phy-0:1/sas_phy/phy-0:1/negotiated_linkrate", "22.5 Gbit",
		  "SAS 22.5 Gbit/s", 2400000000 },
		{ "sys/devices/pci/ata1/link1/ata_link/link1/sata_spd", "<unknown>", NULL, 0 },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct arena mem = { 0 };
		struct peak_target t;

		put(cases[i].file, cases[i].text);
		put("sys/devices/pci/ata1/host0/sda/queue/io_poll", "0");
		put_disk("sda", "sys/devices/pci/ata1/host0/sda");
		probe(&t, "sda", &mem);
		assert_int_equal(t.link_bytes, cases[i].bytes);
		if (cases[i].link)
			assert_string_equal(t.link, cases[i].link);
		assert_int_equal(t.node, -1);
		assert_false(t.polls);
		arena_fini(&mem);
		assert_int_equal(end(state), 0);
		assert_int_equal(begin(state), 0);
	}
}

/* A file system in memory has no disk: all CPUs are alike. */
static void no_disk(void **state)
{
	struct arena mem = { 0 };
	struct peak_target t;

	(void)state;
	probe(&t, "", &mem);
	assert_int_equal(t.node, -1);
	assert_null(t.link);
	assert_int_equal(t.ncpus, 7);
	assert_int_equal(t.cpus[0], 0);
	arena_fini(&mem);
}

int unit_peak_device(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(nvme, begin, end),
		cmocka_unit_test_setup_teardown(links, begin, end),
		cmocka_unit_test_setup_teardown(no_disk, begin, end),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
