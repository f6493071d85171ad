/* screen_table.h: the rows of the screen, one for each job. Internal to report/. */
#ifndef SCREEN_TABLE_H
#define SCREEN_TABLE_H

#include "screen.h"

/* Adds the heads of the columns, in one line or two, at most lines - 1 rows, and the total if there are
   several jobs. If the rows do not fit, those in trouble or with I/O come first, and the last line says how
   many are left out. Adds at most `lines` lines, and returns their number. */
unsigned screen_table(const struct screen_state *s, unsigned width, unsigned lines, bool utf8,
		      struct strbuf *b);

#endif
