/* arith.h: values in parentheses: numbers with suffixes, + - * / and nesting. Private to opt/; opt_arith
   (types.h) is the public way in. */
#ifndef ARITH_H
#define ARITH_H

#include <stdbool.h>
#include <stdint.h>

/* Whether a value is meant as arithmetic: it begins with '('. */
bool arith_begins(const char *text);
/* plain: numbers take no suffix (times bring theirs behind the parentheses). As units_size: 0, -EINVAL or
 * -ERANGE. */
int arith_eval(const char *text, unsigned kb_base, bool plain, uint64_t *out, const char **hint);

#endif
