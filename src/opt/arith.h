/* arith.h: arithmetic in values: numbers with suffixes, + - * /, parentheses and nesting. Private to opt/;
   opt_arith (types.h) is the public way in. */
#ifndef ARITH_H
#define ARITH_H

#include <stdbool.h>
#include <stdint.h>

/* Whether a value is meant as arithmetic: it begins with '(', or with a digit and has a + * or /. A '-' alone
   may be a range's, and lists are taken apart first. */
bool arith_is(const char *text);
/* The number before the first + * or /, which is all that fio reads of "128*2". */
bool arith_first(const char *text, unsigned kb_base, uint64_t *out);
/* plain: numbers take no suffix (times bring theirs behind the parentheses). As units_size: 0, -EINVAL or
 * -ERANGE. */
int arith_eval(const char *text, unsigned kb_base, bool plain, uint64_t *out, const char **hint);

#endif
