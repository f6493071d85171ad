#include "file.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <linux/fs.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <unistd.h>
#include "target_parts.h"

static int sync_flags(enum file_sync sync)
{
	switch (sync) {
	case FILE_SYNC_SYNC:
		return O_SYNC;
	case FILE_SYNC_DSYNC:
		return O_DSYNC;
	case FILE_SYNC_NONE:
		break;
	}
	return 0;
}

static int open_error(const char *path, int err, enum target_type type, bool direct, struct diag *d)
{
	if (err == -EINVAL && direct)
		return diag_kind(
			d, DIAG_RUN, err,
			"%s: the file system or device does not support direct I/O; {~cached|use direct=0}",
			path);
	if (err == -EMFILE)
		return diag_kind(d, DIAG_RUN, err,
				 "%s: open failed: %s; raise the limit (ulimit -n){?, or use {+openfiles=N}}",
				 path, diag_errno(err));
	return diag_kind(d, DIAG_RUN, err, "%s: open failed: %s%s%s", path, diag_errno(err), diag_hint(err),
			 target_open_hint(type, err));
}

/* To the sg driver a command is written, and its outcome is read, also those of a read. */
static int open_mode(const struct file_cfg *cfg, bool write, const struct target_facts *facts)
{
	if (facts->commands == COMMANDS_SCSI)
		return O_RDWR;
	return !write ? O_RDONLY : cfg->write_only ? O_WRONLY : O_RDWR;
}

/* Returns the descriptor, or -errno. If the target was missing in the plan, symbolic links are not followed.
   As in fio, reads of a device do not change the access time of its node, where that is permitted. */
static int open_existing(const char *path, const struct file_cfg *cfg, bool write,
			 const struct target_facts *facts)
{
	enum target_type type = facts->type;
	int flags = O_CLOEXEC | (type == TARGET_MISSING ? O_NOFOLLOW : 0) | sync_flags(cfg->sync) |
		    (cfg->direct && !facts->commands ? O_DIRECT : 0);
	int mode = open_mode(cfg, write, facts);
	int fd = open(path, flags | mode | (type == TARGET_BLOCK ? O_NOATIME : 0));
	struct stat st;

	if (fd < 0 && errno == EPERM && type == TARGET_BLOCK) /* only the owner may use O_NOATIME */
		fd = open(path, flags | mode);

	/* A file may be writable without being readable. */
	if (fd < 0 && errno == EACCES && write && !stat(path, &st) && S_ISREG(st.st_mode))
		fd = open(path, flags | O_WRONLY);
	return fd < 0 ? -errno : fd;
}

static void unlink_same(const char *path, int fd)
{
	struct stat a, b;

	if (!fstat(fd, &a) && !lstat(path, &b) && a.st_dev == b.st_dev && a.st_ino == b.st_ino)
		unlink(path);
}

/* Sets O_DIRECT after the open, because an open that fails because of it would leave an empty file behind. */
static int set_direct(int fd)
{
	int flags = fcntl(fd, F_GETFL);

	return flags < 0 || fcntl(fd, F_SETFL, flags | O_DIRECT) ? -errno : 0;
}

/* Creates a marked file. Returns its descriptor, or -errno: -EEXIST if a file exists. Symbolic links are
   not followed. */
static int open_new(const struct file *f, const struct file_cfg *cfg)
{
	int fd = open(f->path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | sync_flags(cfg->sync), 0644);
	int ret;

	if (fd < 0)
		return -errno;
	ret = cfg->direct ? set_direct(fd) : 0;
	if (ret) {
		unlink_same(f->path, fd);
		close(fd);
		return ret;
	}
	/* Without the mark fiord treats the file as the user's, which is safe. */
	(void)target_mark(fd);
	return fd;
}

static int refuse_type(const struct target_facts *facts, const char *path, struct diag *d)
{
	if (facts->error)
		return open_error(path, facts->error, facts->type, false, d);
	if (facts->type == TARGET_DIR)
		return diag_kind(d, DIAG_TARGET, -EISDIR,
				 "%s: it is a directory; {+directory=%s} creates files in it", path, path);
	if (facts->type == TARGET_OTHER)
		return diag_kind(d, DIAG_TARGET, -EPERM, "%s: it is not a file or block device", path);
	return 0;
}

/* Creates files only in the directory that the plan found: not below a mount point that has been unmounted
   since, nor in a directory that was removed. */
static int check_directory(const char *path, const struct target_facts *facts, struct diag *d)
{
	char dir[PATH_MAX] = ".";
	struct stat st;

	if (!facts->dir_ino || facts->missing_at >= sizeof(dir))
		return 0;
	if (facts->missing_at)
		snprintf(dir, sizeof(dir), "%.*s", (int)facts->missing_at, path);
	if (stat(dir, &st))
		return diag_kind(d, DIAG_TARGET, -errno, "%s: its directory %s cannot be found any more: %s",
				 path, dir, diag_errno(errno));
	if (st.st_dev != facts->dir_dev)
		return diag_kind(d, DIAG_TARGET, -ESTALE,
				 "%s: refused: %s is on another file system than at the start (mounted or "
				 "unmounted since)",
				 path, dir);
	if (st.st_ino != facts->dir_ino)
		return diag_kind(d, DIAG_TARGET, -ESTALE,
				 "%s: refused: %s is another directory than at the start", path, dir);
	return 0;
}

