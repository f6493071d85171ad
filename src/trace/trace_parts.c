#include "trace_parts.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "vec.h"

#define HEADER      "\nfio version "
#define OVERLAP     (sizeof(HEADER) - 2)
#define CHUNK_BYTES ((size_t)64 << 10)

static int add(struct trace_parts *p, uint64_t from, uint64_t line, struct diag *d)
{
	return VEC_PUSH(p, (struct trace_part){ from, line }) ? 0 : diag_no_memory(d);
}

static uint64_t count_lines(const char *text, size_t len)
{
	uint64_t lines = 0;

	for (size_t i = 0; i < len; i++)
		lines += text[i] == '\n';
	return lines;
}

/* Adds the logs whose headers begin in text[0..len); `more` bytes of the file follow. from: the byte of the
   file. */
static int find_in_chunk(struct trace_parts *p, const char *text, size_t len, size_t more, uint64_t from,
			 uint64_t *lines, struct diag *d)
{
	const char *at = text, *found;
	int ret = 0;

	while (!ret && (found = memmem(at, (size_t)(text + len + more - at), HEADER, strlen(HEADER)))) {
		if (found >= text + len)
			break;
		*lines += count_lines(at, (size_t)(found + 1 - at));
		at = found + 1;
		ret = add(p, from + (uint64_t)(at - text), *lines, d);
	}
	*lines += count_lines(at, (size_t)(text + len - at));
	return ret;
}

static int find_all(struct trace_parts *p, const struct trace_input *in, char *chunk, struct diag *d)
{
	uint64_t from = 0, lines = 0;
	ssize_t n;
	int ret = add(p, 0, 0, d);

	while (!ret && (n = pread(in->fd, chunk, CHUNK_BYTES, (off_t)from)) != 0) {
		size_t more = n > (ssize_t)OVERLAP && n == (ssize_t)CHUNK_BYTES ? OVERLAP : 0;

		if (n < 0)
			return diag_err(d, -errno, "%s: %s", in->path, diag_errno(errno));
		ret = find_in_chunk(p, chunk, (size_t)n - more, more, from, &lines, d);
		from += (size_t)n - more;
	}
	ret = ret ? ret : add(p, from, lines, d);
	p->n -= !ret; /* the end is no part */
	return ret;
}

int trace_parts_find(struct trace_parts *p, const struct trace_input *in, struct diag *d)
{
	char *chunk;
	int ret;

	*p = (struct trace_parts){ 0 };
	if (!trace_input_seekable(in))
		return 0;
	chunk = malloc(CHUNK_BYTES);
	ret = chunk ? find_all(p, in, chunk, d) : diag_no_memory(d);
	free(chunk);
	return ret;
}

void trace_parts_fini(struct trace_parts *p)
{
	free(p->v);
	*p = (struct trace_parts){ 0 };
}
