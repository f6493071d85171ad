/* render.h: renders a result in each selected output format. */
#ifndef RENDER_H
#define RENDER_H

#include "out_format.h"
#include "result.h"
#include "strbuf.h"

/* Appends the selected formats (bits of enum out_format) in fio's order: terse, JSON, normal; then DISKSPD's
   text and its XML. terse_version is 2 to 5. Returns 0 or -ENOMEM. */
int render(unsigned formats, unsigned terse_version, const struct result *res, struct strbuf *out);

#endif
