#include "log_parts.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#define WINDOW_BITS 15
#define GZIP_BITS   16 /* added to WINDOW_BITS */

static int note_error(struct log_file *f, int error)
{
	if (!f->error)
		f->error = error;
	return f->error;
}

/* Empties the file. It checks the type again, because the name may mean another file than when the run was
   planned. */
static int empty_file(int fd)
{
	struct stat st;

	if (fstat(fd, &st))
		return -errno;
	if (S_ISBLK(st.st_mode))
		return -ENOTBLK;
	/* Writes to a pipe may wait. open has already refused a pipe without a reader. */
	if (!S_ISREG(st.st_mode))
		return fcntl(fd, F_SETFL, O_WRONLY | O_APPEND) ? -errno : 0;
	return ftruncate(fd, 0) ? -errno : 0;
}

int log_file_open(struct log_file *f)
{
	int ret;

	f->fd = open(f->path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NONBLOCK | O_NOCTTY, 0666);
	if (f->fd < 0)
		return note_error(f, -errno);
	ret = empty_file(f->fd);
	if (!ret && f->format != LOG_FILE_TEXT && !(f->chunk = malloc(f->chunk_bytes)))
		ret = -ENOMEM;
	return ret ? note_error(f, ret) : 0;
}

static void write_out(struct log_file *f, const char *text, size_t n)
{
	while (n && !f->error) {
		ssize_t written = write(f->fd, text, n);

		if (written < 0 && errno != EINTR)
			note_error(f, -errno);
		if (written <= 0)
			continue;
		text += written;
		n -= (size_t)written;
	}
}

static void write_chunk(struct log_file *f)
{
	int bits = WINDOW_BITS + (f->format == LOG_FILE_GZIP ? GZIP_BITS : 0);
	z_stream z = { .next_in = (unsigned char *)f->chunk, .avail_in = (unsigned)f->n };
	unsigned char *out = NULL;
	size_t room;

	if (!f->n || f->error)
		return;
	if (deflateInit2(&z, Z_DEFAULT_COMPRESSION, Z_DEFLATED, bits, 8, Z_DEFAULT_STRATEGY) != Z_OK) {
		note_error(f, -ENOMEM);
		return;
	}
	room = deflateBound(&z, f->n);
	out = malloc(room);
	z.next_out = out;
	z.avail_out = (unsigned)room;
	if (!out || deflate(&z, Z_FINISH) != Z_STREAM_END)
		note_error(f, -ENOMEM);
	else
		write_out(f, (const char *)out, z.total_out);
	deflateEnd(&z);
	free(out);
	f->n = 0;
}

void log_file_add(struct log_file *f, const char *text, size_t n)
{
	if (f->error)
		return;
	if (f->format == LOG_FILE_TEXT) {
		write_out(f, text, n);
		return;
	}
	while (n) {
		size_t part = f->chunk_bytes - f->n < n ? f->chunk_bytes - f->n : n;

		memcpy(f->chunk + f->n, text, part);
		f->n += part;
		text += part;
		n -= part;
		if (f->n == f->chunk_bytes)
			write_chunk(f);
	}
}

void log_file_close(struct log_file *f)
{
	if (f->format != LOG_FILE_TEXT)
		write_chunk(f);
	if (f->fd >= 0 && close(f->fd))
		note_error(f, -errno);
	f->fd = -1;
	free(f->chunk);
	f->chunk = NULL;
}
