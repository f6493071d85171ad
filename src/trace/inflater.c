#include "inflater.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>
#include "inflater_zstd.h"

#define CHUNK_BYTES ((size_t)32 << 10)

struct inflater {
	int fd;
	z_stream gzip;
	struct zstd *zstd; /* NULL: the file is gzip's */
	bool in_member;    /* the compressed data may not end here */
	bool more;         /* the decompressor may hold bytes that found no room */
	unsigned char chunk[CHUNK_BYTES];
	size_t at, len;
};

static bool is_gzip(const unsigned char *b, size_t len)
{
	return len >= 2 && b[0] == 0x1f && b[1] == 0x8b;
}

static bool is_zstd(const unsigned char *b, size_t len)
{
	return len >= 4 && b[0] == 0x28 && b[1] == 0xb5 && b[2] == 0x2f && b[3] == 0xfd;
}

bool inflater_knows(const void *bytes, size_t len)
{
	return is_gzip(bytes, len) || is_zstd(bytes, len);
}

const char *inflater_program(const void *bytes, size_t len)
{
	static const struct {
		const char *magic, *program;
	} others[] = { { "\xfd"
			 "7zX",
			 "xz" },
		       { "BZh9", "bzip2" },
		       { "\x04\x22\x4d\x18", "lz4" } };

	for (size_t i = 0; i < sizeof(others) / sizeof(*others); i++)
		if (len >= 4 && !memcmp(bytes, others[i].magic, 4))
			return others[i].program;
	return NULL;
}

struct inflater *inflater_new(int fd, const void *bytes, size_t len, const char **error)
{
	struct inflater *f = calloc(1, sizeof(*f));

	*error = "out of memory";
	if (!f || len > CHUNK_BYTES)
		goto fail;
	f->fd = fd;
	f->len = len;
	memcpy(f->chunk, bytes, len);
	if (is_zstd(bytes, len))
		f->zstd = zstd_new(error);
	if (is_zstd(bytes, len) ? !f->zstd : inflateInit2(&f->gzip, 15 + 16) != Z_OK)
		goto fail;
	return f;
fail:
	free(f);
	return NULL;
}

void inflater_free(struct inflater *f)
{
	if (!f)
		return;
	if (f->zstd)
		zstd_free(f->zstd);
	else
		inflateEnd(&f->gzip);
	free(f);
}

static int read_chunk(struct inflater *f, const char **error)
{
	ssize_t n;

	do
		n = read(f->fd, f->chunk, CHUNK_BYTES);
	while (n < 0 && errno == EINTR);
	if (n < 0) {
		*error = strerror(errno);
		return -errno;
	}
	if (!n && f->in_member) {
		*error = "the compressed data ends early: the file is truncated";
		return -EINVAL;
	}
	f->at = 0;
	f->len = (size_t)n;
	return n > 0;
}

/* Decompresses what is in the chunk. A file may have several members one behind the other. */
static long gzip_step(struct inflater *f, void *to, size_t room, const char **error)
{
	int ret;

	if (!f->in_member)
		inflateReset(&f->gzip);
	f->gzip.next_in = f->chunk + f->at;
	f->gzip.avail_in = (uInt)(f->len - f->at);
	f->gzip.next_out = to;
	f->gzip.avail_out = (uInt)room;
	ret = inflate(&f->gzip, Z_NO_FLUSH);
	if (ret != Z_OK && ret != Z_STREAM_END && ret != Z_BUF_ERROR) {
		*error = ret == Z_MEM_ERROR ? "out of memory" : "the compressed data (gzip) is damaged";
		return -EINVAL;
	}
	f->at = f->len - f->gzip.avail_in;
	f->in_member = ret != Z_STREAM_END;
	return (long)(room - f->gzip.avail_out);
}

long inflater_read(struct inflater *f, void *to, size_t room, const char **error)
{
	long n = 0;
	int more = 1;

	while (!n) {
		if (f->at == f->len && !f->more)
			more = read_chunk(f, error);
		if (more <= 0)
			return more;
		n = f->zstd ? zstd_step(f->zstd, f->chunk, &f->at, f->len, to, room, &f->in_member, error)
			    : gzip_step(f, to, room, error);
		f->more = f->in_member && n == (long)room;
	}
	return n;
}
