#include "html_text.h"

#include <stdarg.h>
#include "strbuf.h"
#include "utf8.h"

static const char *entity(char c)
{
	switch (c) {
	case '&':
		return "&amp;";
	case '<':
		return "&lt;";
	case '>':
		return "&gt;";
	case '"':
		return "&quot;";
	case '\'':
		return "&#39;";
	default:
		return NULL;
	}
}

void html_text(struct strbuf *b, const char *text)
{
	const unsigned char *s = (const unsigned char *)text;

	while (s && *s) {
		size_t n = utf8_len(s);
		const char *e = entity((char)*s);

		if (!n || utf8_is_harmful(s, n))
			strbuf_puts(b, UTF8_REPLACEMENT);
		else if (e)
			strbuf_puts(b, e);
		else
			strbuf_add(b, (const char *)s, n);
		s += n ? n : 1;
	}
}

void html_printf(struct strbuf *b, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	strbuf_vprintf_with(b, html_text, fmt, ap);
	va_end(ap);
}
