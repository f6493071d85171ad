/* asfio.h: in fio's name, numbers mean what fio reads in them. */
#ifndef ASFIO_H
#define ASFIO_H

#include <stdbool.h>
#include "opt.h"

/* Text of a size, count or time (or of a list or range of them) as fio reads it (reference: fio 3.33, run):
   digits up to the first that is none, then a suffix that it knows; "4.5k" and "4x" are 4, "KiB" is 1000
   where "k" is 1024, "10sec" is 10 us, and nothing behind a blank counts. Appends what that is in fiord's
   own words to out. False, with out unchanged, where both read the same, and for other kinds of value.
   blank: the value began with a blank. */
bool opt_as_fio(const struct opt_row *row, const char *text, bool blank, unsigned kb_base,
		struct strbuf *out);

#endif
