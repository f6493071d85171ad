#include "csv_cells.h"

#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
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

void csv_double(struct strbuf *b, double v)
{
	uint64_t millionths;
	char text[48];
	int n;

	if (!isfinite(v) || v < 0 || v > 1e12) {
		strbuf_printf(b, "%.0f", isfinite(v) ? v : 0);
		return;
	}
	millionths = (uint64_t)(v * 1e6 + 0.5);
	n = snprintf(text, sizeof(text), "%" PRIu64 ".%06" PRIu64, millionths / 1000000,
		     millionths % 1000000);
	while (text[n - 1] == '0')
		text[--n] = '\0';
	if (text[n - 1] == '.')
		text[n - 1] = '\0';
	strbuf_printf(b, "%s", text);
}
