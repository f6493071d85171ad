/* screen_text.h: text of a known number of columns. Internal to report/. */
#ifndef SCREEN_TEXT_H
#define SCREEN_TEXT_H

#include <stdbool.h>
#include "screen.h"

struct strbuf;

/* Adds text from the user that is cut or filled up to exactly `columns`; fill false: at most that many.
   Control characters become '?', and so do all but ASCII unless utf8. */
void screen_text(struct strbuf *b, const char *text, unsigned columns, bool fill, bool utf8);
/* Returns how many columns the whole text takes. */
unsigned screen_columns(const char *text, bool utf8);
/* Adds text from the user in up to `lines` lines with newlines, and returns their number. Words stay whole,
   and further lines are indented. The last line is cut if it must be. b NULL: only counts the lines. */
unsigned screen_wrap(struct strbuf *b, const char *text, unsigned columns, unsigned lines, bool utf8);
/* Adds ASCII text, right-aligned. */
void screen_right(struct strbuf *b, const char *text, unsigned columns);
/* Adds a curve of exactly `columns` characters: the newest values, the last one on the right. The highest
   character is `max`. A zero, and a time before the first value, is blank. */
void screen_curve(struct strbuf *b, const struct screen_curve *c, unsigned columns, uint64_t max, bool utf8);
/* Returns the largest of the newest `columns` values. */
uint64_t screen_curve_max(const struct screen_curve *c, unsigned columns);

/* Adds the heads of the columns, in one line or two, at most lines - 1 rows, and the total if there are
   several jobs. If the rows do not fit, those in trouble or with I/O come first, and the last line says how
   many are left out. Adds at most `lines` lines, and returns their number. */
unsigned screen_table(const struct screen_state *s, unsigned width, unsigned lines, bool utf8,
		      struct strbuf *b);

#endif
