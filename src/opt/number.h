/* number.h: one number of a value: a count, size or time in the range of its row. Private to opt/. */
#ifndef NUMBER_H
#define NUMBER_H

#include "opt.h"

/* Reads a number in the unit of the row's type. It must be in the row's range and at most max. Returns 0, or
   -EINVAL or -ERANGE with d. */
int number_parse(const struct opt_row *row, const char *text, const struct opt_ctx *ctx, uint64_t max,
		 uint64_t *out, struct diag *d);
/* Prints text that number_parse reads as the same value. */
void number_print(const struct opt_row *row, uint64_t v, struct strbuf *out);

/* Set the errors "not a size; HINT" (noun: "size") and "out of range; allowed is ...", and return the
   error. */
int number_error(const char *noun, int err, const char *hint, struct diag *d);
int number_out_of_range(const struct opt_row *row, struct diag *d);
/* Adds a note if text is arithmetic of which fio reads the first number only ("128*2"). v: fiord's result. */
void number_note_arith(const struct opt_row *row, const char *text, const struct opt_ctx *ctx, uint64_t v);

#endif
