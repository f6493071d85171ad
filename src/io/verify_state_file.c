#include "verify_state_file.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include "diag.h"

#define SECTOR 4096u

int verify_state_path(char *path, size_t size, const char *dir, const char *job, uint32_t clone,
		      const char *rank)
{
	char name[NAME_MAX + 1];

	if (snprintf(name, sizeof(name), "local-%s-%" PRIu32 "-verify.state", job, clone) >=
	    (int)sizeof(name))
		return -ENAMETOOLONG;
	for (char *s = name; (s = strchr(s, '/'));)
		*s = '_';
	return snprintf(path, size, "%s%s%s%s%s", dir ? dir : "", dir ? "/" : "", name, rank ? "." : "",
			rank ? rank : "") < (int)size
		       ? 0
		       : -ENAMETOOLONG;
}

/* ---- creating ---- */

/* Maps the file, or anonymous memory for a synced one. */
static void *map_file(const struct verify_state_layout *l, bool synced, int fd)
{
	int flags = synced ? MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE : MAP_SHARED;
	void *mem = mmap(NULL, l->bytes, PROT_READ | PROT_WRITE, flags, synced ? -1 : fd, 0);

	return mem == MAP_FAILED ? NULL : mem;
}

static int write_all(int fd, const void *buf, uint64_t bytes, uint64_t at)
{
	const char *from = buf;

	while (bytes) {
		ssize_t n = pwrite(fd, from, bytes, (off_t)at);

		if (n <= 0)
			return n < 0 ? -errno : -EIO;
		from += n;
		at += (uint64_t)n;
		bytes -= (uint64_t)n;
	}
	return 0;
}

/* After this the name survives a power loss, too. */
static int sync_directory(const char *path)
{
	char dir[PATH_MAX];
	const char *slash = strrchr(path, '/');
	int fd, ret;

	snprintf(dir, sizeof(dir), "%.*s", slash ? (int)(slash - path) + 1 : 1, slash ? path : ".");
	fd = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	ret = fsync(fd) ? -errno : 0;
	close(fd);
	return ret;
}

/* Fills the new file. */
static int fill_state_file(struct verify_state_file *f, const struct verify_state_shape *s,
			   const struct verify_state_setting *set, int fd)
{
	/* Missing space would later raise SIGBUS. */
	int err = posix_fallocate(fd, 0, (off_t)f->layout.bytes);

	if (err)
		return -err;
	f->mem = map_file(&f->layout, s->synced, fd);
	if (!f->mem)
		return -errno;
	verify_state_format(s, set, f->mem);
	if (!s->synced)
		return 0;
	f->copy = aligned_alloc(VERIFY_STATE_PAGE, f->layout.live_bytes);
	if (!f->copy)
		return -ENOMEM;
	memset(f->copy, 0, f->layout.live_bytes);
	err = write_all(fd, f->mem, f->layout.map_at, 0);
	return err ? err : fsync(fd) ? -errno : 0;
}

static int create(struct verify_state_file *f, const char *path, const struct verify_state_shape *s,
		  const struct verify_state_setting *set)
{
	char made[PATH_MAX];
	int fd, ret;

	if (snprintf(made, sizeof(made), "%s.new", path) >= (int)sizeof(made))
		return -ENAMETOOLONG;
	unlink(made);
	fd = open(made, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0644);
	if (fd < 0)
		return -errno;
	ret = fill_state_file(f, s, set, fd);
	if (!ret && rename(made, path))
		ret = -errno;
	if (!ret && s->synced)
		ret = sync_directory(path);
	if (ret)
		unlink(made);
	if (s->synced)
		f->fd = fd;
	else
		close(fd);
	return ret;
}

int verify_state_file_create(struct verify_state_file *f, const char *path,
			     const struct verify_state_shape *s, const struct verify_state_setting *set,
			     struct diag *d)
{
	int ret;

	*f = (struct verify_state_file){ .fd = -1 };
	ret = verify_state_layout(s, &f->layout);
	if (!ret)
		ret = create(f, path, s, set);
	if (!ret)
		ret = verify_state_writer_init(&f->writer, s, f->mem);
	if (ret)
		return diag_err(d, ret, "%s: the verify state cannot be created: %s", path, diag_errno(ret));
	return 0;
}

void verify_state_file_close(struct verify_state_file *f)
{
	verify_state_writer_fini(&f->writer);
	if (f->mem)
		munmap(f->mem, f->layout.bytes);
	if (f->fd >= 0)
		close(f->fd);
	free(f->copy);
	*f = (struct verify_state_file){ .fd = -1 };
}

/* ---- synced files ---- */

int verify_state_file_put_map(struct verify_state_file *f, uint64_t offset, uint64_t bytes)
{
	uint64_t from = offset / SECTOR * SECTOR, to = (offset + bytes + SECTOR - 1) / SECTOR * SECTOR;

	if (to > f->layout.map_bytes)
		to = f->layout.map_bytes;
	return write_all(f->fd, (char *)f->mem + f->layout.map_at + from, to - from, f->layout.map_at + from);
}

int verify_state_file_sync(struct verify_state_file *f)
{
	unsigned place = verify_state_copy(&f->writer, f->copy);
	int ret = write_all(f->fd, f->copy, f->layout.live_bytes,
			    f->layout.live_at + place * f->layout.live_bytes);

	return ret ? ret : fdatasync(f->fd) ? -errno : 0;
}

/* ---- reading ---- */

static int read_image(struct verify_state_image *f, const char *path, struct diag *d)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	struct stat st;
	int err = 0;

	if (fd < 0)
		return diag_err(d, -errno, "%s", diag_errno(errno));
	if (fstat(fd, &st))
		err = errno;
	else if (!S_ISREG(st.st_mode))
		err = EINVAL;
	f->bytes = err ? 0 : (size_t)st.st_size;
	if (f->bytes) {
		/* Private and writable: a map may be changed while it is used. The kernel reserves no memory
		   for that, so that a file which is too large is refused for its content. */
		f->mem = mmap(NULL, f->bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_NORESERVE, fd, 0);
		if (f->mem == MAP_FAILED) {
			err = errno;
			f->mem = NULL;
		}
	}
	close(fd);
	if (err)
		return diag_err(d, -err, "%s", err == EINVAL ? "is no regular file" : diag_errno(err));
	return verify_state_parse(&f->state, f->mem, f->bytes, d);
}

int verify_state_image_read(struct verify_state_image *f, const char *path, struct diag *d)
{
	*f = (struct verify_state_image){ 0 };
	return read_image(f, path, d) ? diag_wrap(d, "%s", path) : 0;
}

void verify_state_image_free(struct verify_state_image *f)
{
	if (f->mem)
		munmap(f->mem, f->bytes);
	f->mem = NULL;
}
