/* encoding.h: the bytes of a pasted text or a script -> UTF-8. Pure. */
#ifndef DISKSPD_ENCODING_H
#define DISKSPD_ENCODING_H

#include <stddef.h>

struct strbuf;
struct diag;

/* UTF-16 of either byte order, with or without its mark, and UTF-8; quotation marks and dashes of
   Windows-1252; marks that cannot be seen (byte order, direction of writing) are dropped. 0, or -errno with
   d. */
int encoding_decode(const char *bytes, size_t len, struct strbuf *out, struct diag *d);

#endif
