/* xmlout.h: lines of XML as DISKSPD writes them: two blanks for each level, one element in a line. */
#ifndef DISKSPD_XMLOUT_H
#define DISKSPD_XMLOUT_H

#include <stdbool.h>
#include <stdint.h>
#include "strbuf.h"

struct xmlout {
	struct strbuf *out;
	unsigned indent; /* blanks */
};

/* A line as it is. */
void xmlout_line(struct xmlout *w, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void xmlout_open(struct xmlout *w, const char *name);
void xmlout_close(struct xmlout *w, const char *name);
/* <name>v</name> */
void xmlout_number(struct xmlout *w, const char *name, uint64_t v);
void xmlout_real(struct xmlout *w, const char *name, double v, int decimals);
void xmlout_bool(struct xmlout *w, const char *name, bool v);
void xmlout_word(struct xmlout *w, const char *name, const char *v); /* not escaped */
void xmlout_text(struct xmlout *w, const char *name, const char *v); /* escaped */

/* <!-- text --> in one line; what a comment cannot hold is replaced. */
void xmlout_comment(struct xmlout *w, const char *text);

/* Text for an element or, between double quotes, an attribute. What XML cannot hold becomes U+FFFD. */
void xmlout_escaped(struct strbuf *out, const char *s);
/* The bytes of the well-formed UTF-8 character at s that XML may hold; 0 if there is none. */
unsigned xmlout_char(const char *s);

#endif
