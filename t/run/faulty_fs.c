/* faulty_fs.c: a file system in memory that damages writes on request and says in a log what it did.
   t/run/verify_faults.sh compares what fiord's verification finds with this log.

   faulty_fs LOG MOUNTPOINT

   The file system has one directory. Writing a line to its file .faults asks for a fault:

   - "KIND N[+S] [ARG]" harms the Nth write from now on, and with +S each Sth write after it.
   - "power_loss SEED [PERCENT]" loses what was not synced; of each unsynced write PERCENT (default 50) of the
     sectors survive, drawn from SEED.
   - "none" cancels the faults that were asked for.

   KIND is a row of the table `kinds` in faulty_writes.c. A line of the log is "KIND FILE OFFSET BYTES ARG"
   with the place of the write, for misdirected writes a second line "stored FILE OFFSET BYTES 0" with the
   place of its data, and for a power loss "lost FILE OFFSET BYTES WRITE" for each run of lost sectors. Sizes
   of files survive a power loss. */
#define FUSE_USE_VERSION 35
#include <errno.h>
#include <fcntl.h>
#include <fuse.h>
#include <linux/falloc.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include "faulty_writes.h"

#define CONTROL ".faults"

static struct file control;

/* Each operation holds the lock until it returns; delay() alone lets others pass. */
#define HOLD_LOCK int held __attribute__((cleanup(unlock), unused)) = pthread_mutex_lock(&lock)

static void unlock(const int *held)
{
	(void)held;
	pthread_mutex_unlock(&lock);
}

static struct file *find(const char *name)
{
	if (!strcmp(name, CONTROL))
		return &control;
	for (unsigned i = 0; i < FILES; i++)
		if (files[i].name[0] && !strcmp(files[i].name, name))
			return &files[i];
	return NULL;
}

static unsigned char *reserve(void)
{
	void *p = mmap(NULL, FILE_MAX, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE,
		       -1, 0);

	if (p == MAP_FAILED)
		abort();
	return p;
}

static void release_unused(struct file *f)
{
	if (f->name[0] || f->opens || !f->data)
		return;
	forget_unsynced(f);
	forget_stale(f, 0, FILE_MAX);
	munmap(f->data, FILE_MAX);
	munmap(f->durable, FILE_MAX);
	memset(f, 0, sizeof(*f));
}

static struct file *file_of(const char *path, struct fuse_file_info *fi)
{
	return fi && fi->fh ? (struct file *)(uintptr_t)fi->fh : find(path + 1);
}

static int fs_getattr(const char *path, struct stat *st, struct fuse_file_info *fi)
{
	HOLD_LOCK;
	const struct file *f;

	memset(st, 0, sizeof(*st));
	st->st_nlink = 1;
	if (path && !strcmp(path, "/")) {
		st->st_mode = S_IFDIR | 0755;
		st->st_nlink = 2;
		return 0;
	}
	st->st_mode = S_IFREG | 0644;
	f = file_of(path, fi);
	if (!f)
		return -ENOENT;
	st->st_size = f->size;
	st->st_blocks = (f->size + SECTOR - 1) / SECTOR;
	return 0;
}

static void open_file(struct file *f, struct fuse_file_info *fi)
{
	f->opens++;
	fi->fh = (uintptr_t)f;
	fi->direct_io = 1;
}

static int fs_open(const char *path, struct fuse_file_info *fi)
{
	HOLD_LOCK;
	struct file *f = find(path + 1);

	if (!f)
		return -ENOENT;
	open_file(f, fi);
	return 0;
}

static int fs_create(const char *path, mode_t mode, struct fuse_file_info *fi)
{
	HOLD_LOCK;
	struct file *f = NULL;

	(void)mode;
	for (unsigned i = 0; i < FILES && !f; i++)
		if (!files[i].data)
			f = &files[i];
	if (!f || strlen(path + 1) >= NAME_SIZE)
		return -ENOSPC;
	strcpy(f->name, path + 1);
	f->data = reserve();
	f->durable = reserve();
	f->last = &f->unsynced;
	open_file(f, fi);
	return 0;
}

static int fs_release(const char *path, struct fuse_file_info *fi)
{
	HOLD_LOCK;
	struct file *f = (struct file *)(uintptr_t)fi->fh;

	(void)path;
	if (!f)
		return 0;
	f->opens--;
	release_unused(f);
	return 0;
}

static int fs_unlink(const char *path)
{
	HOLD_LOCK;
	struct file *f = find(path + 1);

	if (!f || f == &control)
		return -ENOENT;
	f->name[0] = '\0';
	release_unused(f);
	return 0;
}

/* The library renames an open file that is to be deleted, and deletes it when it is closed. */
static int fs_rename(const char *from, const char *to, unsigned flags)
{
	HOLD_LOCK;
	struct file *f = find(from + 1), *old = find(to + 1);

	if (!f || f == &control || old == &control || flags || strlen(to + 1) >= NAME_SIZE)
		return -EINVAL;
	if (old && old != f) {
		old->name[0] = '\0';
		release_unused(old);
	}
	strcpy(f->name, to + 1);
	return 0;
}

