/* strbuf.h: a growing string. A failed allocation sets `failed` and drops text; the caller checks `failed`
   once at the end.

   With a sink, the buffer passes its text on in pieces, so that a long text takes little memory. Only
   functions that append may then use the buffer, and strbuf_flush passes on the last piece. */
#ifndef STRBUF_H
#define STRBUF_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct arena;

struct strbuf_sink {
	bool (*put)(struct strbuf_sink *sink, const char *text, size_t len); /* false: the text is lost */
};

struct strbuf {
	char *text; /* owned, NUL-terminated; NULL while empty */
	size_t len, size;
	bool failed;
	struct strbuf_sink *sink; /* NULL: the buffer keeps all text */
	bool fixed;               /* the text cannot grow: strbuf_in */
};

/* A figure as text, which a function returns by value: strbuf_printf(b, "took %s",
 * readable_latency(ns).text).
 */
struct short_text {
	char text[128];
};

void strbuf_add(struct strbuf *b, const char *text, size_t len);
void strbuf_puts(struct strbuf *b, const char *text);
void strbuf_putc(struct strbuf *b, char c);
/* Adds a name or a path with '?' for bytes that are no UTF-8 and for characters that utf8_next does not show,
   so that it stays on one line and no terminal obeys it. */
void strbuf_plain(struct strbuf *b, const char *text);
/* Adds an argument for sh, in single quotes if it needs them. */
void strbuf_quoted(struct strbuf *b, const char *text);
/* Adds the rest of a file. `text`: a NUL byte ends the reading, even of /dev/zero, with -EILSEQ. Returns 0,
   -errno, -ENOMEM, or -EFBIG if the buffer has more than `most` bytes. */
int strbuf_read(struct strbuf *b, int fd, size_t most, bool text);
void strbuf_u64(struct strbuf *b, uint64_t number);
void strbuf_printf(struct strbuf *b, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void strbuf_vprintf(struct strbuf *b, const char *fmt, va_list ap) __attribute__((format(printf, 2, 0)));
/* The same, but `put` adds the arguments of %s, such as names from a document. The format may have %s, %c,
   %d, %u, %lu, %llu, %zu, %.Nf and %%, without width or flags. */
typedef void strbuf_put_fn(struct strbuf *b, const char *text);
void strbuf_vprintf_with(struct strbuf *b, strbuf_put_fn *put, const char *fmt, va_list ap)
	__attribute__((format(printf, 3, 0)));
/* %s adds its argument with strbuf_plain. */
void strbuf_printf_plain(struct strbuf *b, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* Begins a buffer whose text is *t. It needs no strbuf_fini. */
struct strbuf strbuf_in(struct short_text *t);
/* Passes the text on to the sink. */
void strbuf_flush(struct strbuf *b);
void strbuf_clear(struct strbuf *b);
/* Returns the text; "" while it is empty, never NULL. */
const char *strbuf_str(const struct strbuf *b);
/* Returns a copy of the text in the memory of the arena, and frees the buffer; NULL when memory is short,
   also for an earlier part of the text. */
char *strbuf_to_arena(struct strbuf *b, struct arena *a);
void strbuf_fini(struct strbuf *b);
/* Frees a buffer whose text is a part of `whole`, which fails if the part has failed. */
void strbuf_end(struct strbuf *part, struct strbuf *whole);

#endif
