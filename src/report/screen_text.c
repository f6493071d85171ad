#include "screen_text.h"

#include <string.h>
#include "strbuf.h"
#include "utf8.h"

/* Characters that take two columns, as UTF-8: East Asian wide ones and pictures. */
static unsigned columns_of(const unsigned char *s, size_t len)
{
	static const struct {
		const char *first, *last;
	} wide[] = {
		{ "\u1100", "\u115f" }, { "\u2e80", "\ua4cf" },         { "\uac00", "\ud7a3" },
		{ "\uf900", "\ufaff" }, { "\ufe30", "\ufe6f" },         { "\uff00", "\uff60" },
		{ "\uffe0", "\uffe6" }, { "\U0001f300", "\U0001faff" }, { "\U00020000", "\U0003fffd" },
	};
	/* Combining accents and variation selectors. */
	if ((len == 2 && (s[0] == 0xCC || (s[0] == 0xCD && s[1] < 0xB0))) ||
	    (len == 3 && s[0] == 0xEF && s[1] == 0xB8 && s[2] < 0x90))
		return 0;
	for (size_t i = 0; i < sizeof(wide) / sizeof(*wide); i++) {
		if (strlen(wide[i].first) == len && memcmp(s, wide[i].first, len) >= 0 &&
		    memcmp(s, wide[i].last, len) <= 0)
			return 2;
	}
	return 1;
}

/* Returns the length of the character at s, and sets *columns. *shown is false if '?' stands for it. */
static size_t character(const unsigned char *s, bool utf8, unsigned *columns, bool *shown)
{
	size_t len = utf8_len(s);

	*shown = len && (utf8 || len == 1) && !utf8_is_harmful(s, len) && *s >= ' ';
	*columns = *shown ? columns_of(s, len) : 1;
	return len ? len : 1;
}

unsigned screen_columns(const char *text, bool utf8)
{
	unsigned sum = 0, columns;
	bool shown;

	while (*text) {
		text += character((const unsigned char *)text, utf8, &columns, &shown);
		sum += columns;
	}
	return sum;
}

void screen_text(struct strbuf *b, const char *text, unsigned columns, bool fill, bool utf8)
{
	bool cut = screen_columns(text, utf8) > columns && columns > 1, shown;
	unsigned room = cut ? columns - 1 : columns, used = 0, wide;

	while (*text) {
		size_t len = character((const unsigned char *)text, utf8, &wide, &shown);

		if (used + wide > room)
			break;
		strbuf_add(b, shown ? text : "?", shown ? len : 1);
		used += wide;
		text += len;
	}
	if (cut) {
		strbuf_puts(b, utf8 ? "\u2026" : "~");
		used++;
	}
	while (fill && used++ < columns)
		strbuf_putc(b, ' ');
}

#define INDENT 2

/* Returns the length in bytes of the words that fit a line; of a word that is too long, as much as fits. */
static size_t line_bytes(const char *text, unsigned columns, bool utf8)
{
	size_t at = 0, space = 0;
	unsigned used = 0, wide;
	bool shown;

	while (text[at]) {
		size_t len = character((const unsigned char *)text + at, utf8, &wide, &shown);

		if (used + wide > columns)
			return space ? space : at ? at : len;
		if (text[at] == ' ')
			space = at;
		used += wide;
		at += len;
	}
	return at;
}

static void put_line(struct strbuf *b, const char *text, size_t len, unsigned columns, bool utf8)
{
	char line[1024];

	if (len >= sizeof(line))
		len = sizeof(line) - 1;
	memcpy(line, text, len);
	line[len] = '\0';
	screen_text(b, line, columns, false, utf8);
}

unsigned screen_wrap(struct strbuf *b, const char *text, unsigned columns, unsigned lines, bool utf8)
{
	unsigned n = 0, indent = 0;

	while (*text && n < lines) {
		size_t len = line_bytes(text, columns - indent, utf8);

		n++;
		if (b) {
			strbuf_printf(b, "%*s", (int)indent, "");
			put_line(b, text, n < lines ? len : strlen(text), columns - indent, utf8);
			strbuf_putc(b, '\n');
		}
		text += len;
		while (*text == ' ')
			text++;
		indent = columns > 4 * INDENT ? INDENT : 0;
	}
	return n;
}

void screen_right(struct strbuf *b, const char *text, unsigned columns)
{
	strbuf_printf(b, "%*s", (int)columns, text);
}

uint64_t screen_curve_max(const struct screen_curve *c, unsigned columns)
{
	uint64_t max = 0;

	for (size_t i = c->n > columns ? c->n - columns : 0; i < c->n; i++)
		max = c->value[i] > max ? c->value[i] : max;
	return max;
}

#define LEVELS 8

void screen_curve(struct strbuf *b, const struct screen_curve *c, unsigned columns, uint64_t max, bool utf8)
{
	static const char *const blocks[LEVELS] = { "\u2581", "\u2582", "\u2583", "\u2584",
						    "\u2585", "\u2586", "\u2587", "\u2588" };
	static const char *const ascii[LEVELS] = { ".", ":", "-", "=", "+", "*", "#", "@" };

	for (size_t i = c->n; i < columns; i++)
		strbuf_putc(b, ' ');
	for (size_t i = c->n > columns ? c->n - columns : 0; i < c->n; i++) {
		double share = max ? (double)c->value[i] / (double)max : 0;
		unsigned level = share >= 1 ? LEVELS - 1 : (unsigned)(share * LEVELS);

		strbuf_puts(b, !c->value[i] ? " " : utf8 ? blocks[level] : ascii[level]);
	}
}
