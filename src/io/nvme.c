#include "nvme.h"

#include <endian.h>
#include <errno.h>
#include <limits.h>
#include <linux/nvme_ioctl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/sysmacros.h>
#include <unistd.h>
#include "blockdev.h"
#include "props.h"
#include "sysfs.h"

#define OPCODE_GET_LOG_PAGE 0x02
#define OPCODE_IDENTIFY     0x06
#define CNS_NAMESPACE       0x00
#define CNS_COMMAND_SET     0x05
#define CNS_CONTROLLER      0x06 /* what it says about the NVM command set */
#define LOG_SMART           0x02
#define ALL_NAMESPACES      0xffffffffu
#define KELVIN              273

/* Sets *block to the number of the block device with this name, which lies beside the character device. */
static int block_number(dev_t *block, dev_t character, const char *name)
{
	char text[32];
	unsigned maj, min;
	int ret = sysfs_line(text, sizeof(text), "/sys/dev/char/%u:%u/device/%s/dev", major(character),
			     minor(character), name);

	if (ret || sscanf(text, "%u:%u", &maj, &min) != 2)
		return -ENOENT;
	*block = makedev(maj, min);
	return 0;
}

/* Finds N and M of "ngNnM", the name of the character device in sysfs. */
static bool generic_name(dev_t character, unsigned *instance, unsigned *ns)
{
	char path[PATH_MAX], link[PATH_MAX];
	const char *slash;
	ssize_t n;

	snprintf(path, sizeof(path), "%s/sys/dev/char/%u:%u", sysfs_root, major(character), minor(character));
	n = readlink(path, link, sizeof(link) - 1);
	if (n < 0)
		return false;
	link[n] = '\0';
	slash = strrchr(link, '/');
	return sscanf(slash ? slash + 1 : link, "ng%un%u", instance, ns) == 2;
}

/* The device in sysfs is that of the controller, or of the subsystem if that has several paths. */
int nvme_block_device(struct blockdev *b, dev_t character)
{
	unsigned instance, ns;
	char name[32];

	if (!generic_name(character, &instance, &ns))
		return -ENOENT;
	snprintf(name, sizeof(name), "nvme%un%u", instance, ns);
	if (block_number(&b->dev, character, name))
		return -ENOENT;
	snprintf(b->name, sizeof(b->name), "%s", name);
	return 0;
}

/* Sends an admin command that only asks. Returns 0 or -errno. */
static int ask(int fd, uint8_t opcode, uint32_t nsid, uint32_t cdw10, void *answer, uint32_t bytes)
{
	struct nvme_admin_cmd c = {
		.opcode = opcode,
		.nsid = nsid,
		.addr = (uintptr_t)answer,
		.data_len = bytes,
		.cdw10 = cdw10,
	};
	int ret = ioctl(fd, NVME_IOCTL_ADMIN_CMD, &c);

	return ret < 0 ? -errno : ret ? -EIO : 0;
}

static int identify(int fd, uint32_t nsid, uint32_t cns, void *answer)
{
	return ask(fd, OPCODE_IDENTIFY, nsid, cns, answer, NVME_IDENTIFY_BYTES);
}

/* Returns the index of the format in use. */
static size_t format_index(const uint8_t answer[NVME_IDENTIFY_BYTES])
{
	uint8_t flbas = answer[26];

	return (flbas & 15u) | (answer[25] > 15 ? (flbas & 0x60u) >> 1 : 0);
}

int nvme_format_read(struct nvme_ns *ns, const uint8_t answer[NVME_IDENTIFY_BYTES])
{
	const uint8_t *format = answer + 128 + 4 * format_index(answer);
	uint8_t protection = answer[29];
	uint64_t blocks;

	memcpy(&blocks, answer, sizeof(blocks));
	ns->blocks = le64toh(blocks);
	ns->md_bytes = (uint16_t)(format[0] | format[1] << 8);
	ns->lba_shift = format[2];
	ns->extended = ns->md_bytes && answer[26] & 16u;
	ns->pi_type = protection & 7u;
	ns->pi_first = protection & 8u;
	ns->guard_bits = 16;
	if (ns->lba_shift < 9 || ns->lba_shift > 24 || ns->pi_type > 3)
		return -EINVAL;
	return ns->blocks >> (63 - ns->lba_shift) ? -EINVAL : 0;
}

/* Reads the width of the guard out of the answer to Identify (CNS 5) of the NVM command set. */
static void read_guard(struct nvme_ns *ns, size_t index, const uint8_t answer[NVME_IDENTIFY_BYTES])
{
	static const uint8_t bits[] = { 16, 32, 64, 0 };
	const uint8_t *format = answer + 12 + 4 * index;

	ns->guard_bits = bits[(format[0] >> 7 | format[1] << 1) & 3];
}

