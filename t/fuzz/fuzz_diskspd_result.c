/* fuzz_diskspd_result: the input is a result of DISKSPD in XML. It is a row of a table with as many cells as
   the head, without a byte that a terminal obeys, or is refused with one line. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "result_table.h"
#include "strbuf.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Returns the number of cells. Every cell is in quotes, and a quote inside is double. */
static unsigned cells(const char *row)
{
	unsigned n = 0;
	bool quoted = false;

	for (; *row; row++) {
		quoted ^= *row == '"';
		n += !quoted && (*row == ',' || *row == '\n');
		if ((unsigned char)*row < 0x20 && !strchr("\r\n", *row))
			abort();
	}
	return quoted ? 0 : n;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct strbuf head = { 0 }, row = { 0 };
	struct diag d = { 0 };

	ds_result_table_head(',', &head);
	if (ds_result_table_row("fuzz.xml", (const char *)data, size, ',', &row, &d)) {
		if (!*diag_text(&d) || strchr(diag_text(&d), '\n') || row.len)
			abort();
	} else if (cells(strbuf_str(&row)) != cells(strbuf_str(&head))) {
		abort();
	}
	strbuf_fini(&head);
	strbuf_fini(&row);
	diag_fini(&d);
	return 0;
}
