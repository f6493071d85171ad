#include "zoned.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/blkzoned.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>
#include "blockdev.h"
#include "file.h"
#include "nvme.h"
#include "sysfs.h"

#define SECTOR       512u
#define REPORT_ZONES 1024u /* in one call */

static enum zoned_state state_of(const struct blk_zone *b)
{
	if (b->cond == BLK_ZONE_COND_OFFLINE)
		return ZONED_OFFLINE;
	return b->cond == BLK_ZONE_COND_READONLY ? ZONED_READ_ONLY : ZONED_NORMAL;
}

static struct device_zone zone_of(const struct blk_zone *b, unsigned flags)
{
	uint64_t capacity = flags & BLK_ZONE_REP_CAPACITY ? b->capacity : b->len;
	bool conventional = b->type == BLK_ZONE_TYPE_CONVENTIONAL;
	uint64_t wp = b->wp - b->start;

	if (conventional || b->cond == BLK_ZONE_COND_EMPTY)
		wp = 0;
	else if (b->cond == BLK_ZONE_COND_FULL || state_of(b))
		wp = capacity;

	return (struct device_zone){
		.start = b->start * SECTOR,
		.capacity = capacity * SECTOR,
		.wp = wp * SECTOR,
		.state = state_of(b),
		.conventional = conventional,
	};
}

/* Asks for at most n zones from `start` on, in bytes. *r: the answer, to be freed. Returns their number or
 * -errno. */
static int report_zones(int fd, uint64_t start, uint32_t n, struct blk_zone_report **r)
{
	*r = calloc(1, sizeof(**r) + n * sizeof((*r)->zones[0]));
	if (!*r)
		return -ENOMEM;
	(*r)->sector = start / SECTOR;
	(*r)->nr_zones = n;
	return ioctl(fd, BLKREPORTZONE, *r) ? -errno : (int)(*r)->nr_zones;
}

static int read_all_zones(struct device_zones *z, int fd, uint32_t all)
{
	int n = 1;

	z->v = calloc(all, sizeof(*z->v));
	if (!z->v)
		return -ENOMEM;
	while (z->n < all && n > 0) {
		struct blk_zone_report *r;

		n = report_zones(fd, z->n * z->size, REPORT_ZONES, &r);
		for (int i = 0; i < n && z->n < all; i++)
			z->v[z->n++] = zone_of(&r->zones[i], r->flags);
		free(r);
	}
	return n < 0 ? n : z->n == all ? 0 : -EIO;
}

static void read_limits(struct device_zones *z, dev_t dev)
{
	uint64_t open = 0, active = 0;

	dev = blockdev_whole(dev);
	sysfs_u64(&open, "/sys/dev/block/%u:%u/queue/max_open_zones", major(dev), minor(dev));
	sysfs_u64(&active, "/sys/dev/block/%u:%u/queue/max_active_zones", major(dev), minor(dev));
	sysfs_u64(&z->max_append, "/sys/dev/block/%u:%u/queue/zone_append_max_bytes", major(dev), minor(dev));
	z->max_open = (uint32_t)open;
	z->max_active = (uint32_t)active;
}

/* Opens the block device of the namespace that this character device belongs to. Returns the descriptor or
 * -errno. */
static int open_namespace(dev_t character)
{
	struct blockdev b;
	int ret = nvme_block_device(&b, character);

	return ret ? ret : blockdev_open(b.dev);
}

static int open_zoned(const char *path)
{
	struct stat st;
	int fd = stat(path, &st)       ? -1
		 : S_ISCHR(st.st_mode) ? open_namespace(st.st_rdev)
				       : open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);

	return fd == -1 ? -errno : fd;
}

int zoned_read(struct device_zones *z, const char *path)
{
	int fd = open_zoned(path), ret = 0;
	uint32_t sectors = 0, n = 0;
	struct stat st;

	*z = (struct device_zones){ 0 };
	if (fd < 0)
		return fd;
	if (!fstat(fd, &st) && !ioctl(fd, BLKGETZONESZ, &sectors) && sectors &&
	    !ioctl(fd, BLKGETNRZONES, &n) && n) {
		z->size = (uint64_t)sectors * SECTOR;
		read_limits(z, st.st_rdev);
		ret = read_all_zones(z, fd, n);
	}
	close(fd);
	return ret;
}

void zoned_fini(struct device_zones *z)
{
	free(z->v);
	*z = (struct device_zones){ 0 };
}

uint32_t zoned_limit(const struct device_zones *z)
{
	if (!z->max_open || !z->max_active)
		return z->max_open + z->max_active;
	return z->max_open < z->max_active ? z->max_open : z->max_active;
}

int zoned_load(struct zone_table *t, const char *path)
{
	struct device_zones z;
	int ret = zoned_read(&z, path);

	if (!ret && (z.size != t->size || z.n != t->zones))
		ret = -ESTALE;
	for (uint32_t i = 0; !ret && i < z.n; i++) {
		struct zone as = { .wp = z.v[i].wp,
				   .capacity = z.v[i].capacity,
				   .state = z.v[i].state,
				   .conventional = z.v[i].conventional };

		zone_table_set(t, i, &as);
	}
	zoned_fini(&z);
	return ret;
}

static int locate_pointer(int fd, uint64_t start, struct zone *as)
{
	struct blk_zone_report *r;
	int n = report_zones(fd, start, 1, &r);

	if (n == 1) {
		as->wp = zone_of(&r->zones[0], r->flags).wp;
		as->state = state_of(&r->zones[0]);
	}
	free(r);
	return n < 0 ? n : n == 1 ? 0 : -EIO;
}

static int command_namespace(const struct file *f, enum zone_command c, uint64_t start, struct zone *as)
{
	struct stat st;
	int fd, ret;

	if (c != ZONE_LOCATE)
		return nvme_zone_send(f->fd, f->nvme, c == ZONE_RESET ? NVME_ZONE_RESET : NVME_ZONE_FINISH,
				      start);
	if (fstat(f->fd, &st))
		return -errno;
	fd = open_namespace(st.st_rdev);
	if (fd < 0)
		return fd;
	ret = locate_pointer(fd, start, as);
	close(fd);
	return ret;
}

int zoned_command(const struct file *f, enum zone_command c, uint64_t start, uint64_t len, struct zone *as)
{
	struct blk_zone_range range = { .sector = start / SECTOR, .nr_sectors = len / SECTOR };
	int ret = 0;

	if (f->nvme)
		return command_namespace(f, c, start, as);
	switch (c) {
	case ZONE_RESET:
		ret = ioctl(f->fd, BLKRESETZONE, &range);
		break;
	case ZONE_FINISH:
		ret = ioctl(f->fd, BLKFINISHZONE, &range);
		break;
	case ZONE_LOCATE:
		return locate_pointer(f->fd, start, as);
	}
	return ret ? -errno : 0;
}
