/* trace_input.h: a file, pipe or part of a file -> its bytes or lines, decompressed. Memory is bounded by the
   buffer. */
#ifndef TRACE_INPUT_H
#define TRACE_INPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "diag.h"

/* A line that does not fit is an error. */
#define TRACE_BUFFER_BYTES ((size_t)16 << 10)

struct inflater;
struct trace_saved;

struct trace_input {
	const char *path; /* "-": standard input */
	int fd;
	bool again; /* the file can be opened again */
	char *buffer;
	size_t at, len;            /* the bytes buffer[at..len) are not used yet */
	uint64_t offset;           /* of buffer[at], counted after decompression */
	uint64_t line;             /* the number of the last line, from 1 */
	bool binary;               /* errors name bytes, not lines */
	uint64_t left;             /* bytes of the part that are still in the file */
	bool end;                  /* the buffer has the last byte */
	struct inflater *inflater; /* NULL: the file is not compressed */
};

/* Opens the file, or its copy if `saved` (may be NULL) has one, and fills the buffer. Returns 0 or -errno
 * with d; trace_input_close is right in either case.
 */
int trace_input_open(struct trace_input *in, const char *path, const struct trace_saved *saved,
		     struct diag *d);
/* Limits a plain, seekable file to the bytes [from, to); the numbers of lines begin after `line`. Returns 0
   or -errno with d. */
int trace_input_part(struct trace_input *in, uint64_t from, uint64_t to, uint64_t line, struct diag *d);
void trace_input_close(struct trace_input *in);
/* Returns true if the file can be opened again and read from its middle. */
bool trace_input_seekable(const struct trace_input *in);

/* Moves the rest of the buffer to its beginning and reads more. Returns 1, 0 if there is no more or no room,
   or -errno with d. */
int trace_input_fill(struct trace_input *in, struct diag *d);
/* Returns 1 with the next line, without its newline, 0 at the end, or -errno with d. The line is valid until
   the next call. `whole` is false for a last line without a newline. */
int trace_input_line(struct trace_input *in, char **line, size_t *len, bool *whole, struct diag *d);

/* Sets an error: "PATH:LINE: ...", or "PATH: byte N: ..." of a binary file. Returns -EINVAL. */
int trace_line_err(const struct trace_input *in, struct diag *d, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

#endif
