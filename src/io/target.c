#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <limits.h>
#include <linux/fs.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/sysmacros.h>
#include <unistd.h>
#include "block_metadata.h"
#include "blockdev.h"
#include "in_use.h"
#include "target_parts.h"
#include "target.h"
#include "mounts.h"
#include "sysfs.h"

/* Smaller files are not checked for use by a loop device: no file system or swap area is that small, and the
   check takes time with thousands of files. */
#define IMAGE_BYTES (32u << 10)

static enum target_type type_of(mode_t mode)
{
	switch (mode & S_IFMT) {
	case S_IFREG:
		return TARGET_FILE;
	case S_IFBLK:
		return TARGET_BLOCK;
	case S_IFCHR:
		return TARGET_CHAR;
	case S_IFDIR:
		return TARGET_DIR;
	default:
		return TARGET_OTHER;
	}
}

/* A character device that takes commands for a disk counts as its block device. */
static void find_block_device(struct target_facts *f)
{
	struct blockdev b;

	if (!nvme_block_device(&b, f->rdev))
		f->commands = COMMANDS_NVME;
	else if (!scsi_block_device(&b, f->rdev))
		f->commands = COMMANDS_SCSI;
	else
		return;
	f->type = TARGET_BLOCK;
	f->rdev = b.dev;
}

void target_from_stat(struct target_facts *f, const struct stat *st)
{
	f->type = type_of(st->st_mode);
	f->dev = st->st_dev;
	f->ino = st->st_ino;
	f->rdev = st->st_rdev;
	if (f->type == TARGET_CHAR)
		find_block_device(f);
	if (f->type == TARGET_FILE) {
		f->size = (uint64_t)st->st_size;
		f->blocks = (uint64_t)st->st_blocks * 512;
		f->links = st->st_nlink;
		f->modified_s = st->st_mtim.tv_sec;
		f->modified_ns = (uint32_t)st->st_mtim.tv_nsec;
	}
}

/* Returns whether a directory is in /dev. In some containers /dev is not a separate file system, and neither
   is /dev/shm. */
static bool dir_in_dev(const char *dir, dev_t dir_dev)
{
	struct stat dev, root;
	char real[PATH_MAX];
	bool below;

	if (stat("/dev", &dev) || stat("/", &root) || dir_dev != dev.st_dev || !realpath(dir, real))
		return false;
	if (!strcmp(real, "/dev/shm") || !strncmp(real, "/dev/shm/", 9))
		return false;
	below = !strcmp(real, "/dev") || !strncmp(real, "/dev/", 5);
	return below || dev.st_dev != root.st_dev;
}

struct fs_query {
	uint64_t id; /* 0: unknown, look for the device number */
	dev_t dev;
	char *fstype;
	size_t size;
};

static bool is_mount(const struct mount_entry *m, void *arg)
{
	struct fs_query *q = arg;

	if (q->id ? m->id != q->id : m->dev != q->dev)
		return false;
	snprintf(q->fstype, q->size, "%s", m->fstype);
	return true;
}

/* Returns the sector size of the disk below a file system, for kernels that do not report a file's
   alignment. */
static uint32_t sector_size(dev_t dev)
{
	dev_t whole = blockdev_whole(dev);
	uint64_t bytes = 0;

	sysfs_u64(&bytes, "/sys/dev/block/%u:%u/queue/logical_block_size", major(whole), minor(whole));
	return (uint32_t)bytes;
}

/* Fills in the facts of the file system of path, a file or directory that exists. */
static void probe_fs(struct target_facts *f, const char *path)
{
	struct fs_query q = { .dev = f->dev, .fstype = f->fstype, .size = sizeof(f->fstype) };
	struct statfs fs;
	struct statx sx = { 0 };

	if (!statfs(path, &fs)) {
		f->fs_size = (uint64_t)fs.f_blocks * (uint64_t)fs.f_bsize;
		f->fs_free = (uint64_t)fs.f_bavail * (uint64_t)fs.f_bsize;
		if (!geteuid() && fs.f_bfree > fs.f_bavail)
			f->fs_reserved = (uint64_t)(fs.f_bfree - fs.f_bavail) * (uint64_t)fs.f_bsize;
	}
	if (!statx(AT_FDCWD, path, 0, STATX_DIOALIGN | STATX_MNT_ID, &sx) && (sx.stx_mask & STATX_MNT_ID))
		q.id = sx.stx_mnt_id;
	f->logical_block = sx.stx_mask & STATX_DIOALIGN ? sx.stx_dio_offset_align : sector_size(f->dev);
	f->own_block = sx.stx_mask & STATX_DIOALIGN;
	mounts_any(is_mount, &q);
}

void target_atomic(struct target_facts *f, int dir, const char *path)
{
	union target_statx now = { .byte = { 0 } };

	if (!statx(dir, path, AT_EMPTY_PATH, STATX_WRITE_ATOMIC_BIT, &now.sx))
		target_set_atomic(f, &now);
}

