#include "in_use.h"

#include <blkid/blkid.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <time.h>
#include <unistd.h>
#include "blockdev.h"
#include "diag.h"
#include "mounts.h"
#include "sysfs.h"
#include "vec.h"

/* A use of one device, in words that follow "is". */
struct use {
	dev_t dev;
	char text[160];
};

static bool is_block_node(const char *path, dev_t dev)
{
	struct stat st;

	return !strncmp(path, "/dev/", 5) && !stat(path, &st) && S_ISBLK(st.st_mode) && st.st_rdev == dev;
}

/* Compares the device number of the file system and the mounted device, because btrfs has anonymous device
   numbers. */
static bool is_mount_of(const struct mount_entry *m, void *arg)
{
	struct use *u = arg;

	if (m->dev != u->dev && !is_block_node(m->source, u->dev))
		return false;
	snprintf(u->text, sizeof(u->text), "mounted on %s", m->point);
	return true;
}

static bool is_swap(struct use *u)
{
	FILE *fp = fopen("/proc/swaps", "re");
	char *line = NULL;
	size_t size = 0;
	bool found = false;

	if (!fp)
		return false;
	while (!found && getline(&line, &size, fp) > 0) {
		line[strcspn(line, " \t\n")] = '\0';
		mounts_unescape(line);
		found = is_block_node(line, u->dev);
	}
	free(line);
	fclose(fp);
	if (found)
		snprintf(u->text, sizeof(u->text), "in use as swap");
	return found;
}

static bool is_held(struct use *u)
{
	struct blockdev_list l;
	bool held;

	if (blockdev_relatives(&l, u->dev, BLOCKDEV_HOLDERS))
		snprintf(u->text, sizeof(u->text), "possibly in use: no memory for the check");
	else if (l.n)
		snprintf(u->text, sizeof(u->text), "held by %s", l.v[0].name);
	held = u->text[0];
	blockdev_list_fini(&l);
	return held;
}

static bool in_use(struct use *u, dev_t dev)
{
	*u = (struct use){ .dev = dev };
	return mounts_any(is_mount_of, u) || is_swap(u) || is_held(u);
}

static bool disk_in_use(dev_t part, char *why, size_t size)
{
	struct blockdev disk;
	struct use u;
	dev_t whole = blockdev_whole(part);

	if (whole == part || !in_use(&u, whole))
		return false;
	snprintf(why, size, "its disk (%s) is %s", blockdev_get(&disk, whole) ? "unknown" : disk.name,
		 u.text);
	return true;
}

/* Reports a partition in use rather than an idle one. */
static enum in_use partitions_in_use(dev_t dev, char *why, size_t size)
{
	enum in_use result;
	struct blockdev_list l;
	struct use u;
	bool used = false;

	if (blockdev_relatives(&l, dev, BLOCKDEV_PARTITIONS)) {
		snprintf(why, size, "its partitions could not be listed");
		return IN_USE_BUSY;
	}
	for (size_t i = 0; !used && i < l.n; i++) {
		used = in_use(&u, l.v[i].dev);
		if (used)
			snprintf(why, size, "its partition /dev/%s is %s", l.v[i].name, u.text);
	}
	if (!used && l.n)
		snprintf(why, size, "it has partitions, such as /dev/%s", l.v[0].name);
	result = used ? IN_USE_BUSY : l.n ? IN_USE_DATA : IN_USE_NOT;
	blockdev_list_fini(&l);
	return result;
}

static int reopen(int fd, int flags)
{
	char path[48];
	int copy;

	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	copy = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC | flags);
	return copy < 0 ? -errno : copy;
}

/* Tries to open the device exclusively. The kernel grants that to one user at a time: a mount, swap, dm, md
   or a program. */
static int try_exclusive(int fd)
{
	const struct timespec nap = { .tv_nsec = 2000000 };
	int excl = -EBUSY;

	for (int tries = 0; tries < 50 && excl == -EBUSY; tries++) {
		if (tries)
			nanosleep(&nap, NULL);
		excl = reopen(fd, O_EXCL);
	}
	if (excl < 0)
		return excl;
	close(excl);
	return 0;
}

/* A failed reopen() may mean that /proc is not mounted, which it needs. */
static void put_unexamined(int err, char *why, size_t size)
{
	bool no_proc = err == -ENOENT && access("/proc/self", F_OK);

	snprintf(why, size, "it could not be examined: %s",
		 no_proc ? "/proc is not mounted" : diag_errno(err));
}

static bool held_exclusively(int fd, char *why, size_t size)
{
	int ret = try_exclusive(fd);

	if (ret == -EBUSY)
		snprintf(why, size, "it is held by the kernel or another program");
	else if (ret)
		put_unexamined(ret, why, size);
	return ret;
}

