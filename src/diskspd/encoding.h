/* encoding.h: converts the bytes of a pasted text or script to UTF-8. Pure. */
#ifndef DISKSPD_ENCODING_H
#define DISKSPD_ENCODING_H

#include <stddef.h>

struct strbuf;
struct diag;

/* Reads UTF-8, and UTF-16 of either byte order with or without a byte order mark. Converts quotation marks
   and dashes of Windows-1252, and drops invisible characters (byte order marks, direction marks). Returns 0
   or -errno with d. */
int encoding_decode(const char *bytes, size_t len, struct strbuf *out, struct diag *d);

#endif
