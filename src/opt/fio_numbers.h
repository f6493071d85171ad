/* fio_numbers.h: numbers as fio reads them, for the program started under the name fio. */
#ifndef FIO_NUMBERS_H
#define FIO_NUMBERS_H

#include <stdbool.h>
#include "opt.h"

/* Appends to out the spelling by which fiord reads the number that fio reads in text. text is a size, count
   or time, or a list or range of them. fio (3.33, by experiment) reads the leading digits and then a suffix
   that it knows: "4.5k" and "4x" are 4, "KiB" is 1000 where "k" is 1024, "10sec" is 10 us, and it ignores a
   suffix when a blank precedes the value (blank). Only a z as the last character of the value is neither
   dropped nor ignored: it is the unit of options that count zones, and an error elsewhere. Returns false and
   leaves out unchanged if both programs read the same number, and for other kinds of value. */
bool fio_numbers_translate(const struct opt_row *row, const char *text, bool blank, unsigned kb_base,
			   struct strbuf *out);

#endif
