/* jsonw.h: a streaming JSON writer in fio's own layout: two-space indent, "key" : value, floats with six
   decimals, 64-bit integers whole. The order of calls is the order of the document. Text is always valid
   JSON: control characters are escaped, bytes that are not UTF-8 become U+FFFD. */
#ifndef JSONW_H
#define JSONW_H

#include <stdbool.h>
#include <stdint.h>
#include "strbuf.h"

struct jsonw {
	struct strbuf *out;
	unsigned depth;
	bool first; /* nothing in the innermost object or array yet */
};

void jsonw_init(struct jsonw *w, struct strbuf *out);
/* A value that is JSON already, and on one line. */
void jsonw_raw(struct jsonw *w, const char *key, const char *text);
/* A writer of a value that jsonw_value will put into an object or array at this depth. */
void jsonw_init_at(struct jsonw *w, struct strbuf *out, unsigned depth);
/* An element of the array at hand, as a writer of that depth wrote it. */
void jsonw_value(struct jsonw *w, const char *text);
/* key is NULL inside arrays and for the document itself. An empty object or array prints as fio's does. */
void jsonw_object(struct jsonw *w, const char *key);
void jsonw_end_object(struct jsonw *w);
void jsonw_array(struct jsonw *w, const char *key);
void jsonw_end_array(struct jsonw *w);
void jsonw_str(struct jsonw *w, const char *key, const char *value);
void jsonw_u64(struct jsonw *w, const char *key, uint64_t value);
void jsonw_i64(struct jsonw *w, const char *key, int64_t value);
/* NaN and infinities become 0.000000. Independent of the locale. */
void jsonw_double(struct jsonw *w, const char *key, double value);
void jsonw_bool(struct jsonw *w, const char *key, bool value);

#endif
