#include "blockdev.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>
#include "sysfs.h"
#include "vec.h"

/* The directory of a device in sysfs: a format and its arguments. */
#define SYS_FMT      "%s/sys/dev/block/%u:%u"
#define SYS_ARG(dev) sysfs_root, major(dev), minor(dev)

static int dev_in_file(dev_t *dev, const char *path)
{
	char text[32];
	unsigned maj, min;
	int ret = sysfs_line(text, sizeof(text), "%s", path + strlen(sysfs_root));

	if (ret)
		return ret;
	if (sscanf(text, "%u:%u", &maj, &min) != 2)
		return -EINVAL;
	*dev = makedev(maj, min);
	return 0;
}

static void set_name(struct blockdev *b, const char *name)
{
	snprintf(b->name, sizeof(b->name), "%.*s", (int)sizeof(b->name) - 1, name);
	for (char *c = b->name; *c; c++) /* sysfs writes "cciss!c0d0" for "cciss/c0d0" */
		if (*c == '!')
			*c = '/';
}

int blockdev_get(struct blockdev *b, dev_t dev)
{
	char path[PATH_MAX], link[PATH_MAX];
	const char *slash;
	ssize_t n;

	snprintf(path, sizeof(path), SYS_FMT, SYS_ARG(dev));
	n = readlink(path, link, sizeof(link) - 1);
	if (n < 0)
		return -errno;
	link[n] = '\0';
	slash = strrchr(link, '/');
	b->dev = dev;
	set_name(b, slash ? slash + 1 : link);
	return 0;
}

int blockdev_open(dev_t block)
{
	struct blockdev b;
	struct stat st;
	char path[48];
	int fd, ret = blockdev_get(&b, block);

	if (ret)
		return ret;
	snprintf(path, sizeof(path), "/dev/%s", b.name);
	fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	ret = fstat(fd, &st) ? -errno : S_ISBLK(st.st_mode) && st.st_rdev == block ? fd : -ENODEV;
	if (ret < 0)
		close(fd);
	return ret;
}

dev_t blockdev_whole(dev_t dev)
{
	char path[PATH_MAX];
	dev_t whole = dev;

	snprintf(path, sizeof(path), SYS_FMT "/partition", SYS_ARG(dev));
	if (access(path, F_OK))
		return dev;
	snprintf(path, sizeof(path), SYS_FMT "/../dev", SYS_ARG(dev));
	dev_in_file(&whole, path);
	return whole;
}

static int by_name(const void *a, const void *b)
{
	return strverscmp(((const struct blockdev *)a)->name, ((const struct blockdev *)b)->name);
}

static int add_blockdev(struct blockdev_list *list, const char *dir, const char *name, bool partition)
{
	struct blockdev b;
	char path[PATH_MAX];

	if (name[0] == '.')
		return 0;
	if (partition) {
		snprintf(path, sizeof(path), "%s/%s/partition", dir, name);
		if (access(path, F_OK))
			return 0;
	}
	snprintf(path, sizeof(path), "%s/%s/dev", dir, name);
	if (dev_in_file(&b.dev, path))
		return 0;
	set_name(&b, name);
	return VEC_PUSH(list, b) ? 0 : -ENOMEM;
}

int blockdev_relatives(struct blockdev_list *list, dev_t dev, enum blockdev_relation kind)
{
	static const char *const sub[] = { "", "/holders", "/slaves" };
	char path[PATH_MAX / 2];
	struct dirent *e;
	DIR *dir;
	int ret = 0;

	*list = (struct blockdev_list){ 0 };
	snprintf(path, sizeof(path), SYS_FMT "%s", SYS_ARG(dev), sub[kind]);
	dir = opendir(path);
	if (!dir)
		return errno == ENOMEM ? -ENOMEM : 0;
	while (!ret && (e = readdir(dir)))
		ret = add_blockdev(list, path, e->d_name, kind == BLOCKDEV_PARTITIONS);
	closedir(dir);
	if (ret)
		blockdev_list_fini(list);
	else if (list->n)
		qsort(list->v, list->n, sizeof(*list->v), by_name);
	return ret;
}

void blockdev_list_fini(struct blockdev_list *list)
{
	free(list->v);
	*list = (struct blockdev_list){ 0 };
}

uint32_t blockdev_max_transfer(dev_t dev)
{
	unsigned maj = major(dev), min = minor(dev);
	uint64_t kib, segments, bytes, most = UINT32_MAX;

	if (!sysfs_u64(&kib, "/sys/dev/block/%u:%u/queue/max_hw_sectors_kb", maj, min) && kib < most / 1024)
		most = kib * 1024;
	if (!sysfs_u64(&segments, "/sys/dev/block/%u:%u/queue/max_segments", maj, min) &&
	    !sysfs_u64(&bytes, "/sys/dev/block/%u:%u/queue/max_segment_size", maj, min) && bytes &&
	    segments < most / bytes)
		most = segments * bytes;
	return (uint32_t)most;
}