int target_not_atomic(const char *path, struct diag *d)
{
	return diag_kind(
		d, DIAG_RUN, -EOPNOTSUPP,
		"%s: {atomic=1}: the device, its file system or the kernel (Linux 6.11 or later) cannot "
		"write atomically",
		path);
}

static void probe_discard(struct target_facts *f)
{
	dev_t whole = blockdev_whole(f->rdev);
	uint64_t max_bytes;

	sysfs_u64(&f->trim_unit, "/sys/dev/block/%u:%u/queue/discard_granularity", major(whole),
		  minor(whole));
	if (sysfs_line(f->zoned, sizeof(f->zoned), "/sys/dev/block/%u:%u/queue/zoned", major(whole),
		       minor(whole)))
		f->zoned[0] = '\0';
	f->no_trim = !sysfs_u64(&max_bytes, "/sys/dev/block/%u:%u/queue/discard_max_bytes", major(whole),
				minor(whole)) &&
		     !max_bytes;
}

static void probe_block_fd(struct target_facts *f, int fd)
{
	struct stat st;
	uint64_t bytes;
	int sector;

	if (fstat(fd, &st) || !S_ISBLK(st.st_mode) || st.st_rdev != f->rdev) {
		f->error = -ESTALE;
		return;
	}
	if (!ioctl(fd, BLKGETSIZE64, &bytes))
		f->size = bytes;
	if (!ioctl(fd, BLKSSZGET, &sector))
		f->logical_block = (uint32_t)sector;
	target_atomic(f, fd, "");
	f->nvme_error = block_metadata_read(&f->nvme, fd);
	probe_discard(f);
}

/* Fills in the format of a namespace, and the most that the device transfers with one command. */
static void probe_namespace(struct target_facts *f, int fd)
{
	f->nvme_error = nvme_identify(&f->nvme, fd);
	if (f->nvme_error)
		return;
	f->size = f->nvme.blocks << f->nvme.lba_shift;
	f->logical_block = 1u << f->nvme.lba_shift;
	f->nvme.max_bytes = blockdev_max_transfer(f->rdev);
	probe_discard(f);
}

/* The block device knows the size: no command is needed. */
static void probe_scsi_character(struct target_facts *f)
{
	f->size = scsi_disk_bytes(f->rdev);
	f->logical_block = 1u << f->scsi.lba_shift;
	probe_discard(f);
}

static void probe_block(struct target_facts *f, const char *path)
{
	int fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);

	if (fd < 0) {
		f->error = -errno;
		f->in_use = in_use_unopened(f->rdev, f->refusal, sizeof(f->refusal)) == IN_USE_BUSY;
		return;
	}
	f->unexamined = true;
	scsi_disk_read(&f->scsi, f->rdev);
	if (f->commands == COMMANDS_NVME)
		probe_namespace(f, fd);
	else if (f->commands == COMMANDS_SCSI)
		probe_scsi_character(f);
	else
		probe_block_fd(f, fd);
	close(fd);
}

static void examine_device(struct target_facts *f, const char *path)
{
	struct stat st;
	int fd;

	fd = f->commands ? blockdev_open(f->rdev) : open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	if (fd < 0 || fstat(fd, &st) || !S_ISBLK(st.st_mode) || st.st_rdev != f->rdev)
		f->error = fd >= 0 ? -ESTALE : f->commands ? fd : -errno;
	else
		f->in_use = in_use_device(fd, f->rdev, true, f->refusal, sizeof(f->refusal)) == IN_USE_BUSY;
	f->unexamined = f->error != 0;
	if (fd >= 0)
		close(fd);
}

void target_examine(struct target_facts *f, const char *path, struct target_owner_dir *last)
{
	if (f->error)
		return;
	if (f->unexamined)
		examine_device(f, path);
	if (f->type == TARGET_FILE && !f->marked)
		target_find_owner(f, path, last);
}

static int access_error(const char *path, int mode)
{
	return faccessat(AT_FDCWD, path, mode, AT_EACCESS) ? -errno : 0;
}

static void remember_dir(struct target_scan *last, const struct target_facts *f, const char *path)
{
	size_t n = target_dir_length(path);

	if (f->error || f->parent_missing || n >= sizeof(last->missing_dir))
		return;
	memcpy(last->missing_dir, path, n);
	last->missing_dir[n] = '\0';
	last->missing = *f;
}

/* An answer that is uncertain does not matter for a file that fiord was the last to write. */
void target_check_backing(struct target_facts *f, struct target_scan *s)
{
	const struct loop_backing file = { .dev = f->dev, .ino = f->ino, .size = f->size };
	enum in_use use;

	if (f->size < IMAGE_BYTES)
		return;
	use = in_use_file(&s->loops, &file, f->refusal, sizeof(f->refusal));
	f->in_use = use == IN_USE_BUSY;
	f->use_unknown = use == IN_USE_DATA && !f->marked;
	if (!f->in_use && !f->use_unknown)
		f->refusal[0] = '\0';
}

