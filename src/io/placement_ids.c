#include "placement_ids.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/nvme_ioctl.h>
#include <sys/ioctl.h>
#include <sys/sysmacros.h>
#include <unistd.h>
#include "sysfs.h"

#define OPCODE_IO_MANAGEMENT_RECEIVE 0x12
#define HANDLE_STATUS                1
#define HEADER_BYTES                 16
#define HANDLE_BYTES                 32

/* Returns how many handles the answer lists, as far as fiord uses them. */
static uint32_t count_handles(const uint8_t answer[HEADER_BYTES])
{
	uint32_t n = (uint32_t)(answer[14] | answer[15] << 8);

	return n < PLACEMENT_IDS ? n : PLACEMENT_IDS;
}

void placement_ids_decode(struct placement_ids *p, const uint8_t answer[PLACEMENT_ANSWER_BYTES])
{
	*p = (struct placement_ids){ .n = count_handles(answer) };
	for (uint32_t i = 0; i < p->n; i++) {
		const uint8_t *handle = answer + HEADER_BYTES + HANDLE_BYTES * i;

		p->id[i] = (uint16_t)(handle[0] | handle[1] << 8);
	}
}

static int receive(int fd, uint32_t nsid, uint8_t *answer, uint32_t bytes)
{
	struct nvme_passthru_cmd c = {
		.opcode = OPCODE_IO_MANAGEMENT_RECEIVE,
		.nsid = nsid,
		.addr = (uintptr_t)answer,
		.data_len = bytes,
		.cdw10 = HANDLE_STATUS,
		.cdw11 = bytes / 4 - 1, /* its dwords, counted from 0 */
	};
	int ret = ioctl(fd, NVME_IOCTL_IO_CMD, &c);

	return ret < 0 ? -errno : ret ? -EIO : 0;
}

/* Devices may refuse a command that has room for more than the answer, so the header is read first. */
int placement_ids_read(struct placement_ids *p, const char *path, uint32_t nsid)
{
	uint8_t answer[PLACEMENT_ANSWER_BYTES] = { 0 };
	int fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC), ret;

	*p = (struct placement_ids){ 0 };
	if (fd < 0)
		return -errno;
	ret = receive(fd, nsid, answer, HEADER_BYTES);
	if (!ret && count_handles(answer))
		ret = receive(fd, nsid, answer, HEADER_BYTES + HANDLE_BYTES * count_handles(answer));
	close(fd);
	if (!ret)
		placement_ids_decode(p, answer);
	return ret;
}

int placement_streams_read(struct placement_ids *p, dev_t block)
{
	uint64_t n = 0;

	*p = (struct placement_ids){ .first = 1 };
	if (sysfs_u64(&n, "/sys/dev/block/%u:%u/queue/max_write_streams", major(block), minor(block)))
		return -ENOENT;
	p->n = n < PLACEMENT_IDS ? (uint32_t)n : PLACEMENT_IDS;
	for (uint32_t i = 0; i < p->n; i++)
		p->id[i] = (uint16_t)(i + 1);
	return 0;
}
