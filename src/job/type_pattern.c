/* type_pattern.c: buffer_pattern=: a sequence of numbers, "text", 'file' and %o. */
#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "content.h"
#include "rows.h"
#include "strbuf.h"
#include "types.h"
#include "vec.h"

#define PATTERN_MAX  ((size_t)1 << 20)
#define PATTERN_HINT "write 0x and hex digits, a decimal number, \"text\", 'file' or %%o, or several in a row"

/* The pattern and its text. The jobs that inherit it share it. */
struct shared_pattern {
	struct pattern p; /* first */
	unsigned refs;
	char *text; /* as typed */
};

struct offsets {
	uint32_t *v;
	size_t n, cap;
};

/* The state of the parser. */
struct pattern_reader {
	struct strbuf bytes;
	struct offsets offsets;
	struct diag *d;
};

/* ---- 'file' ---- */

static const char *kind_of(mode_t mode)
{
	return S_ISDIR(mode) ? "a directory" : S_ISBLK(mode) || S_ISCHR(mode) ? "a device" : "no plain file";
}

static int check_pattern_file(const struct stat *st, const char *path, struct diag *d)
{
	if (!S_ISREG(st->st_mode))
		return diag_err(d, -EINVAL, "'%s' is %s; a pattern is read from a plain file", path,
				kind_of(st->st_mode));
	if ((uint64_t)st->st_size > PATTERN_MAX)
		return diag_err(d, -EFBIG, "'%s' has %lld bytes; a pattern has up to %zu", path,
				(long long)st->st_size, PATTERN_MAX);
	return 0;
}

/* Checks the type before it opens the file, because opening a device may have side effects. */
static int add_pattern_file(struct pattern_reader *m, const char *path)
{
	struct stat st;
	size_t before = m->bytes.len;
	int fd, err;

	if (stat(path, &st))
		return diag_err(m->d, -errno, "cannot read '%s': %s", path, diag_errno(errno));
	err = check_pattern_file(&st, path, m->d);
	if (err)
		return err;
	fd = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	if (fd < 0)
		return diag_err(m->d, -errno, "cannot read '%s': %s", path, diag_errno(errno));
	err = fstat(fd, &st) ? -errno : check_pattern_file(&st, path, m->d);
	if (!err)
		err = strbuf_read(&m->bytes, fd, PATTERN_MAX, false);
	close(fd);
	if (!err && m->bytes.len == before)
		return diag_err(m->d, -EINVAL, "'%s' is empty", path);
	if (err == -EFBIG)
		return diag_err(m->d, err, "a pattern has up to %zu bytes", PATTERN_MAX);
	return err ? diag_err(m->d, err, "cannot read '%s': %s", path, diag_errno(err)) : 0;
}

/* ---- numbers ---- */

static unsigned nibble(char c)
{
	return isdigit((unsigned char)c) ? (unsigned)(c - '0')
					 : (unsigned)(tolower((unsigned char)c) - 'a' + 10);
}

/* Adds the bytes in the order of the digits. A missing first digit is 0. */
static int add_hex(struct pattern_reader *m, const char **text)
{
	const char *s = *text + 2;
	size_t digits = 0;

	while (isxdigit((unsigned char)s[digits]))
		digits++;
	if (!digits)
		return diag_err(m->d, -EINVAL, "no hex digit behind 0x");
	*text = s + digits;
	if (digits % 2) {
		strbuf_putc(&m->bytes, (char)nibble(*s++));
		digits--;
	}
	for (; digits; digits -= 2, s += 2)
		strbuf_putc(&m->bytes, (char)(nibble(s[0]) << 4 | nibble(s[1])));
	return 0;
}

/* Adds a number in little endian. As in fio it takes as few bytes as possible, or four if negative, and
   in 120x41 it ends before the 0x of the next number. */
static int add_decimal(struct pattern_reader *m, const char **text)
{
	char *end;
	long long v;
	uint32_t left;
	bool next;

	errno = 0;
	v = strtoll(*text, &end, 10);
	if (end == *text || end[-1] == '-' || end[-1] == '+')
		return diag_err(m->d, -EINVAL, "not a pattern; " PATTERN_HINT);
	next = end - *text > 1 && end[-1] == '0' && isdigit((unsigned char)end[-2]) &&
	       (*end == 'x' || *end == 'X');
	v = next ? v / 10 : v;
	if (errno || v < INT32_MIN || v > INT32_MAX)
		return diag_err(m->d, -ERANGE,
				"decimal numbers go from %d to %d; write larger ones in hex (0x...)",
				INT32_MIN, INT32_MAX);
	*text = end - next;
	left = (uint32_t)v;
	do {
		strbuf_putc(&m->bytes, (char)(left & 0xff));
		left >>= 8;
	} while (left);
	return 0;
}

