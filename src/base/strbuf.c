#include "strbuf.h"

#include <assert.h>
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "arena.h"
#include "utf8.h"

#define SHORT_TEXT 64    /* room for most texts of strbuf_printf, so that they are printed once */
#define SINK_BYTES 65536 /* the length from which a buffer with a sink passes its text on */

void strbuf_flush(struct strbuf *b)
{
	if (b->sink && b->len && !b->sink->put(b->sink, b->text, b->len))
		b->failed = true;
	strbuf_clear(b);
}

static bool reserve(struct strbuf *b, size_t extra)
{
	size_t want = b->len + extra + 1, size = b->size ? b->size : 128;
	char *grown;

	if (want <= b->size)
		return true;
	if (b->fixed) {
		b->failed = true;
		return false;
	}
	if (b->sink && b->len >= SINK_BYTES) {
		strbuf_flush(b);
		return reserve(b, extra);
	}
	while (size < want)
		size *= 2;
	grown = realloc(b->text, size);
	if (!grown) {
		b->failed = true;
		return false;
	}
	b->text = grown;
	b->size = size;
	return true;
}

void strbuf_add(struct strbuf *b, const char *text, size_t len)
{
	if (!reserve(b, len))
		return;
	memcpy(b->text + b->len, text, len);
	b->len += len;
	b->text[b->len] = '\0';
}

void strbuf_puts(struct strbuf *b, const char *text)
{
	strbuf_add(b, text, strlen(text));
}

void strbuf_putc(struct strbuf *b, char c)
{
	strbuf_add(b, &c, 1);
}

void strbuf_plain(struct strbuf *b, const char *text)
{
	for (size_t len; *text; text += len) {
		bool shown;

		len = utf8_next(text, &shown);
		strbuf_add(b, shown ? text : "?", shown ? len : 1);
	}
}

static bool is_plain_argument(const char *s)
{
	for (; *s; s++)
		if (!isalnum((unsigned char)*s) && !strchr("_-+=:,./%@^", *s))
			return false;
	return true;
}

void strbuf_quoted(struct strbuf *b, const char *text)
{
	if (*text && is_plain_argument(text)) {
		strbuf_puts(b, text);
		return;
	}
	strbuf_putc(b, '\'');
	for (; *text; text++) {
		if (*text == '\'')
			strbuf_puts(b, "'\\''");
		else
			strbuf_putc(b, *text);
	}
	strbuf_putc(b, '\'');
}

int strbuf_read(struct strbuf *b, int fd, size_t most, bool text)
{
	char part[65536];

	for (;;) {
		ssize_t n = read(fd, part, sizeof(part));

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return n < 0 ? -errno : 0;
		if (text && memchr(part, '\0', (size_t)n))
			return -EILSEQ;
		strbuf_add(b, part, (size_t)n);
		if (b->failed || b->len > most)
			return b->failed ? -ENOMEM : -EFBIG;
	}
}

void strbuf_u64(struct strbuf *b, uint64_t number)
{
	char text[20], *at = text + sizeof(text); /* 2^64 has 20 digits */

	do
		*--at = (char)('0' + number % 10);
	while (number /= 10);
	strbuf_add(b, at, (size_t)(text + sizeof(text) - at));
}

void strbuf_vprintf(struct strbuf *b, const char *fmt, va_list ap)
{
	va_list again;
	int n;

	va_copy(again, ap);
	if (!reserve(b, SHORT_TEXT)) {
		va_end(again);
		return;
	}
	n = vsnprintf(b->text + b->len, b->size - b->len, fmt, ap);
	if (n >= 0 && (size_t)n >= b->size - b->len) {
		if (reserve(b, (size_t)n))
			vsnprintf(b->text + b->len, (size_t)n + 1, fmt, again);
		else
			n = -1;
	}
	if (n > 0)
		b->len += (size_t)n;
	b->text[b->len] = '\0';
	va_end(again);
}

void strbuf_printf(struct strbuf *b, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	strbuf_vprintf(b, fmt, ap);
	va_end(ap);
}

/* Adds an unsigned number. size: the characters between '%' and 'u'. */
static void put_unsigned(struct strbuf *b, const char *size, va_list *ap)
{
	if (*size == 'z')
		strbuf_u64(b, va_arg(*ap, size_t));
	else if (size[0] == 'l' && size[1] == 'l')
		strbuf_u64(b, va_arg(*ap, unsigned long long));
	else if (*size == 'l')
		strbuf_u64(b, va_arg(*ap, unsigned long));
	else
		strbuf_u64(b, va_arg(*ap, unsigned));
}

/* Adds an argument as the conversion asks, which begins behind '%'. Returns the end of the conversion. */
static const char *put_argument(struct strbuf *b, strbuf_put_fn *put, const char *conversion, va_list *ap)
{
	const char *kind = conversion + strspn(conversion, "lz.0123456789");

	switch (*kind) {
	case 's':
		put(b, va_arg(*ap, const char *));
		break;
	case 'c':
		strbuf_putc(b, (char)va_arg(*ap, int));
		break;
	case 'd':
		strbuf_printf(b, "%d", va_arg(*ap, int));
		break;
	case 'u':
		put_unsigned(b, conversion, ap);
		break;
	case 'f':
		strbuf_printf(b, "%.*f", atoi(conversion + 1), va_arg(*ap, double));
		break;
	default:
		assert(*kind == '%');
		strbuf_putc(b, '%');
	}
	return kind + 1;
}

void strbuf_vprintf_with(struct strbuf *b, strbuf_put_fn *put, const char *fmt, va_list ap)
{
	va_list args;

	va_copy(args, ap);
	while (*fmt) {
		size_t literal = strcspn(fmt, "%");

		strbuf_add(b, fmt, literal);
		fmt += literal;
		if (*fmt)
			fmt = put_argument(b, put, fmt + 1, &args);
	}
	va_end(args);
}

void strbuf_printf_plain(struct strbuf *b, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	strbuf_vprintf_with(b, strbuf_plain, fmt, ap);
	va_end(ap);
}

struct strbuf strbuf_in(struct short_text *t)
{
	t->text[0] = '\0';
	return (struct strbuf){ .text = t->text, .size = sizeof(t->text), .fixed = true };
}

void strbuf_clear(struct strbuf *b)
{
	b->len = 0;
	if (b->text)
		b->text[0] = '\0';
}

const char *strbuf_str(const struct strbuf *b)
{
	return b->text ? b->text : "";
}

char *strbuf_to_arena(struct strbuf *b, struct arena *a)
{
	char *copy = b->failed ? NULL : arena_strdup(a, strbuf_str(b));

	strbuf_fini(b);
	return copy;
}

void strbuf_fini(struct strbuf *b)
{
	free(b->text);
	*b = (struct strbuf){ 0 };
}

void strbuf_end(struct strbuf *part, struct strbuf *whole)
{
	whole->failed |= part->failed;
	strbuf_fini(part);
}