static void describe_signature(blkid_probe pr, char *why, size_t size)
{
	const char *usage = NULL, *name = NULL;

	if (!blkid_probe_lookup_value(pr, "TYPE", &name, NULL)) {
		blkid_probe_lookup_value(pr, "USAGE", &usage, NULL);
		if (usage && !strcmp(usage, "filesystem"))
			snprintf(why, size, "it carries a file system (%s)", name);
		else
			snprintf(why, size, "it carries a signature (%s)", name);
	} else if (!blkid_probe_lookup_value(pr, "PTTYPE", &name, NULL)) {
		snprintf(why, size, "it carries a partition table (%s)", name);
	} else {
		snprintf(why, size, "it carries a signature");
	}
}

static int probe_signatures(blkid_probe pr, int fd)
{
	if (blkid_probe_set_device(pr, fd, 0, 0) || blkid_probe_enable_superblocks(pr, 1) ||
	    blkid_probe_set_superblocks_flags(pr, BLKID_SUBLKS_TYPE | BLKID_SUBLKS_USAGE |
							  BLKID_SUBLKS_BADCSUM) ||
	    blkid_probe_enable_partitions(pr, 1) ||
	    blkid_probe_set_partitions_flags(pr, BLKID_PARTS_FORCE_GPT))
		return -1;
	return blkid_do_safeprobe(pr);
}

static enum in_use find_signature(int fd, char *why, size_t size)
{
	blkid_probe pr = blkid_new_probe();
	int ret = pr ? probe_signatures(pr, fd) : -1;

	if (ret == 0)
		describe_signature(pr, why, size);
	else if (ret == -2)
		snprintf(why, size, "it carries several signatures that contradict each other");
	else if (ret < 0)
		snprintf(why, size, "its contents could not be examined");
	blkid_free_probe(pr);
	return why[0] ? IN_USE_DATA : IN_USE_NOT;
}

/* Uses a second descriptor, because libblkid cannot read through a direct one. */
static enum in_use examine(int fd, bool contents, char *why, size_t size)
{
	int copy = reopen(fd, 0);
	enum in_use result = IN_USE_BUSY;

	if (copy < 0) {
		put_unexamined(copy, why, size);
		return result;
	}
	if (!held_exclusively(copy, why, size))
		result = contents ? find_signature(copy, why, size) : IN_USE_NOT;
	close(copy);
	return result;
}

enum in_use in_use_unopened(dev_t rdev, char *why, size_t size)
{
	struct use u;

	why[0] = '\0';
	if (!in_use(&u, rdev))
		return disk_in_use(rdev, why, size) ? IN_USE_BUSY : partitions_in_use(rdev, why, size);
	snprintf(why, size, "it is %s", u.text);
	return IN_USE_BUSY;
}

enum in_use in_use_device(int fd, dev_t rdev, bool contents, char *why, size_t size)
{
	enum in_use result = in_use_unopened(rdev, why, size);

	return result ? result : examine(fd, contents, why, size);
}

/* Lists the files behind loop devices. */
static void list_backing_files(struct backing_files *files)
{
	DIR *dir = opendir("/sys/block");
	struct dirent *e;
	char path[PATH_MAX];
	struct stat st;

	files->listed = true;
	while (dir && (e = readdir(dir))) {
		struct backing_file b = { .dev = 0 };

		if (strncmp(e->d_name, "loop", 4) || strlen(e->d_name) >= sizeof(b.loop) ||
		    sysfs_line(path, sizeof(path), "/sys/block/%s/loop/backing_file", e->d_name) ||
		    stat(path, &st))
			continue;
		b.dev = st.st_dev;
		b.ino = st.st_ino;
		memcpy(b.loop, e->d_name, strlen(e->d_name) + 1);
		files->listed &= VEC_PUSH(files, b);
	}
	if (dir)
		closedir(dir);
}

/* Returns whether the loop device or one of its partitions is in use. */
static bool loop_in_use(struct use *u, const char *name)
{
	struct blockdev_list l;
	unsigned maj, min;
	char number[32];
	bool used;

	if (sysfs_line(number, sizeof(number), "/sys/block/%s/dev", name) ||
	    sscanf(number, "%u:%u", &maj, &min) != 2)
		return false;
	used = in_use(u, makedev(maj, min));
	if (used || blockdev_relatives(&l, makedev(maj, min), BLOCKDEV_PARTITIONS))
		return used;
	for (size_t i = 0; i < l.n && !used; i++)
		used = in_use(u, l.v[i].dev);
	blockdev_list_fini(&l);
	return used;
}

enum in_use in_use_file(struct backing_files *files, dev_t dev, ino_t ino, char *why, size_t size)
{
	struct use u;

	why[0] = '\0';
	if (!files->listed)
		list_backing_files(files);
	if (!files->listed)
		snprintf(why, size, "it may back a loop device: no memory for the check");
	for (size_t i = 0; i < files->n && !why[0]; i++) {
		const struct backing_file *b = &files->v[i];

		if (b->dev == dev && b->ino == ino && loop_in_use(&u, b->loop))
			snprintf(why, size, "it backs /dev/%.31s, which is %s", b->loop, u.text);
	}
	return why[0] ? IN_USE_BUSY : IN_USE_NOT;
}

void in_use_files_fini(struct backing_files *files)
{
	free(files->v);
	*files = (struct backing_files){ 0 };
}
