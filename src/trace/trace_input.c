#include "trace_input.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>
#include "inflater_zstd.h"
#include "strbuf.h"
#include "trace_saved.h"

#define UTF8_MARK   "\357\273\277"
#define CHUNK_BYTES ((size_t)32 << 10)

/* ---- decompression ---- */

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

/* Returns true if files that begin with these bytes are compressed. */
static bool inflater_knows(const void *bytes, size_t len)
{
	return is_gzip(bytes, len) || is_zstd(bytes, len);
}

/* Returns the program that unpacks files that begin with these bytes, if it must, such as "xz"; else NULL. */
static const char *inflater_program(const void *bytes, size_t len)
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

/* Makes the inflater for a file that begins with these bytes. The rest it reads from fd. Returns NULL with
 *error. */
static struct inflater *inflater_new(int fd, const void *bytes, size_t len, const char **error)
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

static void inflater_free(struct inflater *f)
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

/* Returns how many bytes it stored, 0 at the end; or -errno with *error, a text for the user. */
static long inflater_read(struct inflater *f, void *to, size_t room, const char **error)
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

/* ---- bytes ---- */

static int input_err(const struct trace_input *in, struct diag *d, int err)
{
	return diag_err(d, -err, "%s: %s%s", in->path, diag_errno(err), diag_hint(err));
}

/* Reads bytes of the file itself. Returns how many, or -errno. */
static long read_plain(struct trace_input *in, char *to, size_t room)
{
	size_t most = room < in->left ? room : (size_t)in->left;
	ssize_t n;

	do
		n = most ? read(in->fd, to, most) : 0;
	while (n < 0 && errno == EINTR);
	if (n < 0)
		return -errno;
	in->left -= (uint64_t)n;
	return n;
}

int trace_input_fill(struct trace_input *in, struct diag *d)
{
	const char *error = NULL;
	long n;

	memmove(in->buffer, in->buffer + in->at, in->len - in->at);
	in->len -= in->at;
	in->at = 0;
	if (in->end || in->len == TRACE_BUFFER_BYTES)
		return 0;
	if (in->inflater)
		n = inflater_read(in->inflater, in->buffer + in->len, TRACE_BUFFER_BYTES - in->len, &error);
	else
		n = read_plain(in, in->buffer + in->len, TRACE_BUFFER_BYTES - in->len);
	if (n < 0)
		return error ? diag_err(d, (int)n, "%s: %s", in->path, error) : input_err(in, d, (int)-n);
	in->len += (size_t)n;
	in->end = !n;
	return n > 0;
}

/* Lets an inflater take over if the first bytes are those of compressed data. */
static int detect_compression(struct trace_input *in, struct diag *d)
{
	const char *error, *program;

	while (in->len < 4 && !in->end) {
		int ret = trace_input_fill(in, d);

		if (ret < 0)
			return ret;
	}
	program = inflater_program(in->buffer, in->len);
	if (program)
		return diag_err(d, -EINVAL,
				"%s: compressed by %s, and fiord unpacks only gzip and zstd; pipe it: %s -dc "
				"FILE | fiord ... with - as the trace",
				in->path, program, program);
	if (!inflater_knows(in->buffer, in->len))
		return 0;
	in->inflater = inflater_new(in->fd, in->buffer, in->len, &error);
	if (!in->inflater)
		return diag_err(d, -EINVAL, "%s: %s", in->path, error);
	in->len = 0;
	in->end = false;
	return trace_input_fill(in, d);
}

/* Leaves out the mark of UTF-8 with which a text may begin. */
static int skip_utf8_mark(struct trace_input *in, struct diag *d)
{
	while (in->len < strlen(UTF8_MARK) && !in->end) {
		int ret = trace_input_fill(in, d);

		if (ret < 0)
			return ret;
	}
	if (in->len >= strlen(UTF8_MARK) && !memcmp(in->buffer, UTF8_MARK, strlen(UTF8_MARK)))
		in->at = in->offset = strlen(UTF8_MARK);
	return 0;
}

