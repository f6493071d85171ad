/* target_owner.c: whose data a regular file without fiord's mark holds: nobody's, the running system's or a
   user's. */

#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <limits.h>
#include <linux/magic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>
#include "mounts.h"
#include "target_parts.h"

#define CONFIGFS_MAGIC 0x62656570

/* Directories of the system that is running. They are compared by device and inode, so that a bind mount of
   one is the same directory. */
static const char *const system_dirs[] = { "/bin",    "/boot", "/etc", "/lib",  "/lib32", "/lib64",
					   "/libx32", "/sbin", "/usr", "/proc", "/sys" };
#define SYSTEM_DIRS (sizeof(system_dirs) / sizeof(*system_dirs))

/* File systems whose files are settings of the kernel. Such a file looks empty. */
static const long kernel_fs[] = { PROC_SUPER_MAGIC, SYSFS_MAGIC,    CGROUP_SUPER_MAGIC, CGROUP2_SUPER_MAGIC,
				  DEBUGFS_MAGIC,    TRACEFS_MAGIC,  SECURITYFS_MAGIC,   EFIVARFS_MAGIC,
				  BPF_FS_MAGIC,     PSTOREFS_MAGIC, CONFIGFS_MAGIC,     SELINUX_MAGIC,
				  SMACK_MAGIC,      BINFMTFS_MAGIC };

static bool is_same(const char *path, const struct stat *st)
{
	struct stat other;

	return !stat(path, &other) && other.st_dev == st->st_dev && other.st_ino == st->st_ino;
}

static bool is_system_dir(const struct stat *st)
{
	for (size_t i = 0; i < SYSTEM_DIRS; i++)
		if (is_same(system_dirs[i], st))
			return true;
	return false;
}

static bool is_kernel_fs(const char *path)
{
	struct statfs fs;

	if (statfs(path, &fs))
		return false;
	for (size_t i = 0; i < sizeof(kernel_fs) / sizeof(*kernel_fs); i++)
		if ((long)fs.f_type == kernel_fs[i])
			return true;
	return false;
}

/* Returns whether this path, without symbolic links, lies directly in the root directory, or anywhere below a
   directory of the system. */
static bool below_system_dir(const char *real)
{
	char path[PATH_MAX];
	struct stat st;
	char *dir;

	snprintf(path, sizeof(path), "%s", real);
	dir = dirname(path);
	if (stat(dir, &st) || is_same("/", &st))
		return true;
	for (; strcmp(dir, "/") != 0; dir = dirname(dir))
		if (stat(dir, &st) || is_system_dir(&st))
			return true;
	return false;
}

static bool find_place(struct mounts_place *p, const char *path)
{
	char real[PATH_MAX];

	return realpath(path, real) && mounts_find_place(p, real, mounts_id(real));
}

/* Returns whether the file is directly in this directory, or anywhere below it. */
static bool lies_in(const struct mounts_place *file, const struct mounts_place *dir, bool directly)
{
	size_t n = strlen(dir->path);
	const char *rest = file->path + n;

	while (n && dir->path[n - 1] == '/') {
		n--;
		rest--;
	}
	return file->dev == dir->dev && !strncmp(file->path, dir->path, n) && *rest == '/' &&
	       !(directly && strchr(rest + 1, '/'));
}

/* Returns whether a mount shows a part of a system directory, or a single file of the system, under another
   name. */
static enum target_system bound_from_system(const char *real)
{
	struct mounts_place file, dir;
	uint64_t mount = mounts_id(real);

	if (!mount || mount == mounts_id("/"))
		return SYSTEM_NO;
	if (!mounts_find_place(&file, real, mount))
		return SYSTEM_UNKNOWN;
	for (size_t i = 0; i < SYSTEM_DIRS; i++)
		if (find_place(&dir, system_dirs[i]) && lies_in(&file, &dir, false))
			return SYSTEM_YES;
	return find_place(&dir, "/") && lies_in(&file, &dir, true) ? SYSTEM_YES : SYSTEM_NO;
}

static enum target_system in_system(const char *path)
{
	char real[PATH_MAX];

	if (!realpath(path, real))
		return SYSTEM_UNKNOWN;
	if (is_kernel_fs(real) || below_system_dir(real))
		return SYSTEM_YES;
	return bound_from_system(real);
}

/* Files of one directory share the answer, but for a file that a bind mount covers: it is on another mount.
 */
static enum target_system in_system_again(const struct target_facts *f, const char *path,
					  struct target_owner_dir *last)
{
	size_t n = target_dir_length(path);
	uint64_t mount = mounts_id(path);

	if (f->symlink || n >= sizeof(last->path))
		return in_system(path);
	if (last->known && last->mount == mount && strlen(last->path) == n && !memcmp(last->path, path, n))
		return last->system;
	last->known = true;
	last->mount = mount;
	last->system = in_system(path);
	memcpy(last->path, path, n);
	last->path[n] = '\0';
	return last->system;
}

/* Returns whether a directory of the system could hold another name of the file. */
static bool shares_system_fs(const struct target_facts *f)
{
	struct stat st;

	for (size_t i = 0; i < SYSTEM_DIRS; i++)
		if (!stat(system_dirs[i], &st) && st.st_dev == f->dev)
			return true;
	return !stat("/", &st) && st.st_dev == f->dev;
}

static bool holds_nothing(const struct target_facts *f, const char *path)
{
	struct stat st;
	bool nothing;
	int fd;

	if (!f->size)
		return true;
	fd = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	if (fd < 0)
		return false;
	nothing = !fstat(fd, &st) && st.st_dev == f->dev && st.st_ino == f->ino &&
		  lseek(fd, 0, SEEK_DATA) < 0 && errno == ENXIO;
	close(fd);
	return nothing;
}

void target_find_owner(struct target_facts *f, const char *path, struct target_owner_dir *last)
{
	f->system = in_system_again(f, path, last);
	f->system_link = f->system == SYSTEM_NO && f->links > 1 && shares_system_fs(f);
	f->holds_nothing = f->system == SYSTEM_NO && holds_nothing(f, path);
}
