#include <endian.h>
#include <linux/nvme_ioctl.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>
#include "blockdev.h"
#include "nvme.h"
#include "props.h"

#define OPCODE_GET_LOG_PAGE 0x02
#define LOG_SMART           0x02
#define ALL_NAMESPACES      0xffffffffu
#define KELVIN              273

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
	struct nvme_admin_cmd c = {
		.opcode = OPCODE_GET_LOG_PAGE,
		.nsid = ALL_NAMESPACES,
		.addr = (uintptr_t)log,
		.data_len = sizeof(log),
		.cdw10 = LOG_SMART | (sizeof(log) / 4 - 1) << 16,
	};
	struct blockdev b;
	int fd;

	if (blockdev_get(&b, block) || strncmp(b.name, "nvme", 4) != 0)
		return;
	fd = blockdev_open(block);
	if (fd < 0)
		return;
	if (!ioctl(fd, NVME_IOCTL_ADMIN_CMD, &c))
		nvme_health_read(p, log, after);
	close(fd);
}