/* ---- the pattern ---- */

/* Adds "text", or the content of 'file'. */
static int add_quoted(struct pattern_reader *m, const char **text)
{
	char quote = **text, *path;
	const char *from = *text + 1, *end = strchr(from, quote);
	int err;

	if (!end)
		return diag_err(m->d, -EINVAL, "the closing %c is missing", quote);
	*text = end + 1;
	if (quote == '"') {
		strbuf_add(&m->bytes, from, (size_t)(end - from));
		return 0;
	}
	path = strndup(from, (size_t)(end - from));
	err = path ? add_pattern_file(m, path) : diag_no_memory(m->d);
	free(path);
	return err;
}

static int add_offset(struct pattern_reader *m, const char **text)
{
	static const char room[PATTERN_OFFSET_BYTES];

	if ((*text)[1] != 'o')
		return diag_err(m->d, -EINVAL, "%%%.1s is not known; %%o is the offset of the block",
				*text + 1);
	*text += 2;
	if (!VEC_PUSH(&m->offsets, (uint32_t)m->bytes.len))
		return diag_no_memory(m->d);
	strbuf_add(&m->bytes, room, sizeof(room));
	return 0;
}

static int add_part(struct pattern_reader *m, const char **text)
{
	const char *s = *text;

	if (*s == '"' || *s == '\'')
		return add_quoted(m, text);
	if (*s == '%')
		return add_offset(m, text);
	if (s[0] == '0' && (s[1] == 'x' || s[1] == 'X'))
		return add_hex(m, text);
	return add_decimal(m, text);
}

static int read_pattern(struct pattern_reader *m, const char *text)
{
	int err = 0;

	for (text += strspn(text, " \t"); *text && !err; text += strspn(text, " \t")) {
		err = add_part(m, &text);
		if (!err && m->bytes.failed)
			err = diag_no_memory(m->d);
		if (!err && m->bytes.len > PATTERN_MAX)
			err = diag_err(m->d, -EFBIG, "a pattern has up to %zu bytes", PATTERN_MAX);
	}
	if (!err && !m->bytes.len)
		err = diag_err(m->d, -EINVAL, "an empty pattern; " PATTERN_HINT);
	return err;
}

static void release(const struct pattern **field)
{
	struct shared_pattern *v = (struct shared_pattern *)(uintptr_t)*field;

	*field = NULL;
	if (!v || --v->refs)
		return;
	free((void *)(uintptr_t)v->p.bytes);
	free((void *)(uintptr_t)v->p.offset_at);
	free(v->text);
	free(v);
}

static int pattern_parse(const struct opt_row *row, void *field, const char *text, const struct opt_ctx *ctx,
			 struct diag *d)
{
	struct pattern_reader m = { .d = d };
	struct shared_pattern *v = calloc(1, sizeof(*v));
	char *copy = strdup(text);
	int err = v && copy ? read_pattern(&m, text) : diag_no_memory(d);

	(void)row;
	(void)ctx;
	if (err) {
		strbuf_fini(&m.bytes);
		free(m.offsets.v);
		free(copy);
		free(v);
		return err;
	}
	*v = (struct shared_pattern){ .refs = 1, .text = copy };
	v->p = (struct pattern){ .bytes = (unsigned char *)m.bytes.text,
				 .len = (uint32_t)m.bytes.len,
				 .noffsets = (uint32_t)m.offsets.n,
				 .offset_at = m.offsets.v };
	release(field);
	*(const struct pattern **)field = &v->p;
	return 0;
}

static void pattern_print(const struct opt_row *row, const void *field, struct strbuf *out)
{
	const struct shared_pattern *v = *(const void *const *)field;

	(void)row;
	strbuf_puts(out, v ? v->text : "");
}

static void pattern_fini(const struct opt_row *row, void *field)
{
	(void)row;
	release(field);
}

const struct opt_type job_type_pattern = { OPT_TYPE("pattern", pattern), .fini = pattern_fini,
					   .bytes = sizeof(const struct pattern *) };
