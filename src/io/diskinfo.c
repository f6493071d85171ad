#include "storage.h"

#include <dirent.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sysmacros.h>
#include <unistd.h>
#include "blockdev.h"
#include "sysfs.h"

#define SYS_FMT      "/sys/dev/block/%u:%u/"
#define SYS_ARG(dev) major(dev), minor(dev)

const char *diskinfo_durable(const char *write_cache, int fua)
{
	if (!strcmp(write_cache, "write through"))
		return "neither";
	if (strcmp(write_cache, "write back") != 0)
		return NULL;
	return fua > 0 ? "fua" : fua == 0 ? "flush" : NULL;
}

enum attr_type { NUMBER, TRUTH, WORDS, CHOICE };

struct attr {
	const char *file; /* relative to the device's directory */
	const char *name;
	enum attr_type type;
};

/* clang-format off */
static const struct attr queue_attrs[] = {
	{ "queue/rotational", "rotational", TRUTH },
	{ "queue/logical_block_size", "logical_block_size", NUMBER },
	{ "queue/physical_block_size", "physical_block_size", NUMBER },
	{ "queue/minimum_io_size", "minimum_io_size", NUMBER },
	{ "queue/optimal_io_size", "optimal_io_size", NUMBER },
	{ "queue/scheduler", "scheduler", CHOICE },
	{ "queue/nr_requests", "nr_requests", NUMBER },
	{ "device/queue_depth", "queue_depth", NUMBER },
	{ "queue/read_ahead_kb", "read_ahead_kb", NUMBER },
	{ "queue/max_sectors_kb", "max_sectors_kb", NUMBER },
	{ "queue/max_hw_sectors_kb", "max_hw_sectors_kb", NUMBER },
	{ "queue/nomerges", "nomerges", NUMBER },
	{ "queue/rq_affinity", "rq_affinity", NUMBER },
	{ "queue/io_poll", "io_poll", TRUTH },
	{ "queue/wbt_lat_usec", "wbt_lat_usec", NUMBER },
	{ "queue/write_cache", "write_cache", WORDS },
	{ "queue/fua", "fua", TRUTH },
	{ "queue/discard_granularity", "discard_granularity", NUMBER },
	{ "queue/discard_max_bytes", "discard_max_bytes", NUMBER },
	{ "queue/atomic_write_unit_min_bytes", "atomic_write_unit_min_bytes", NUMBER },
	{ "queue/atomic_write_unit_max_bytes", "atomic_write_unit_max_bytes", NUMBER },
	{ "metadata_bytes", "metadata_bytes", NUMBER },
	{ "integrity/format", "protection", WORDS },
	{ "queue/zoned", "zoned", WORDS },
};
static const struct attr zone_attrs[] = {
	{ "queue/nr_zones", "nr_zones", NUMBER },
	{ "queue/max_open_zones", "max_open_zones", NUMBER },
	{ "queue/max_active_zones", "max_active_zones", NUMBER },
};
static const struct attr stack_attrs[] = {
	{ "dm/name", "dm_name", WORDS },
	{ "md/level", "md_level", WORDS },
	{ "md/raid_disks", "md_disks", NUMBER },
	{ "md/chunk_size", "md_chunk_bytes", NUMBER },
	{ "loop/backing_file", "backing_file", WORDS },
	{ "loop/dio", "backing_direct", TRUTH },
	{ "bcache/cache_mode", "bcache_mode", CHOICE },
};
/* clang-format on */

/* Returns the active choice, such as the one in brackets in "none [mq-deadline] kyber". Text without brackets
   is the only value. */
static char *chosen(char *text)
{
	char *at = strchr(text, '[');

	if (!at)
		return text;
	at[strcspn(at, "]")] = '\0';
	return at + 1;
}

static char *trimmed(char *text)
{
	size_t len = strlen(text);

	while (len && text[len - 1] == ' ')
		text[--len] = '\0';
	return text + strspn(text, " ");
}

