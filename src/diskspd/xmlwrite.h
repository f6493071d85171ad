/* xmlwrite.h: profile -> XML as DISKSPD's -Rpxml prints it: paths as given, all mandatory elements, and
   elements of 2.3 only if they are used. Unlike in DISKSPD, paths are escaped, so the result is always
   valid XML. Pure. */
#ifndef DISKSPD_XMLWRITE_H
#define DISKSPD_XMLWRITE_H

#include "diag.h"
#include "profile.h"

struct strbuf;

/* Adds the profile with `indent` blanks before every line: 0, or 2 within <Results>. */
void ds_xmlwrite(const struct ds_profile *p, unsigned indent, struct strbuf *out);
/* Adds one line for each property of p that the XML cannot express, such as -Zr. */
void ds_xmlwrite_losses(const struct ds_profile *p, struct notes *lost);
/* Adds such lines as comments, which stand before the profile. */
void ds_xmlwrite_comments(const struct notes *lost, struct strbuf *out);

#endif
