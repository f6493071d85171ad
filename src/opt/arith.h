/* arith.h: arithmetic in values: numbers with suffixes, + - * /, parentheses and nesting. Private to opt/;
   opt_arith (types.h) is the public way in. */
#ifndef ARITH_H
#define ARITH_H

#include <stdbool.h>
#include <stdint.h>

/* Whether a value is arithmetic: it begins with '(', or with a digit and has a + * or /. A '-' alone may be
   that of a range. Lists are split before. */
bool arith_is(const char *text);
/* Reads the number before the first + * or /, which is the only one that fio reads in "128*2". False: it is
   no size. */
bool arith_first(const char *text, unsigned kb_base, uint64_t *out);
/* Evaluates the whole text. plain: numbers take no suffix. 0, -EINVAL or -ERANGE; *out and hint as
 * units_size. */
int arith_eval(const char *text, unsigned kb_base, bool plain, uint64_t *out, const char **hint);

#endif
