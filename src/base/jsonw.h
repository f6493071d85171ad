/* jsonw.h: a streaming JSON writer in the layout of fio: two spaces of indent, "key" : value, floats with six
   decimals, 64-bit integers in full. The order of calls is the order of the document. The output is always
   valid JSON: control characters and marks that reverse text are escaped, and bytes that are not UTF-8 become
   U+FFFD. */
#ifndef JSONW_H
#define JSONW_H

#include <stdbool.h>
#include <stdint.h>

struct strbuf;

struct jsonw {
	struct strbuf *out;
	unsigned depth;
	bool first; /* nothing in the innermost object or array yet */
	/* Set these after jsonw_init. */
	bool compact;  /* without blanks and line breaks */
	bool bins_off; /* json_figures leaves bins out */
};

void jsonw_init(struct jsonw *w, struct strbuf *out);
/* Adds a value that is JSON text of one line. */
void jsonw_raw(struct jsonw *w, const char *key, const char *text);
/* Begins a value apart from its document, with the indent of this depth. jsonw_value adds it later. */
void jsonw_init_at(struct jsonw *w, struct strbuf *out, unsigned depth);
/* Adds an element to the current array, from text that was written with jsonw_init_at. */
void jsonw_value(struct jsonw *w, const char *text);
/* key is NULL inside arrays and for the document itself. An empty object or array prints as fio's does. */
void jsonw_object(struct jsonw *w, const char *key);
void jsonw_end_object(struct jsonw *w);
void jsonw_array(struct jsonw *w, const char *key);
void jsonw_end_array(struct jsonw *w);
void jsonw_str(struct jsonw *w, const char *key, const char *value);
void jsonw_u64(struct jsonw *w, const char *key, uint64_t value);
/* The same with a number as the key. */
void jsonw_count(struct jsonw *w, uint64_t key, uint64_t value);
void jsonw_i64(struct jsonw *w, const char *key, int64_t value);
/* NaN and infinities become 0.000000. The output does not depend on the locale. */
void jsonw_double(struct jsonw *w, const char *key, double value);
void jsonw_bool(struct jsonw *w, const char *key, bool value);

#endif
