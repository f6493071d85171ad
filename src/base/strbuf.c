#include "strbuf.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool reserve(struct strbuf *b, size_t extra)
{
	size_t want = b->len + extra + 1, size = b->size ? b->size : 128;
	char *grown;

	if (want <= b->size)
		return true;
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

void strbuf_vprintf(struct strbuf *b, const char *fmt, va_list ap)
{
	va_list again;
	int n;

	va_copy(again, ap);
	n = vsnprintf(NULL, 0, fmt, ap);
	if (n >= 0 && reserve(b, (size_t)n)) {
		vsnprintf(b->text + b->len, (size_t)n + 1, fmt, again);
		b->len += (size_t)n;
	}
	va_end(again);
}

void strbuf_printf(struct strbuf *b, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	strbuf_vprintf(b, fmt, ap);
	va_end(ap);
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

void strbuf_fini(struct strbuf *b)
{
	free(b->text);
	*b = (struct strbuf){ 0 };
}
