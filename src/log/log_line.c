#include "log_line.h"

#include <string.h>
#include "strbuf.h"

#define PRIO_REALTIME 1u /* class, in bits 13 to 15 */

/* Flags in the direction field of fio's binary records. */
#define FIO_OFFSET (1u << 31)
#define FIO_PRIO   (1u << 30)
/* Directions are below this, and the flags of another byte order are not. */
#define FIO_DIR_END 0x40u

static char *put_u64(char *to, uint64_t v)
{
	char digit[20];
	int n = 0;

	do
		digit[n++] = (char)('0' + v % 10);
	while (v /= 10);
	while (n)
		*to++ = digit[--n];
	return to;
}

static char *put_next(char *to, uint64_t v)
{
	*to++ = ',';
	*to++ = ' ';
	return put_u64(to, v);
}

static char *put_prio(char *to, uint16_t prio)
{
	static const char hex[] = "0123456789abcdef";

	memcpy(to, ", 0x", 4);
	to += 4;
	for (int shift = 12; shift >= 0; shift -= 4)
		*to++ = hex[prio >> shift & 15];
	return to;
}

size_t log_line_text(char *to, const struct log_line_form *form, const struct log_line *line)
{
	char *at = put_u64(to, line->time_ms);

	at = put_next(at, line->value);
	if (form->max)
		at = put_next(at, line->max);
	at = put_next(at, line->dir);
	at = put_next(at, line->bytes);
	if (form->offset)
		at = put_next(at, line->offset);
	at = form->prio ? put_prio(at, line->prio) : put_next(at, line->prio >> 13 == PRIO_REALTIME);
	if (form->issue)
		at = put_next(at, line->issue_ns);
	*at++ = '\n';
	return (size_t)(at - to);
}

size_t log_line_iolog(char *to, uint64_t us, const char *path, size_t path_len, const char *action)
{
	size_t n = strlen(action);
	char *at = put_u64(to, us);

	*at++ = ' ';
	memcpy(at, path, path_len);
	at += path_len;
	*at++ = ' ';
	memcpy(at, action, n);
	return (size_t)(at + n - to);
}

size_t log_line_extent(char *to, uint64_t offset, uint64_t bytes)
{
	char *at = to;

	*at++ = ' ';
	at = put_u64(at, offset);
	*at++ = ' ';
	return (size_t)(put_u64(at, bytes) - to);
}

/* The record holds time, value, direction and flags (32 bits), priority (32 bits), bytes[, offset], in the
   byte order of this machine. */
size_t log_line_binary(char *to, const struct log_line_form *form, const struct log_line *line)
{
	uint32_t dir = line->dir | (form->offset ? FIO_OFFSET : 0) | (form->prio ? FIO_PRIO : 0);
	uint32_t prio = line->prio;

	if (!form->prio)
		prio = prio >> 13 == PRIO_REALTIME;
	memcpy(to, &line->time_ms, 8);
	memcpy(to + 8, &line->value, 8);
	memcpy(to + 16, &dir, 4);
	memcpy(to + 20, &prio, 4);
	memcpy(to + 24, &line->bytes, 8);
	memcpy(to + 32, &line->offset, 8);
	return form->offset ? 40 : 32;
}

bool log_line_foreign(const char *from)
{
	uint64_t time_ms, value, bytes;
	uint32_t dir;

	memcpy(&time_ms, from, 8);
	memcpy(&value, from + 8, 8);
	memcpy(&dir, from + 16, 4);
	memcpy(&bytes, from + 24, 8);
	return time_ms >> 48 || value >> 56 || bytes >> 32 || (dir & ~(FIO_OFFSET | FIO_PRIO)) >= FIO_DIR_END;
}

size_t log_line_from_binary(const char *from, size_t n, struct log_line_form *form, struct log_line *line)
{
	uint32_t dir, prio;

	if (n < 32)
		return 0;
	*line = (struct log_line){ 0 };
	memcpy(&line->time_ms, from, 8);
	memcpy(&line->value, from + 8, 8);
	memcpy(&dir, from + 16, 4);
	memcpy(&prio, from + 20, 4);
	memcpy(&line->bytes, from + 24, 8);
	*form = (struct log_line_form){ .offset = dir & FIO_OFFSET, .prio = dir & FIO_PRIO };
	line->dir = (uint8_t)dir;
	line->prio = (uint16_t)(form->prio ? prio : prio << 13);
	if (!form->offset)
		return 32;
	if (n < 40)
		return 0;
	memcpy(&line->offset, from + 32, 8);
	return 40;
}

void log_line_hist(struct strbuf *out, uint64_t time_ms, unsigned dir, uint64_t bytes, const uint64_t *count,
		   unsigned n, unsigned coarseness)
{
	unsigned step = 1u << coarseness;
	char text[96], *at = put_u64(text, time_ms);

	at = put_next(at, dir);
	at = put_next(at, bytes);
	strbuf_add(out, text, (size_t)(at - text));
	for (unsigned i = 0; i < n; i += step) {
		uint64_t sum = 0;

		for (unsigned k = i; k < n && k < i + step; k++)
			sum += count[k];
		at = put_next(text, sum);
		strbuf_add(out, text, (size_t)(at - text));
	}
	strbuf_putc(out, '\n');
}
