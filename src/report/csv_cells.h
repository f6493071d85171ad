/* csv_cells.h: writes the cells of CSV tables. */
#ifndef CSV_CELLS_H
#define CSV_CELLS_H

#include <stdint.h>

struct strbuf;

/* Adds text, in quotes if it has a character that would end the cell. Text that a spreadsheet would compute
   as a formula begins with an apostrophe. */
void csv_text(struct strbuf *b, const char *text);
/* Adds a number with up to six decimals and a point in every locale. */
void csv_double(struct strbuf *b, double v);

#endif
