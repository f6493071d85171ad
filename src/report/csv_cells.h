/* csv_cells.h: writes the cells of CSV tables. */
#ifndef CSV_CELLS_H
#define CSV_CELLS_H

#include <stdbool.h>
#include <stdint.h>

struct strbuf;

/* Adds text, in quotes if it has a character that would end the cell. Text that a spreadsheet would compute
   as a formula begins with an apostrophe. */
void csv_text(struct strbuf *b, const char *text);
/* Add a cell with the comma before it. A text of NULL and a number that is not known leave it empty. */
void csv_next_text(struct strbuf *b, const char *text);
void csv_next_u64(struct strbuf *b, bool known, uint64_t v);
void csv_next_double(struct strbuf *b, bool known, double v);

#endif