static void probe_file(struct target_facts *f, const char *path, struct target_scan *scan)
{
	char real[PATH_MAX];

	target_read_mark(f, path);
	target_check_backing(f, scan);
	target_atomic(f, AT_FDCWD, path);
	if (realpath(path, real))
		f->in_dev = dir_in_dev(dirname(real), f->dev);
	probe_fs(f, path);
	if (!f->symlink)
		target_neighbour_remember(scan, f, path);
}

static void probe_existing(struct target_facts *f, const char *path, const struct stat *st,
			   struct target_scan *scan)
{
	char real[PATH_MAX];

	target_from_stat(f, st);
	f->read_error = access_error(path, R_OK);
	f->write_error = access_error(path, W_OK);
	if (f->type == TARGET_FILE) {
		probe_file(f, path, scan);
		return;
	}
	if (realpath(path, real))
		f->in_dev = dir_in_dev(dirname(real), st->st_dev);
	if (f->type == TARGET_BLOCK)
		probe_block(f, path);
	if (f->type == TARGET_DIR) {
		target_read_mark(f, path);
		probe_fs(f, path);
	}
}

/* Fills in the facts that a file created in `dir` would have. */
static void probe_dir(struct target_facts *f, const char *dir, const struct stat *st)
{
	if (access(dir, W_OK | X_OK))
		f->error = -errno; /* no file can be created here */
	f->dev = f->dir_dev = st->st_dev;
	f->dir_ino = st->st_ino;
	f->in_dev = dir_in_dev(dir, st->st_dev);
	probe_fs(f, dir);
}

static bool same_dir(struct target_facts *f, const char *path, const struct target_scan *last)
{
	size_t n = target_dir_length(path);

	if (!last->missing.dir_ino || strlen(last->missing_dir) != n || memcmp(last->missing_dir, path, n))
		return false;
	*f = last->missing;
	return true;
}

/* Fills in the facts of a path that does not exist. */
static void probe_missing(struct target_facts *f, const char *path, struct target_scan *last)
{
	char name[PATH_MAX];
	struct stat st;
	char *dir;
	int ret;

	if (!f->symlink && same_dir(f, path, last))
		return;
	ret = target_name_follow(path, name, sizeof(name));
	if (ret) {
		f->error = ret;
		return;
	}
	for (dir = dirname(name); stat(dir, &st); dir = dirname(dir)) {
		if (errno != ENOENT) {
			f->error = -errno;
			return;
		}
		f->parent_missing = true;
	}
	probe_dir(f, dir, &st);
	if (f->symlink)
		return;
	f->missing_at = dir == name ? (uint16_t)strlen(dir) : 0; /* dirname may return its own "." */
	remember_dir(last, f, path);
}

void target_probe_next(struct target_facts *f, const char *path, bool read_only, struct target_scan *scan)
{
	struct stat st;
	int ret;

	if (target_neighbour_probe(f, path, read_only, scan))
		return;
	ret = lstat(path, &st) ? -errno : 0;
	*f = (struct target_facts){ .symlink = !ret && S_ISLNK(st.st_mode) };
	if (f->symlink)
		ret = stat(path, &st) ? -errno : 0;
	if (!ret)
		probe_existing(f, path, &st, scan);
	else if (ret == -ENOENT && *path)
		probe_missing(f, path, scan);
	else
		f->error = ret;
}

int target_probe(struct target_facts *f, const char *path)
{
	struct target_scan scan = { .known = false };

	struct target_owner_dir dir = { .known = false };

	target_probe_next(f, path, false, &scan);
	target_scan_fini(&scan);
	target_examine(f, path, &dir);
	return 0;
}

/* Returns the next component of a path that is not ".". */
static const char *component(const char *path, size_t *len)
{
	for (;; path += *len) {
		path += strspn(path, "/");
		*len = strcspn(path, "/");
		if (*len != 1 || *path != '.')
			return path;
	}
}

int target_missing_cmp(const struct target_facts *f, const char *path, const struct target_facts *g,
		       const char *other)
{
	size_t n = 0, m = 0;

	if (f->dir_ino != g->dir_ino)
		return f->dir_ino < g->dir_ino ? -1 : 1;
	if (!f->dir_ino)
		return strcmp(path, other);
	path += f->missing_at;
	other += g->missing_at;
	do {
		int c;

		path = component(path + n, &n);
		other = component(other + m, &m);
		c = strncmp(path, other, n < m ? n : m);
		if (c || n != m)
			return c ? c : n < m ? -1 : 1;
	} while (n);
	return 0;
}
