#include "csv_cells.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include "strbuf.h"
#include "units.h"
#include "utf8.h"

/* Names may come from the documents of other people. */
void csv_text(struct strbuf *b, const char *text)
{
	bool quoted = !*text || *text == ' ' || text[strcspn(text, ",\"\r\n")];

	if (quoted)
		strbuf_putc(b, '"');
	if (*text && strchr("=+-@\t\r", *text))
		strbuf_putc(b, '\'');
	for (size_t len; *text; text += len) {
		bool shown;

		len = utf8_next(text, &shown);
		shown |= *text == '\n' || *text == '\r' || *text == '\t';
		if (*text == '"')
			strbuf_putc(b, '"');
		strbuf_add(b, shown ? text : "?", shown ? len : 1);
	}
	if (quoted)
		strbuf_putc(b, '"');
}

/* Adds a number with up to six decimals and a point in every locale. */
static void csv_double(struct strbuf *b, double v)
{
	char text[UNITS_DECIMALS];

	if (!isfinite(v) || v < 0 || v > 1e12) {
		strbuf_printf(b, "%.0f", isfinite(v) ? v : 0);
		return;
	}
	strbuf_puts(b, units_decimals(text, v, 0, 6));
}

void csv_next_text(struct strbuf *b, const char *text)
{
	strbuf_putc(b, ',');
	if (text)
		csv_text(b, text);
}

void csv_next_u64(struct strbuf *b, bool known, uint64_t v)
{
	strbuf_putc(b, ',');
	if (known)
		strbuf_u64(b, v);
}

void csv_next_double(struct strbuf *b, bool known, double v)
{
	strbuf_putc(b, ',');
	if (known)
		csv_double(b, v);
}
