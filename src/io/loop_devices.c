#include "in_use.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/loop.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>
#include "sysfs.h"
#include "vec.h"

int loop_device_open(const struct loop_device *l, int flags)
{
	char path[64];
	struct stat st;
	int fd, ret;

	snprintf(path, sizeof(path), "/dev/%s", l->name);
	fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC | flags);
	if (fd < 0)
		return -errno;
	ret = fstat(fd, &st) ? -errno : !S_ISBLK(st.st_mode) || st.st_rdev != l->number ? -ENODEV : fd;
	if (ret < 0)
		close(fd);
	return ret;
}

/* Asks the loop device for the file behind it. Returns 0 or -errno. */
static int ask(struct loop_device *l)
{
	struct loop_info64 info;
	int fd = loop_device_open(l, 0), ret;

	if (fd < 0)
		return fd;
	ret = ioctl(fd, LOOP_GET_STATUS64, &info) ? -errno : 0;
	close(fd);
	if (!ret)
		l->backing = (struct loop_backing){ .dev = info.lo_device,
						    .ino = info.lo_inode,
						    .rdev = info.lo_rdevice };
	return ret;
}

/* Returns whether the loop device may have been made of a file of this size. */
static bool device_fits(const struct loop_device *l, uint64_t size)
{
	uint64_t room = size > l->offset ? size - l->offset : 0;

	return l->limited ? room >= l->size : room / 512 == l->size / 512;
}

/* Finds the file by the name that it had when the loop device was made. A file of another size is another
 * file. */
static bool find_by_name(struct loop_device *l)
{
	char path[PATH_MAX];
	uint64_t size = 0;
	struct stat st;

	if (sysfs_line(path, sizeof(path), "/sys/block/%s/loop/backing_file", l->name) || stat(path, &st))
		return false;
	if (S_ISBLK(st.st_mode))
		sysfs_u64(&size, "/sys/dev/block/%u:%u/size", major(st.st_rdev), minor(st.st_rdev));
	size = S_ISBLK(st.st_mode) ? size * 512 : (uint64_t)st.st_size;
	l->backing = (struct loop_backing){ .dev = st.st_dev, .ino = st.st_ino, .rdev = st.st_rdev };
	return device_fits(l, size);
}

/* Fills in what sysfs knows. Returns false if there is no such device, or no file behind it. */
static bool read_sysfs(struct loop_device *l)
{
	char text[PATH_MAX];
	unsigned maj, min;
	uint64_t limit = 0;

	if (sysfs_line(text, sizeof(text), "/sys/block/%s/dev", l->name) ||
	    sscanf(text, "%u:%u", &maj, &min) != 2 ||
	    sysfs_line(text, sizeof(text), "/sys/block/%s/loop/backing_file", l->name) == -ENOENT)
		return false;
	l->number = makedev(maj, min);
	sysfs_u64(&l->size, "/sys/block/%s/size", l->name);
	l->size *= 512;
	sysfs_u64(&l->offset, "/sys/block/%s/loop/offset", l->name);
	sysfs_u64(&limit, "/sys/block/%s/loop/sizelimit", l->name);
	l->limited = limit != 0;
	return true;
}

static int add_loop_device(struct loop_devices *list, const char *name)
{
	struct loop_device l = { .number = 0 };

	if (strncmp(name, "loop", 4) || strlen(name) >= sizeof(l.name))
		return 0;
	memcpy(l.name, name, strlen(name) + 1);
	if (!read_sysfs(&l))
		return 0;
	l.error = ask(&l);
	if (l.error == -ENXIO) /* detached in the meantime */
		return 0;
	if (l.error && find_by_name(&l))
		l.error = 0;
	return VEC_PUSH(list, l) ? 0 : -ENOMEM;
}

void loop_devices_list(struct loop_devices *l)
{
	char path[PATH_MAX];
	struct dirent *e;
	DIR *dir;

	if (l->listed)
		return;
	l->listed = true;
	snprintf(path, sizeof(path), "%s/sys/block", sysfs_root);
	dir = opendir(path);
	if (!dir)
		l->error = -errno;
	while (dir && !l->error && (e = readdir(dir)))
		l->error = add_loop_device(l, e->d_name);
	if (dir)
		closedir(dir);
}

void loop_devices_fini(struct loop_devices *l)
{
	free(l->v);
	*l = (struct loop_devices){ 0 };
}

enum loop_match loop_device_match(const struct loop_device *l, const struct loop_backing *b)
{
	if (b->rdev == l->number)
		return LOOP_OTHER;
	if (l->error)
		return device_fits(l, b->size) ? LOOP_MAY_MATCH : LOOP_OTHER;
	if (b->rdev ? l->backing.rdev == b->rdev : l->backing.dev == b->dev && l->backing.ino == b->ino)
		return LOOP_MATCHES;
	return LOOP_OTHER;
}