static int fs_truncate(const char *path, off_t size, struct fuse_file_info *fi)
{
	HOLD_LOCK;
	struct file *f = file_of(path, fi);

	if (!f)
		return -ENOENT;
	if (f == &control)
		return 0;
	if (size > FILE_MAX)
		return -EFBIG;
	zero(f, size, f->size - size);
	f->size = size;
	return 0;
}

static int fs_fallocate(const char *path, int mode, off_t offset, off_t bytes, struct fuse_file_info *fi)
{
	HOLD_LOCK;
	struct file *f = file_of(path, fi);

	if (!f || f == &control)
		return -EBADF;
	if (mode & ~(FALLOC_FL_KEEP_SIZE | FALLOC_FL_PUNCH_HOLE | FALLOC_FL_ZERO_RANGE))
		return -EOPNOTSUPP;
	if (bytes > FILE_MAX - offset)
		return -EFBIG;
	if (mode & (FALLOC_FL_PUNCH_HOLE | FALLOC_FL_ZERO_RANGE))
		zero(f, offset, bytes);
	if (!(mode & FALLOC_FL_KEEP_SIZE))
		grow(f, offset + bytes);
	return 0;
}

static void patch_stale(const struct file *f, char *buf, long bytes, long offset)
{
	for (const struct extent *e = f->stale; e; e = e->next)
		for (long i = 0; i < e->bytes; i++)
			if (e->offset + i >= offset && e->offset + i < offset + bytes)
				buf[e->offset + i - offset] = (char)e->data[i];
}

static int fs_read(const char *path, char *buf, size_t size, off_t offset, struct fuse_file_info *fi)
{
	HOLD_LOCK;
	const struct file *f = file_of(path, fi);
	long bytes = (long)size;

	if (!f || offset >= f->size)
		return 0;
	if (bytes > f->size - offset)
		bytes = f->size - offset;
	memcpy(buf, f->data + offset, (size_t)bytes);
	patch_stale(f, buf, bytes, offset);
	return (int)bytes;
}

static int fs_write(const char *path, const char *buf, size_t size, off_t offset, struct fuse_file_info *fi)
{
	HOLD_LOCK;
	struct file *f = file_of(path, fi);
	long ret;

	if (!f)
		return -EBADF;
	if (f == &control)
		return request(buf, size) ? -EINVAL : (int)size;
	if ((long)size > FILE_MAX - offset)
		return -EFBIG;
	ret = write_faulty(f, (const unsigned char *)buf, offset, (long)size);
	if (fi->flags & O_DSYNC)
		sync_file(f);
	return (int)ret;
}

static int fs_fsync(const char *path, int datasync, struct fuse_file_info *fi)
{
	HOLD_LOCK;
	struct file *f = file_of(path, fi);

	(void)datasync;
	if (f && f != &control)
		sync_file(f);
	return 0;
}

static int fs_readdir(const char *path, void *buf, fuse_fill_dir_t fill, off_t offset,
		      struct fuse_file_info *fi, enum fuse_readdir_flags flags)
{
	HOLD_LOCK;
	(void)path;
	(void)offset;
	(void)fi;
	(void)flags;
	fill(buf, ".", NULL, 0, 0);
	fill(buf, "..", NULL, 0, 0);
	for (unsigned i = 0; i < FILES; i++)
		if (files[i].name[0])
			fill(buf, files[i].name, NULL, 0, 0);
	return 0;
}

static int fs_statfs(const char *path, struct statvfs *st)
{
	(void)path;
	*st = (struct statvfs){ .f_bsize = 4096, .f_frsize = 4096, .f_blocks = 1 << 20, .f_bfree = 1 << 20 };
	st->f_bavail = st->f_bfree;
	st->f_namemax = NAME_SIZE - 1;
	return 0;
}

static void *begin(struct fuse_conn_info *conn, struct fuse_config *cfg)
{
	conn->max_write = 1 << 20;
	cfg->nullpath_ok = 1;
	cfg->attr_timeout = 0;
	return NULL;
}

static const struct fuse_operations ops = {
	.init = begin,
	.getattr = fs_getattr,
	.readdir = fs_readdir,
	.create = fs_create,
	.open = fs_open,
	.release = fs_release,
	.unlink = fs_unlink,
	.rename = fs_rename,
	.truncate = fs_truncate,
	.fallocate = fs_fallocate,
	.read = fs_read,
	.write = fs_write,
	.fsync = fs_fsync,
	.statfs = fs_statfs,
};

int main(int argc, char **argv)
{
	char foreground[] = "-f";
	char *args[] = { argv[0], foreground, argv[2], NULL };

	if (argc != 3)
		return 2;
	log_file = fopen(argv[1], "w");
	if (!log_file)
		return 1;
	setvbuf(log_file, NULL, _IOLBF, 0);
	return fuse_main(3, args, &ops, NULL);
}
