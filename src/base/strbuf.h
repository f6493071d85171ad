/* strbuf.h: a growing string. A failed allocation sets `failed` and drops text; the caller checks `failed`
   once at the end. */
#ifndef STRBUF_H
#define STRBUF_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

struct strbuf {
	char *text; /* owned, NUL-terminated; NULL while empty */
	size_t len, size;
	bool failed;
};

void strbuf_add(struct strbuf *b, const char *text, size_t len);
void strbuf_puts(struct strbuf *b, const char *text);
void strbuf_putc(struct strbuf *b, char c);
void strbuf_printf(struct strbuf *b, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void strbuf_vprintf(struct strbuf *b, const char *fmt, va_list ap) __attribute__((format(printf, 2, 0)));
void strbuf_clear(struct strbuf *b);
/* Returns the text; "" while it is empty, never NULL. */
const char *strbuf_str(const struct strbuf *b);
void strbuf_fini(struct strbuf *b);

#endif
