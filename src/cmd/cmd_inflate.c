/* cmd_inflate.c: --inflate-log: prints a compressed log of fiord or fio. A log is a sequence of zlib streams
   of binary records, or of gzip members of text. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>
#include "cmd.h"
#include "log_line.h"
#include "outfile.h"
#include "strbuf.h"

#define AUTO_BITS 47 /* zlib or gzip, with any window */
#define IN_BYTES  65536u

struct inflate {
	const char *path;
	FILE *in;
	z_stream z;
	struct strbuf out;
	char rest[40]; /* beginning of an incomplete record */
	size_t rest_len;
	bool text, in_chunk;
	unsigned char input[IN_BYTES], output[IN_BYTES];
};

static int corrupt(struct inflate *f, struct diag *d, const char *why)
{
	return diag_err(d, -EBADMSG, "--inflate-log=%s: %s", f->path, why);
}

static int put_records(struct inflate *f, const char *data, size_t n, struct diag *d)
{
	struct log_line_form form;
	struct log_line line;
	char text[LOG_LINE_MAX];

	while (n || f->rest_len >= 32) {
		size_t part = sizeof(f->rest) - f->rest_len < n ? sizeof(f->rest) - f->rest_len : n, used;

		memcpy(f->rest + f->rest_len, data, part);
		f->rest_len += part;
		data += part;
		n -= part;
		if (f->rest_len >= 32 && log_line_foreign(f->rest))
			return corrupt(f, d, "damaged, or written on a machine of another byte order");
		used = log_line_from_binary(f->rest, f->rest_len, &form, &line);
		if (!used)
			return 0;
		strbuf_add(&f->out, text, log_line_text(text, &form, &line));
		f->rest_len -= used;
		memmove(f->rest, f->rest + used, f->rest_len);
	}
	return 0;
}

static int put_output(struct inflate *f, size_t n, struct diag *d)
{
	int ret = 0;

	if (f->text)
		strbuf_add(&f->out, (const char *)f->output, n);
	else
		ret = put_records(f, (const char *)f->output, n, d);
	if (ret)
		return ret;
	if (f->out.failed)
		return diag_err(d, -ENOMEM, "out of memory");
	ret = f->out.len ? outfile_write(NULL, f->out.text, f->out.len, d) : 0;
	strbuf_clear(&f->out);
	return ret;
}

/* Begins a chunk, which has gzip's first two bytes or zlib's. */
static int begin_chunk(struct inflate *f, struct diag *d)
{
	f->text = f->z.next_in[0] == 0x1f;
	if (inflateReset2(&f->z, AUTO_BITS) != Z_OK)
		return corrupt(f, d, "zlib failed");
	f->in_chunk = true;
	return 0;
}

static int inflate_input(struct inflate *f, struct diag *d)
{
	int ret = 0;

	while (f->z.avail_in && !ret) {
		int z;

		if (!f->in_chunk && (ret = begin_chunk(f, d)))
			return ret;
		f->z.next_out = f->output;
		f->z.avail_out = sizeof(f->output);
		z = inflate(&f->z, Z_NO_FLUSH);
		if (z != Z_OK && z != Z_STREAM_END && z != Z_BUF_ERROR)
			return corrupt(f, d, "not a compressed log, or a damaged one");
		ret = put_output(f, sizeof(f->output) - f->z.avail_out, d);
		f->in_chunk = z != Z_STREAM_END;
	}
	return ret;
}

/* zlib keeps output that was not read until the next call; inflate_input loops until the input is used
   up. */
static int inflate_all(struct inflate *f, struct diag *d)
{
	int ret = 0;
	size_t n;

	if (inflateInit2(&f->z, AUTO_BITS) != Z_OK)
		return diag_err(d, -ENOMEM, "out of memory");
	while (!ret && (n = fread(f->input, 1, sizeof(f->input), f->in)) > 0) {
		f->z.next_in = f->input;
		f->z.avail_in = (unsigned)n;
		ret = inflate_input(f, d);
	}
	if (!ret && ferror(f->in))
		ret = diag_err(d, -EIO, "--inflate-log=%s: it cannot be read", f->path);
	if (!ret && (f->in_chunk || f->rest_len))
		ret = corrupt(f, d, "ends in the middle of a chunk");
	inflateEnd(&f->z);
	return ret;
}

int cmd_inflate(const char *path, struct diag *d)
{
	struct inflate *f;
	int ret;

	if (!path || !*path) {
		diag_err(d, -EINVAL, "--inflate-log needs the name of a compressed log");
		return EXIT_USAGE;
	}
	f = calloc(1, sizeof(*f));
	if (!f) {
		diag_err(d, -ENOMEM, "out of memory");
		return EXIT_JOB;
	}
	f->path = path;
	f->in = fopen(path, "re");
	ret = f->in ? inflate_all(f, d)
		    : diag_err(d, -errno, "--inflate-log=%s: %s", path, diag_errno(errno));
	if (f->in)
		fclose(f->in);
	strbuf_fini(&f->out);
	free(f);
	return ret ? cmd_code(d) : EXIT_OK;
}
