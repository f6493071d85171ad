/* arith.h: arithmetic in values: numbers with suffixes, + - * /, parentheses and nesting. Private to opt/;
   opt_arith (types.h) is the public way in. */
#ifndef ARITH_H
#define ARITH_H

#include <stdbool.h>
#include <stdint.h>

/* Returns whether a value is arithmetic: it begins with '(', or it begins with a digit and has a + * or /. A
   '-' does not count, because it may be that of a range. The caller has split lists. */
bool arith_is(const char *text);
/* Reads the number before the first + * or /, which is the only one that fio reads in "128*2". Returns false
   if it is not a size. */
bool arith_first(const char *text, unsigned kb_base, uint64_t *out);
/* Evaluates the whole text. plain: numbers take no suffix. Returns 0, -EINVAL or -ERANGE, with *out and
   hint as in units_size. */
int arith_eval(const char *text, unsigned kb_base, bool plain, uint64_t *out, const char **hint);

#endif
