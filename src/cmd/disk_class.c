#include "disk_class.h"

#include <string.h>

const char *const disk_class_name[DISK_CLASSES] = { "disks",     "rotational disks", "SATA SSDs",
						    "NVMe SSDs", "virtual disks",    "network storage" };

#define US  1e3
#define MS  1e6
#define MB  1e6
#define MIB 1048576.0

/* An I/O of a rotational disk at depth 1 takes a seek and half a turn; between neighbouring tracks it takes
   half a turn alone. */
/* clang-format off */
static const struct {
	enum disk_class class;
	enum disk_measure measure;
	double modest, fast;
	const char *source;
} rows[] = {
	{ DISK_ROTATIONAL, DISK_LATENCY, 17.5 * MS, 4.16 * MS,
	  "Hitachi 5K320 specification: seek 12 ms, half a turn 5.5 ms; Seagate Constellation ES.3 manual: half a turn 4.16 ms" },
	{ DISK_ROTATIONAL, DISK_IOPS, 1e9 / (17.5 * MS), 1e9 / (4.16 * MS),
	  "Hitachi 5K320 specification and Seagate Constellation ES.3 manual: 1 / latency" },
	{ DISK_ROTATIONAL, DISK_BANDWIDTH, 83 * MB, 270 * MB,
	  "Seagate Constellation ES.3 manual: from 83 MB/s; Seagate Exos X18 data sheet: 270 MB/s" },
	{ DISK_SATA_SSD, DISK_LATENCY, 1e9 / 10000, 1e9 / 13000,
	  "Samsung data sheets, one read at a time: 850 EVO 10,000 IOPS, 870 EVO 13,000 IOPS" },
	{ DISK_SATA_SSD, DISK_IOPS, 98000, 98000, "Samsung 870 EVO data sheet: 98,000 IOPS at depth 32" },
	{ DISK_SATA_SSD, DISK_BANDWIDTH, 540 * MB, 560 * MB,
	  "Samsung data sheets: 850 EVO 540 MB/s, 870 EVO 560 MB/s" },
	{ DISK_NVME, DISK_LATENCY, 1e9 / 15000, 1e9 / 22000,
	  "Samsung data sheets, one read at a time: 970 EVO 15,000 IOPS, 990 PRO 22,000 IOPS" },
	{ DISK_NVME, DISK_IOPS, 200000, 1400000,
	  "Samsung data sheets: 970 EVO 250GB 200,000 IOPS at depth 32, 990 PRO 1,400,000 IOPS with 16 threads" },
	{ DISK_NVME, DISK_BANDWIDTH, 3400 * MB, 7450 * MB,
	  "Samsung data sheets: 970 EVO 3,400 MB/s, 990 PRO 7,450 MB/s" },
	{ DISK_VIRTUAL, DISK_LATENCY, 9.99 * MS, 500 * US,
	  "Amazon EBS volume types: gp3 single-digit milliseconds, io2 Block Express under 500 us" },
	{ DISK_VIRTUAL, DISK_IOPS, 3000, 256000, "Amazon EBS volume types: gp3 from 3,000 IOPS, io2 up to 256,000 IOPS" },
	{ DISK_VIRTUAL, DISK_BANDWIDTH, 125 * MIB, 4000 * MIB,
	  "Amazon EBS volume types: gp3 from 125 MiB/s, io2 Block Express up to 4,000 MiB/s" },
	{ DISK_NETWORK, DISK_LATENCY, 600 * US, 250 * US,
	  "Amazon EFS performance: reads as low as 600 us, in its later edition 250 us" },
	{ DISK_NETWORK, DISK_IOPS, 7000, 90000,
	  "Amazon EFS performance: 7,000 operations per second, with elastic throughput 90,000" },
	{ DISK_NETWORK, DISK_BANDWIDTH, 500 * MIB, 1500 * MIB,
	  "Amazon EFS performance: 500 to 1,500 MiB/s for each client" },
};
/* clang-format on */

/* In the list the devices of which a device consists follow it, one level deeper. */
const struct props *disk_bottom(const struct result *r)
{
	const struct result_target *t = r->ntargets ? &r->targets[0] : NULL;

	for (unsigned i = 0; t && i < t->ndevs; i++) {
		bool stacked = i + 1 < t->ndevs && t->devs[i + 1].level > t->devs[i].level;

		if (!stacked && strcmp(props_str(&t->devs[i].props, "kind"), "partition") != 0)
			return &t->devs[i].props;
	}
	return NULL;
}

static bool is_one_of(const char *text, const char *const *words)
{
	while (*words && strcmp(text, *words) != 0)
		words++;
	return *words;
}

enum disk_class disk_class_of(const struct result *r)
{
	static const char *const network[] = { "nbd", "rbd", "drbd", "iscsi", "fc", "tcp", "rdma", NULL };
	static const char *const hypervisor[] = { "virtio", "xen", "vmbus", NULL };
	static const char *const ata_or_sas[] = { "ata", "sas", NULL };
	const struct props *disk = disk_bottom(r);
	const char *transport = disk ? props_str(disk, "transport") : "";

	if (r->ntargets && !strcmp(props_str(&r->targets[0].fs, "kept_in"), "network"))
		return DISK_NETWORK;
	if (!disk)
		return DISK_UNKNOWN;
	if (is_one_of(props_str(disk, "kind"), network) || is_one_of(transport, network))
		return DISK_NETWORK;
	if (strcmp(props_str(disk, "kind"), "disk") != 0)
		return DISK_UNKNOWN;
	if (is_one_of(transport, hypervisor) || props_num(&r->env.props, "virtual", 0))
		return DISK_VIRTUAL;
	if (!strcmp(transport, "pcie"))
		return DISK_NVME;
	if (!is_one_of(transport, ata_or_sas))
		return DISK_UNKNOWN;
	return props_num(disk, "rotational", 0) ? DISK_ROTATIONAL : DISK_SATA_SSD;
}

bool disk_usual(enum disk_class class, enum disk_measure m, struct disk_range *range)
{
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		if (rows[i].class != class || rows[i].measure != m)
			continue;
		*range = (struct disk_range){ m == DISK_LATENCY ? 2 * rows[i].modest : rows[i].modest / 2,
					      rows[i].fast, rows[i].source };
		return true;
	}
	return false;
}

enum disk_judgement disk_judge(enum disk_measure m, const struct disk_range *range, double value)
{
	bool less_is_fast = m == DISK_LATENCY;

	if (less_is_fast ? value > range->slowest : value < range->slowest)
		return DISK_SLOW;
	return (less_is_fast ? value < range->fastest : value > range->fastest) ? DISK_FAST : DISK_USUAL;
}
