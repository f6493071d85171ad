#include "jsonw.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include "strbuf.h"
#include "utf8.h"

void jsonw_init(struct jsonw *w, struct strbuf *out)
{
	*w = (struct jsonw){ .out = out, .first = true };
}

void jsonw_init_at(struct jsonw *w, struct strbuf *out, unsigned depth)
{
	*w = (struct jsonw){ .out = out, .first = true, .depth = depth };
}

void jsonw_value(struct jsonw *w, const char *text)
{
	if (!w->first)
		strbuf_putc(w->out, ',');
	strbuf_puts(w->out, text);
	w->first = false;
}

static void put_ascii(struct strbuf *b, unsigned char c)
{
	static const char letters[] = "btn_fr"; /* for 8 to 13; JSON has no letter for 11 */

	if (c == '"' || c == '\\') {
		strbuf_putc(b, '\\');
		strbuf_putc(b, (char)c);
	} else if (c >= 8 && c <= 13 && c != 11) {
		strbuf_putc(b, '\\');
		strbuf_putc(b, letters[c - 8]);
	} else if (c < 0x20 || c == 0x7F) {
		strbuf_printf(b, "\\u%04x", c);
	} else {
		strbuf_putc(b, (char)c);
	}
}

/* Returns the number of leading characters that need no escape and are ASCII. */
static size_t plain_len(const unsigned char *s)
{
	size_t len = 0;

	while (s[len] >= 0x20 && s[len] < 0x7F && s[len] != '"' && s[len] != '\\')
		len++;
	return len;
}

static void put_quoted(struct strbuf *b, const char *text)
{
	const unsigned char *s = (const unsigned char *)text;

	strbuf_putc(b, '"');
	while (*s) {
		size_t len = plain_len(s);

		if (len) {
			strbuf_add(b, (const char *)s, len);
			s += len;
			continue;
		}
		len = utf8_len(s);
		if (len == 1)
			put_ascii(b, *s);
		else if (len == 2 && utf8_is_harmful(s, len))
			strbuf_printf(b, "\\u%04x", (s[0] & 0x1F) << 6 | (s[1] & 0x3F));
		else if (len == 3 && utf8_is_harmful(s, len))
			strbuf_printf(b, "\\u%04x", (s[0] & 0x0F) << 12 | (s[1] & 0x3F) << 6 | (s[2] & 0x3F));
		else if (len)
			strbuf_add(b, (const char *)s, len);
		else
			strbuf_puts(b, UTF8_REPLACEMENT);
		s += len ? len : 1;
	}
	strbuf_putc(b, '"');
}

static void indent(struct jsonw *w)
{
	static const char line[] = "\n                                ";
	unsigned spaces = 2 * w->depth, most = sizeof(line) - 2, n = spaces < most ? spaces : most;

	if (w->compact)
		return;
	strbuf_add(w->out, line, n + 1);
	for (; n < spaces; n++)
		strbuf_putc(w->out, ' ');
}

/* Writes the text before a value: the comma, the line break and the key. */
static void begin_value(struct jsonw *w, const char *key)
{
	if (!w->first)
		strbuf_putc(w->out, ',');
	if (w->depth || !w->first)
		indent(w);
	w->first = false;
	if (key) {
		put_quoted(w->out, key);
		strbuf_puts(w->out, w->compact ? ":" : " : ");
	}
}

static void open_with(struct jsonw *w, const char *key, char c)
{
	begin_value(w, key);
	strbuf_putc(w->out, c);
	w->depth++;
	w->first = true;
}

static void close_with(struct jsonw *w, char c)
{
	w->depth--;
	w->first = false;
	indent(w);
	strbuf_putc(w->out, c);
}

void jsonw_object(struct jsonw *w, const char *key)
{
	open_with(w, key, '{');
}

void jsonw_end_object(struct jsonw *w)
{
	close_with(w, '}');
}

void jsonw_array(struct jsonw *w, const char *key)
{
	open_with(w, key, '[');
}

void jsonw_end_array(struct jsonw *w)
{
	close_with(w, ']');
}

void jsonw_str(struct jsonw *w, const char *key, const char *value)
{
	begin_value(w, key);
	put_quoted(w->out, value ? value : "");
}

void jsonw_u64(struct jsonw *w, const char *key, uint64_t value)
{
	begin_value(w, key);
	strbuf_u64(w->out, value);
}

void jsonw_count(struct jsonw *w, uint64_t key, uint64_t value)
{
	begin_value(w, NULL);
	strbuf_putc(w->out, '"');
	strbuf_u64(w->out, key);
	strbuf_puts(w->out, "\" : ");
	strbuf_u64(w->out, value);
}

void jsonw_i64(struct jsonw *w, const char *key, int64_t value)
{
	begin_value(w, key);
	strbuf_printf(w->out, "%" PRId64, value);
}

void jsonw_double(struct jsonw *w, const char *key, double value)
{
	char buf[384]; /* DBL_MAX has 309 digits */
	bool point = false;

	begin_value(w, key);
	snprintf(buf, sizeof(buf), "%.6f", isfinite(value) ? value : 0.0);
	for (const char *p = buf; *p; p++) {
		/* The locale's decimal point may be any text; it becomes a single dot. */
		if ((*p >= '0' && *p <= '9') || *p == '-')
			strbuf_putc(w->out, *p);
		else if (!point)
			strbuf_putc(w->out, '.');
		point = point || ((*p < '0' || *p > '9') && *p != '-');
	}
}

void jsonw_raw(struct jsonw *w, const char *key, const char *text)
{
	begin_value(w, key);
	strbuf_puts(w->out, text);
}

void jsonw_bool(struct jsonw *w, const char *key, bool value)
{
	begin_value(w, key);
	strbuf_puts(w->out, value ? "true" : "false");
}