void nvme_trim_limits_read(struct nvme_ns *ns, const uint8_t answer[NVME_IDENTIFY_BYTES])
{
	uint32_t blocks;
	uint64_t all;

	memcpy(&blocks, answer + 4, sizeof(blocks));
	memcpy(&all, answer + 8, sizeof(all));
	ns->trim_ranges = answer[3];
	ns->trim_range_blocks = le32toh(blocks);
	ns->trim_blocks = le64toh(all);
}

int nvme_identify(struct nvme_ns *ns, int fd)
{
	uint8_t *answer = calloc(2, NVME_IDENTIFY_BYTES);
	int ret, nsid = ioctl(fd, NVME_IOCTL_ID);

	*ns = (struct nvme_ns){ 0 };
	if (!answer || nsid <= 0) {
		ret = !answer ? -ENOMEM : nsid < 0 ? -errno : -ENODEV;
		free(answer);
		return ret;
	}
	ret = identify(fd, (uint32_t)nsid, CNS_NAMESPACE, answer);
	ret = ret ? ret : nvme_format_read(ns, answer);
	/* Devices that know only guards of 16 bits may refuse this command. */
	if (!ret && ns->pi_type &&
	    !identify(fd, (uint32_t)nsid, CNS_COMMAND_SET, answer + NVME_IDENTIFY_BYTES))
		read_guard(ns, format_index(answer), answer + NVME_IDENTIFY_BYTES);
	/* Controllers before NVMe 2.0 may refuse this one. The kernel takes no other namespace than its own.
	 */
	if (!ret && !identify(fd, (uint32_t)nsid, CNS_CONTROLLER, answer))
		nvme_trim_limits_read(ns, answer);
	ns->nsid = ret ? 0 : (uint32_t)nsid;
	free(answer);
	return ret;
}

static int send_io_command(int fd, struct nvme_passthru_cmd *c)
{
	int ret = ioctl(fd, NVME_IOCTL_IO_CMD, c);

	return ret < 0 ? -errno : ret ? -nvme_status_errno((uint16_t)ret) : 0;
}

int nvme_flush(int fd, uint32_t nsid)
{
	struct nvme_passthru_cmd c = { .opcode = NVME_FLUSH, .nsid = nsid };

	return send_io_command(fd, &c);
}

int nvme_zone_send(int fd, const struct nvme_ns *ns, enum nvme_zone_action action, uint64_t offset)
{
	uint64_t block = offset >> ns->lba_shift;
	struct nvme_passthru_cmd c = { .opcode = NVME_ZONE_MANAGEMENT_SEND,
				       .nsid = ns->nsid,
				       .cdw10 = (uint32_t)block,
				       .cdw11 = (uint32_t)(block >> 32),
				       .cdw13 = action };

	return send_io_command(fd, &c);
}

/* ---- temperature and wear ---- */

static uint64_t little_endian(const uint8_t *at, unsigned bytes)
{
	uint64_t v = 0;

	memcpy(&v, at, bytes);
	return le64toh(v);
}

/* A set of facts keeps no copies of names. */
/* clang-format off */
#define NAMES(name) { "smart_before_" name, "smart_after_" name }
/* clang-format on */

void nvme_health_read(struct props *p, const uint8_t log[NVME_SMART_BYTES], bool after)
{
	static const char *const celsius[] = NAMES("temperature_celsius"),
				 *const warning[] = NAMES("critical_warning"),
				 *const used[] = NAMES("percentage_used"),
				 *const throttled[] = NAMES("throttled");
	uint64_t kelvin = little_endian(log + 1, 2);

	if (kelvin >= KELVIN) /* 0: the disk has no sensor */
		props_u64(p, celsius[after], kelvin - KELVIN);
	props_u64(p, warning[after], log[0]);
	props_u64(p, used[after], log[5]);
	/* How often the disk has slowed down to cool: lightly, and heavily. */
	props_u64(p, throttled[after], little_endian(log + 216, 4) + little_endian(log + 220, 4));
}

void nvme_health_add(struct props *p, dev_t block, bool after)
{
	uint8_t log[NVME_SMART_BYTES] = { 0 };
	struct blockdev b;
	int fd;

	if (blockdev_get(&b, block) || strncmp(b.name, "nvme", 4) != 0)
		return;
	fd = blockdev_open(block);
	if (fd < 0)
		return;
	if (!ask(fd, OPCODE_GET_LOG_PAGE, ALL_NAMESPACES, LOG_SMART | (sizeof(log) / 4 - 1) << 16, log,
		 sizeof(log)))
		nvme_health_read(p, log, after);
	close(fd);
}
