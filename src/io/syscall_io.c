#include "io.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/fs.h>
#include <sys/ioctl.h>
#include <sys/uio.h>
#include <unistd.h>
#include "file.h"
#include "zoned.h"

/* Reads with flags; syscall_io() does plain reads itself. */
static ssize_t plain_read(const struct io *io)
{
	struct iovec v = { io->buf, io->len };

	return preadv2(io->file->fd, &v, 1, (off_t)io->offset, (int)io->rwf);
}

static ssize_t plain_write(const struct io *io)
{
	struct iovec v = { io->buf, io->len };

	if (!io->rwf)
		return pwrite(io->file->fd, io->buf, io->len, (off_t)io->offset);
	return pwritev2(io->file->fd, &v, 1, (off_t)io->offset, (int)io->rwf);
}

static ssize_t plain_trim(const struct io *io)
{
	static const unsigned long call[] = {
		[TRIM_DISCARD] = BLKDISCARD, [TRIM_ZEROOUT] = BLKZEROOUT, [TRIM_SECURE] = BLKSECDISCARD
	};
	uint64_t range[2] = { io->offset, io->len };
	int ret;

	if (io->file->zone_bytes) {
		ret = zoned_command(io->file, ZONE_RESET, io->offset, io->len, NULL);
		errno = -ret;
		return ret ? -1 : (ssize_t)io->len;
	}
	if (io->file->type == TARGET_BLOCK)
		ret = ioctl(io->file->fd, call[io->file->trim_kind], range);
	else
		ret = fallocate(io->file->fd, file_trim_mode(io->file), (off_t)io->offset, io->len);
	return ret ? -1 : (ssize_t)io->len;
}

static ssize_t plain_once(const struct io *io)
{
	switch ((enum io_op)io->op) {
	case IO_READ:
		return plain_read(io);
	case IO_WRITE:
		return plain_write(io);
	case IO_TRIM:
		return plain_trim(io);
	case IO_FSYNC:
		return fsync(io->file->fd);
	case IO_FDATASYNC:
		return fdatasync(io->file->fd);
	case IO_SYNC_FILE_RANGE:
		return sync_file_range(io->file->fd, (off_t)io->offset, io->len, io->rwf);
	case IO_SYNCFS:
		return syncfs(io->file->fd);
	case IO_OPS:
		break;
	}
	errno = EINVAL;
	return -1;
}

int64_t syscall_io(struct io *io)
{
	ssize_t ret;

	assert(io->op < IO_OPS);
	do {
		if (io->op == IO_READ && !io->rwf) /* most jobs only read without flags */
			ret = pread(io->file->fd, io->buf, io->len, (off_t)io->offset);
		else
			ret = plain_once(io);
	} while (__builtin_expect(ret < 0, 0) && errno == EINTR);
	return ret < 0 ? -errno : ret;
}
