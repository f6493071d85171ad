/* render.h: a result in the formats that were asked for. */
#ifndef RENDER_H
#define RENDER_H

#include "job.h"
#include "result.h"
#include "strbuf.h"

/* Those of `formats` (enum out_format bits), in fio's order: terse, JSON, normal; then DISKSPD's text, and
   its XML. 0 or -ENOMEM. */
int render(const struct run_opts *o, unsigned formats, const struct result *res, struct strbuf *out);

#endif