/* Returns the descriptor and sets *created, or -errno with d filled. */
static int open_or_create(const struct file *f, const struct file_cfg *cfg, bool write, bool create,
			  const struct target_facts *facts, bool *created, struct diag *d)
{
	static const struct target_facts missing = { .type = TARGET_MISSING };
	int fd = open_existing(f->path, cfg, write, facts);

	*created = false;
	if (fd == -ENOENT && create) {
		if (check_directory(f->path, facts, d) || file_create_parents(f->path, d))
			return d->err;
		fd = open_new(f, cfg);
		*created = fd >= 0;
		if (fd == -EEXIST) /* another worker has just created it */
			fd = open_existing(f->path, cfg, write, &missing);
	}
	if (fd == -ELOOP && facts->type == TARGET_MISSING)
		return target_appeared(f->path, d);
	return fd < 0 ? open_error(f->path, fd, facts->type, cfg->direct, d) : fd;
}

/* Sets the write hint. As in fio it belongs to the descriptor if writes are direct. Kernels since 5.17 have
   hints of files only. */
static int set_hint(int fd, const struct file_cfg *cfg)
{
	uint64_t hint = cfg->hint;

	if (cfg->direct && !fcntl(fd, F_SET_FILE_RW_HINT, &hint))
		return 0;
	return fcntl(fd, F_SET_RW_HINT, &hint) ? -errno : 0;
}

static int hint_file(int fd, const char *path, const struct file_cfg *cfg, bool write, struct diag *d)
{
	int ret = write && cfg->hint ? set_hint(fd, cfg) : 0;

	if (ret == -EINVAL)
		return diag_kind(d, DIAG_RUN, ret, "%s: write_hint: this kernel has no write hints", path);
	if (ret)
		return diag_kind(d, DIAG_RUN, ret, "%s: write_hint: %s", path, diag_errno(ret));
	return 0;
}

/* Checks that the open file supports atomic writes. For a file that this run created, this is known only
   now. */
static int check_atomic(int fd, const char *path, const struct file_cfg *cfg, bool write, struct diag *d)
{
	struct target_facts now = { 0 };

	if (!write || !cfg->atomic)
		return 0;
	target_atomic(&now, fd, "");
	return now.atomic_max ? 0 : target_not_atomic(path, d);
}

/* Asks for a secure discard that no device can do, because it lies within a sector. The kernel first checks
   whether the device has secure discards; sysfs does not say so. */
static int check_secure(int fd, const char *path, const struct file_cfg *cfg, bool write, struct diag *d)
{
	uint64_t range[2] = { 1, 1 };

	if (!write || cfg->trim_kind != TRIM_SECURE || !ioctl(fd, BLKSECDISCARD, range) ||
	    errno != EOPNOTSUPP)
		return 0;
	return diag_kind(d, DIAG_RUN, -EOPNOTSUPP,
			 "%s: {trim_kind=secure}: the device has no secure discards: %s", path,
			 diag_errno(EOPNOTSUPP));
}

static enum target_type type_of(int fd)
{
	struct target_facts f = { .type = TARGET_OTHER };
	struct stat st;

	if (!fstat(fd, &st))
		target_from_stat(&f, &st);
	return f.type;
}

int file_open(struct file *f, const struct file_cfg *cfg, bool write, bool create,
	      const struct target_facts *facts, const struct target_allow *allow, struct diag *d)
{
	struct target_facts now;
	bool created;
	int fd, ret;

	f->fd = -1;
	if (!facts) {
		target_probe(&now, f->path);
		facts = &now;
	}
	ret = refuse_type(facts, f->path, d);
	if (!ret && (write || (create && facts->type == TARGET_MISSING)))
		ret = target_may_write(facts, f->path, allow, d);
	if (ret)
		return ret;
	fd = open_or_create(f, cfg, write, create, facts, &created, d);
	if (fd < 0)
		return fd;
	ret = created ? 0 : target_check_fd(fd, f->path, facts, write, allow, d);
	if (!ret)
		ret = hint_file(fd, f->path, cfg, write, d);
	if (!ret)
		ret = check_atomic(fd, f->path, cfg, write, d);
	if (!ret)
		ret = check_secure(fd, f->path, cfg, write, d);
	if (ret) {
		close(fd);
		return ret;
	}
	f->fd = fd;
	f->write = write;
	f->created = created;
	f->trim_kind = cfg->trim_kind;
	f->type = facts->commands ? TARGET_CHAR : type_of(fd);
	return 0;
}

int file_sync(const struct file *f)
{
	if (f->nvme)
		return nvme_flush(f->fd, f->nvme->nsid);
	if (f->scsi && f->type == TARGET_CHAR)
		return scsi_flush(f->fd, f->scsi);
	return fsync(f->fd) ? -errno : 0;
}