static int open_path(const char *path, const struct trace_saved *saved)
{
	if (trace_saved_has(saved, path))
		return trace_saved_open(saved, path);
	return strcmp(path, "-") ? open(path, O_RDONLY | O_CLOEXEC) : dup(STDIN_FILENO);
}

int trace_input_open(struct trace_input *in, const char *path, const struct trace_saved *saved,
		     struct diag *d)
{
	struct stat st;
	int ret;

	*in = (struct trace_input){ .path = path, .fd = -1, .left = UINT64_MAX };
	in->buffer = malloc(TRACE_BUFFER_BYTES);
	if (!in->buffer)
		return diag_no_memory(d);
	in->again = strcmp(path, "-") || trace_saved_has(saved, path);
	in->fd = open_path(path, saved);
	if (in->fd < 0 || fstat(in->fd, &st))
		return input_err(in, d, errno);
	if (S_ISDIR(st.st_mode))
		return input_err(in, d, EISDIR);
	ret = detect_compression(in, d);
	return ret < 0 ? ret : skip_utf8_mark(in, d);
}

bool trace_input_seekable(const struct trace_input *in)
{
	struct stat st;

	return !in->inflater && in->again && !fstat(in->fd, &st) && S_ISREG(st.st_mode);
}

int trace_input_part(struct trace_input *in, uint64_t from, uint64_t to, uint64_t line, struct diag *d)
{
	if (lseek(in->fd, (off_t)from, SEEK_SET) < 0)
		return input_err(in, d, errno);
	in->at = in->len = 0;
	in->end = false;
	in->offset = from;
	in->left = to - from;
	in->line = line;
	if (trace_input_fill(in, d) < 0)
		return d->err;
	return from ? 0 : skip_utf8_mark(in, d);
}

void trace_input_close(struct trace_input *in)
{
	inflater_free(in->inflater);
	free(in->buffer);
	if (in->fd >= 0)
		close(in->fd);
	*in = (struct trace_input){ .fd = -1 };
}

/* Hands out the line buffer[at..at + len), which `ending` bytes follow. */
static int take_line(struct trace_input *in, char **line, size_t *len, size_t ending, struct diag *d)
{
	in->line++;
	*line = in->buffer + in->at;
	if (memchr(*line, '\0', *len))
		return trace_line_err(in, d, "the line has a NUL byte: the file is damaged, or no text");
	in->at += *len + ending;
	in->offset += *len + ending;
	if (*len && (*line)[*len - 1] == '\r')
		--*len;
	return 1;
}

int trace_input_line(struct trace_input *in, char **line, size_t *len, bool *whole, struct diag *d)
{
	int more = 1;

	*whole = true;
	while (more > 0) {
		const char *from = in->buffer + in->at, *end = memchr(from, '\n', in->len - in->at);

		if (end) {
			*len = (size_t)(end - from);
			return take_line(in, line, len, 1, d);
		}
		more = trace_input_fill(in, d);
	}
	*len = in->len - in->at;
	if (more < 0 || !*len)
		return more;
	if (!in->end) {
		in->line++;
		return trace_line_err(in, d, "the line is longer than %zu bytes", TRACE_BUFFER_BYTES);
	}
	*whole = false;
	return take_line(in, line, len, 0, d);
}

int trace_line_err(const struct trace_input *in, struct diag *d, const char *fmt, ...)
{
	struct strbuf b = { 0 };
	va_list ap;

	va_start(ap, fmt);
	strbuf_vprintf(&b, fmt, ap);
	va_end(ap);
	diag_err(d, -EINVAL, in->binary ? "%s: byte %llu: %s" : "%s:%llu: %s", in->path,
		 (unsigned long long)(in->binary ? in->offset : in->line), strbuf_str(&b));
	strbuf_fini(&b);
	return -EINVAL;
}
