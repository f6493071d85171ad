/* xmlout.h: prints XML as DISKSPD does: one element in each line, two blanks for each level. */
#ifndef DISKSPD_XMLOUT_H
#define DISKSPD_XMLOUT_H

#include <stdbool.h>
#include <stdint.h>

struct strbuf;

struct xmlout {
	struct strbuf *out;
	unsigned indent; /* number of blanks */
};

/* Prints a line as it is. */
void xmlout_line(struct xmlout *w, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void xmlout_open(struct xmlout *w, const char *name);
void xmlout_close(struct xmlout *w, const char *name);
/* <name>v</name> */
void xmlout_number(struct xmlout *w, const char *name, uint64_t v);
void xmlout_real(struct xmlout *w, const char *name, double v, int decimals);
void xmlout_bool(struct xmlout *w, const char *name, bool v);
void xmlout_word(struct xmlout *w, const char *name, const char *v); /* not escaped */
void xmlout_text(struct xmlout *w, const char *name, const char *v); /* escaped */

/* Prints <!-- text --> in one line, and replaces characters that a comment cannot hold. */
void xmlout_comment(struct xmlout *w, const char *text);

/* Escapes text for an element or for an attribute in double quotes. Bytes that XML cannot hold become
   U+FFFD. */
void xmlout_escaped(struct strbuf *out, const char *s);
/* Returns the length of the UTF-8 character at s; 0: it is malformed, or XML cannot hold it. */
unsigned xmlout_char(const char *s);

#endif