int file_close(struct file *f, const struct file_cfg *cfg)
{
	int ret = 0;

	if (f->fd < 0)
		return 0;
	if (cfg->fsync_on_close && f->write && (f->nvme || f->scsi || f->type != TARGET_CHAR))
		ret = file_sync(f);
	if (close(f->fd) && !ret)
		ret = -errno;
	f->fd = -1;
	return ret;
}

int file_trim_mode(const struct file *f)
{
	return FALLOC_FL_KEEP_SIZE |
	       (f->trim_kind == TRIM_ZEROOUT ? FALLOC_FL_ZERO_RANGE : FALLOC_FL_PUNCH_HOLE);
}

int file_invalidate(const struct file *f)
{
	if (f->type == TARGET_CHAR)
		return 0;
	/* Flushing a device's buffers needs CAP_SYS_ADMIN; dropping cached pages does not. */
	if (f->type == TARGET_BLOCK && !ioctl(f->fd, BLKFLSBUF, 0))
		return 0;
	return -posix_fadvise(f->fd, (off_t)f->start, (off_t)f->len, POSIX_FADV_DONTNEED);
}

void file_advise(struct file *f, enum file_advice advice, bool random)
{
	static const int words[] = { [FADVICE_RANDOM] = POSIX_FADV_RANDOM,
				     [FADVICE_SEQUENTIAL] = POSIX_FADV_SEQUENTIAL,
				     [FADVICE_NOREUSE] = POSIX_FADV_NOREUSE };

	f->advice = advice;
	if (f->type == TARGET_CHAR || advice == FADVICE_NONE)
		return;
	if (advice == FADVICE_PATTERN)
		advice = random ? FADVICE_RANDOM : FADVICE_SEQUENTIAL;
	posix_fadvise(f->fd, (off_t)f->start, (off_t)f->len, words[advice]);
}

static int extend(int fd, uint64_t size)
{
	struct stat st;

	if (fstat(fd, &st))
		return -errno;
	if ((uint64_t)st.st_size >= size)
		return 0;
	return ftruncate(fd, (off_t)size) ? -errno : 0;
}

static int allocate(int fd, int mode, uint64_t size)
{
	int ret;

	do
		ret = fallocate(fd, mode, 0, (off_t)size) ? -errno : 0;
	while (ret == -EINTR);
	return ret;
}

static int preallocate(int fd, enum file_falloc how, uint64_t size)
{
	int ret;

	switch (how) {
	case FALLOC_NATIVE:
		ret = allocate(fd, 0, size);
		return ret == -EOPNOTSUPP || ret == -ENOSYS ? 0 : ret;
	case FALLOC_POSIX:
		return -posix_fallocate(fd, 0, (off_t)size);
	case FALLOC_KEEP:
		return allocate(fd, FALLOC_FL_KEEP_SIZE, size);
	case FALLOC_TRUNCATE:
		return extend(fd, size);
	case FALLOC_NONE:
		break;
	}
	return 0;
}

int file_preallocate(const struct file *f, const struct file_cfg *cfg, uint64_t size, struct diag *d)
{
	struct statfs fs;
	int ret;

	if (f->type != TARGET_FILE || !size)
		return 0;
	ret = preallocate(f->fd, cfg->fallocate, size);
	if (ret == -ENOSPC && !fstatfs(f->fd, &fs))
		return diag_kind(d, DIAG_RUN, ret,
				 "%s: no room to allocate %" PRIu64 " KiB: %" PRIu64
				 " KiB are free on its file system",
				 f->path, size >> 10, (uint64_t)fs.f_bavail * (uint64_t)fs.f_bsize >> 10);
	if (ret)
		return diag_kind(d, DIAG_RUN, ret, "%s: cannot allocate %" PRIu64 " bytes: %s%s", f->path,
				 size, diag_errno(ret), diag_hint(ret));
	return 0;
}

static int make_dir(const char *path, struct diag *d)
{
	struct stat st;
	int err;

	if (!mkdir(path, 0755))
		return 0;
	err = -errno;
	if (!stat(path, &st)) {
		if (S_ISDIR(st.st_mode))
			return 0;
		err = -ENOTDIR;
	}
	return diag_kind(d, DIAG_RUN, err, "%s: cannot create the directory: %s", path, diag_errno(err));
}

int file_create_parents(const char *path, struct diag *d)
{
	char dir[PATH_MAX];
	struct stat st;
	int ret = 0;

	if ((size_t)snprintf(dir, sizeof(dir), "%s", path) >= sizeof(dir))
		return diag_kind(d, DIAG_RUN, -ENAMETOOLONG, "%s: %s", path, diag_errno(ENAMETOOLONG));
	for (char *slash = strchr(dir + 1, '/'); slash && !ret; slash = strchr(slash + 1, '/')) {
		*slash = '\0';
		if (stat(dir, &st) || !S_ISDIR(st.st_mode))
			ret = make_dir(dir, d);
		*slash = '/';
	}
	return ret;
}
