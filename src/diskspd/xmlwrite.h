/* xmlwrite.h: profile -> XML as DISKSPD's -Rpxml prints it: paths as given, every element that is not
   optional, those of 2.3 only when used. Paths are escaped, so it is always XML; DISKSPD does not escape. */
#ifndef DISKSPD_XMLWRITE_H
#define DISKSPD_XMLWRITE_H

#include "diag.h"
#include "profile.h"
#include "strbuf.h"

/* `indent` blanks before every line: 0, or 2 within <Results>. */
void ds_xmlwrite(const struct ds_profile *p, unsigned indent, struct strbuf *out);
/* What this XML does not say of p (3.4: -Zr ...), one line each. */
void ds_xmlwrite_losses(const struct ds_profile *p, struct notes *lost);
/* A list of such lines as comments, to stand before the profile; nothing if it is empty. */
void ds_xmlwrite_comments(const struct notes *lost, struct strbuf *out);

#endif
