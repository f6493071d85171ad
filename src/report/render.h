/* render.h: a result in each of the formats that were asked for. */
#ifndef RENDER_H
#define RENDER_H

#include "out_format.h"
#include "result.h"
#include "strbuf.h"

/* Appends the formats (enum out_format bits) in fio's order: terse, JSON, normal; then DISKSPD's text and its
   XML. terse_version is 2 to 5. 0 or -ENOMEM. */
int render(unsigned formats, unsigned terse_version, const struct result *res, struct strbuf *out);

#endif
