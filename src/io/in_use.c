#include "in_use.h"

#include <blkid/blkid.h>
#include <errno.h>
#include <fcntl.h>
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

/* A use of one device, in words that follow "is". */
struct use {
	dev_t dev;
	char text[160];
};

static bool in_use(struct use *u, dev_t dev, struct loop_devices *loops);

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

/* Tries to open a device exclusively. The kernel grants that to one user at a time: a mount in any namespace,
   swap, dm, md or a program. Returns 0, -EBUSY or another -errno. */
static int try_exclusive(int (*open_again)(const void *arg, int flags), const void *arg)
{
	const struct timespec nap = { .tv_nsec = 2000000 };
	int excl = -EBUSY;

	for (int tries = 0; tries < 50 && excl == -EBUSY; tries++) {
		if (tries)
			nanosleep(&nap, NULL);
		excl = open_again(arg, O_EXCL);
	}
	if (excl < 0)
		return excl;
	close(excl);
	return 0;
}

static int reopen_loop(const void *loop, int flags)
{
	return loop_device_open(loop, flags);
}

/* Returns whether the loop device or one of its partitions is in use, or may be. */
static bool loop_in_use(struct use *u, const struct loop_device *l, struct loop_devices *loops)
{
	struct blockdev_list parts;
	bool used = in_use(u, l->number, loops);
	int ret;

	if (used)
		return true;
	if (!blockdev_relatives(&parts, l->number, BLOCKDEV_PARTITIONS)) {
		for (size_t i = 0; i < parts.n && !used; i++)
			used = in_use(u, parts.v[i].dev, loops);
		blockdev_list_fini(&parts);
	}
	if (used)
		return true;
	ret = try_exclusive(reopen_loop, l);
	if (ret == -EBUSY)
		snprintf(u->text, sizeof(u->text), "held by the kernel or another program");
	else if (ret)
		snprintf(u->text, sizeof(u->text), "possibly in use: it cannot be examined: %s",
			 diag_errno(ret));
	return ret;
}

/* Finds a loop device in use that has this file or device behind it, and fills text with "/dev/loop0, which
   is mounted on /x". Returns LOOP_MAY_MATCH if that is unknown. */
static enum loop_match behind_loop(char *text, size_t size, const struct loop_backing *b,
				   struct loop_devices *loops)
{
	const struct loop_device *unknown = NULL;
	struct use u;

	loop_devices_list(loops);
	for (size_t i = 0; i < loops->n; i++) {
		const struct loop_device *l = &loops->v[i];
		enum loop_match match = loop_device_match(l, b);

		if (match == LOOP_MATCHES && loop_in_use(&u, l, loops)) {
			snprintf(text, size, "/dev/%.31s, which is %.100s", l->name, u.text);
			return LOOP_MATCHES;
		}
		if (match == LOOP_MAY_MATCH)
			unknown = l;
	}
	if (unknown)
		snprintf(text, size, "/dev/%.31s, which cannot be asked: %s", unknown->name,
			 diag_errno(unknown->error));
	else if (loops->error)
		snprintf(text, size, "a loop device, but they cannot be listed: %s",
			 access("/sys/block", F_OK) ? "/sys is not mounted" : diag_errno(loops->error));
	return unknown || loops->error ? LOOP_MAY_MATCH : LOOP_OTHER;
}

static bool is_behind_loop(struct use *u, struct loop_devices *loops)
{
	struct loop_backing b = { .rdev = u->dev };
	char text[sizeof(u->text)] = "";
	enum loop_match match;

	sysfs_u64(&b.size, "/sys/dev/block/%u:%u/size", major(u->dev), minor(u->dev));
	b.size *= 512;
	match = behind_loop(text, sizeof(text), &b, loops);
	if (match != LOOP_OTHER)
		snprintf(u->text, sizeof(u->text), "%s %.*s",
			 match == LOOP_MATCHES ? "behind" : "possibly behind", (int)sizeof(text) - 20, text);
	return match != LOOP_OTHER;
}

static bool in_use(struct use *u, dev_t dev, struct loop_devices *loops)
{
	*u = (struct use){ .dev = dev };
	return mounts_any(is_mount_of, u) || is_swap(u) || is_held(u) || is_behind_loop(u, loops);
}

static bool disk_in_use(dev_t part, struct loop_devices *loops, char *why, size_t size)
{
	struct blockdev disk;
	struct use u;
	dev_t whole = blockdev_whole(part);

	if (whole == part || !in_use(&u, whole, loops))
		return false;
	snprintf(why, size, "its disk (%s) is %s", blockdev_get(&disk, whole) ? "unknown" : disk.name,
		 u.text);
	return true;
}

/* Reports a partition in use rather than an idle one. */
static enum in_use partitions_in_use(dev_t dev, struct loop_devices *loops, char *why, size_t size)
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
		used = in_use(&u, l.v[i].dev, loops);
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

static int reopen_fd(const void *fd, int flags)
{
	return reopen(*(const int *)fd, flags);
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
	int ret = try_exclusive(reopen_fd, &fd);

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
	struct loop_devices loops = { 0 };
	enum in_use result = IN_USE_BUSY;
	struct use u;

	why[0] = '\0';
	if (in_use(&u, rdev, &loops))
		snprintf(why, size, "it is %s", u.text);
	else if (!disk_in_use(rdev, &loops, why, size))
		result = partitions_in_use(rdev, &loops, why, size);
	loop_devices_fini(&loops);
	return result;
}

enum in_use in_use_device(int fd, dev_t rdev, bool contents, char *why, size_t size)
{
	enum in_use result = in_use_unopened(rdev, why, size);

	return result ? result : examine(fd, contents, why, size);
}

enum in_use in_use_file(struct loop_devices *loops, const struct loop_backing *file, char *why, size_t size)
{
	static const enum in_use result[] = {
		[LOOP_OTHER] = IN_USE_NOT, [LOOP_MAY_MATCH] = IN_USE_DATA, [LOOP_MATCHES] = IN_USE_BUSY
	};
	char text[160] = "";
	enum loop_match match = behind_loop(text, sizeof(text), file, loops);

	why[0] = '\0';
	if (match != LOOP_OTHER)
		snprintf(why, size, "it %s %.*s", match == LOOP_MATCHES ? "backs" : "may back",
			 (int)sizeof(text) - 16, text);
	return result[match];
}