static void add_attr(struct props *p, dev_t dev, const struct attr *a)
{
	char text[PATH_MAX];
	uint64_t v;

	if (a->type == NUMBER || a->type == TRUTH) {
		if (sysfs_u64(&v, SYS_FMT "%s", SYS_ARG(dev), a->file))
			return;
		if (a->type == TRUTH)
			props_bool(p, a->name, v != 0);
		else
			props_u64(p, a->name, v);
	} else if (!sysfs_line(text, sizeof(text), SYS_FMT "%s", SYS_ARG(dev), a->file)) {
		props_text(p, a->name, a->type == CHOICE ? chosen(text) : trimmed(text));
	}
}

static void add_attrs(struct props *p, dev_t dev, const struct attr *list, size_t n)
{
	for (size_t i = 0; i < n; i++)
		add_attr(p, dev, &list[i]);
}

/* Adds the kind of a dm device, with which dm/uuid begins: "LVM-...", "CRYPT-LUKS2-...", "mpath-...". The
   rest identifies this device and is left out. */
static void add_dm_kind(struct props *p, dev_t dev)
{
	char text[256], *dash;

	if (sysfs_line(text, sizeof(text), SYS_FMT "dm/uuid", SYS_ARG(dev)))
		return;
	dash = strchr(text, '-');
	if (!dash)
		return;
	*dash = '\0';
	props_text(p, "dm_kind", text);
}

/* Resolves a link below the device's directory. Returns false if there is none. */
static bool link_to(char real[PATH_MAX], dev_t dev, const char *link)
{
	char path[PATH_MAX];

	snprintf(path, sizeof(path), "%s" SYS_FMT "%s", sysfs_root, SYS_ARG(dev), link);
	return realpath(path, real) != NULL;
}

/* Returns the transport (NVMe, SATA, USB ...), from the directory names of the device's place in sysfs. */
static const char *transport_of(const char *path)
{
	static const struct {
		const char *part, *name;
	} known[] = {
		{ "/usb", "usb" },       { "/ata", "ata" },       { "/end_device-", "sas" },
		{ "/rport-", "fc" },     { "/session", "iscsi" }, { "/virtio", "virtio" },
		{ "/mmc_host/", "mmc" }, { "/vbd-", "xen" },      { "/vmbus", "vmbus" },
		{ "/VMBUS", "vmbus" },   { "/nvme", "pcie" },
	};

	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
		if (strstr(path, known[i].part))
			return known[i].name;
	}
	return NULL;
}

static void add_driver(struct props *p, dev_t dev)
{
	static const char *const links[] = { "device/driver", "device/device/driver" };
	char real[PATH_MAX];

	for (size_t i = 0; i < 2; i++) {
		if (link_to(real, dev, links[i])) {
			props_text(p, "driver", strrchr(real, '/') + 1);
			return;
		}
	}
}

/* Adds model and transport. Stacked devices have none. */
static void add_hardware(struct props *p, dev_t dev)
{
	char text[256], real[PATH_MAX];

	if (!link_to(real, dev, "device"))
		return;
	if (!sysfs_line(text, sizeof(text), SYS_FMT "device/vendor", SYS_ARG(dev)) &&
	    strncmp(text, "0x", 2) != 0)
		props_text(p, "vendor", trimmed(text));
	if (!sysfs_line(text, sizeof(text), SYS_FMT "device/model", SYS_ARG(dev)))
		props_text(p, "model", trimmed(text));
	if (!sysfs_line(text, sizeof(text), SYS_FMT "device/firmware_rev", SYS_ARG(dev)) ||
	    !sysfs_line(text, sizeof(text), SYS_FMT "device/rev", SYS_ARG(dev)))
		props_text(p, "firmware", trimmed(text));
	add_driver(p, dev);
	if (!sysfs_line(text, sizeof(text), SYS_FMT "device/transport", SYS_ARG(dev)))
		props_text(p, "transport", trimmed(text));
	else
		props_text(p, "transport", transport_of(real));
}

/* Counts mq/0, mq/1 ...: the hardware queues. */
static void add_hw_queues(struct props *p, dev_t dev)
{
	char path[PATH_MAX];
	struct dirent *e;
	uint64_t n = 0;
	DIR *dir;

	snprintf(path, sizeof(path), "%s" SYS_FMT "mq", sysfs_root, SYS_ARG(dev));
	dir = opendir(path);
	if (!dir)
		return;
	while ((e = readdir(dir)))
		n += e->d_name[0] >= '0' && e->d_name[0] <= '9';
	closedir(dir);
	if (n)
		props_u64(p, "hw_queues", n);
}

/* Reads the first sensor of a directory that holds hwmon0, hwmon1 or so, rounded to degrees. */
static bool read_sensor(uint64_t *celsius, dev_t dev, const char *below)
{
	char path[PATH_MAX];
	struct dirent *e;
	bool found = false;
	DIR *dir;

	snprintf(path, sizeof(path), "%s" SYS_FMT "%s", sysfs_root, SYS_ARG(dev), below);
	dir = opendir(path);
	if (!dir)
		return false;
	while (!found && (e = readdir(dir)))
		found = !strncmp(e->d_name, "hwmon", 5) &&
			!sysfs_u64(celsius, SYS_FMT "%s/%s/temp1_input", SYS_ARG(dev), below, e->d_name);
	closedir(dir);
	*celsius = (*celsius + 500) / 1000;
	return found;
}

void diskinfo_temperature_add(struct props *p, dev_t dev, bool after)
{
	static const char *const places[] = { "device", "device/hwmon", "device/device/hwmon" };
	const char *name = after ? "smart_after_temperature_celsius" : "smart_before_temperature_celsius";
	uint64_t celsius = 0;

	for (size_t i = 0; i < sizeof(places) / sizeof(places[0]) && !props_find(p, name); i++)
		if (read_sensor(&celsius, dev, places[i]))
			props_u64(p, name, celsius);
}

static const char *device_kind(const char *name, bool partition)
{
	static const struct {
		const char *begins, *kind;
	} known[] = { { "dm-", "dm" },    { "md", "md" },   { "loop", "loop" },
		      { "zram", "zram" }, { "ram", "ram" }, { "nbd", "nbd" },
		      { "drbd", "drbd" }, { "rbd", "rbd" }, { "bcache", "bcache" } };

	if (partition)
		return "partition";
	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
		if (!strncmp(name, known[i].begins, strlen(known[i].begins)))
			return known[i].kind;
	}
	return "disk";
}

/* Devices without zones have these files, too, with zeroes. */
static void add_zones(struct props *p, dev_t dev)
{
	const char *zoned = props_str(p, "zoned");
	uint64_t sectors;

	if (!*zoned || !strcmp(zoned, "none"))
		return;
	add_attrs(p, dev, zone_attrs, sizeof(zone_attrs) / sizeof(zone_attrs[0]));
	if (!sysfs_u64(&sectors, SYS_FMT "queue/chunk_sectors", SYS_ARG(dev)))
		props_u64(p, "zone_bytes", sectors * 512);
}

static void add_queue(struct props *p, dev_t dev)
{
	const struct prop *fua;

	add_attrs(p, dev, queue_attrs, sizeof(queue_attrs) / sizeof(queue_attrs[0]));
	add_zones(p, dev);
	add_hw_queues(p, dev);
	fua = props_find(p, "fua");
	props_text(p, "durable_writes",
		   diskinfo_durable(props_str(p, "write_cache"), fua ? (int)fua->number : -1));
}

void diskinfo_add(struct props *p, dev_t dev)
{
	bool partition = blockdev_whole(dev) != dev;
	struct blockdev b;
	uint64_t v;

	if (blockdev_get(&b, dev))
		return;
	props_text(p, "name", b.name);
	props_text(p, "kind", device_kind(b.name, partition));
	if (!sysfs_u64(&v, SYS_FMT "size", SYS_ARG(dev)))
		props_u64(p, "size_bytes", v * 512);
	if (!sysfs_u64(&v, SYS_FMT "ro", SYS_ARG(dev)) && v)
		props_bool(p, "read_only", true);
	if (partition) {
		if (!sysfs_u64(&v, SYS_FMT "start", SYS_ARG(dev)))
			props_u64(p, "start_bytes", v * 512);
		return;
	}
	add_hardware(p, dev);
	add_attrs(p, dev, stack_attrs, sizeof(stack_attrs) / sizeof(stack_attrs[0]));
	add_dm_kind(p, dev);
	add_queue(p, dev);
}
