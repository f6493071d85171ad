/* profile_line.h: profile -> the shortest equivalent DISKSPD command line: the options that differ from
   the defaults, then the paths, quoted where necessary. Pure. */
#ifndef DISKSPD_PROFILE_LINE_H
#define DISKSPD_PROFILE_LINE_H

#include "diag.h"
#include "profile.h"

struct strbuf;

/* Adds "diskspd -b4K ... a.dat b.dat" for one span of p, without a newline. Properties that a line
   cannot express (other spans, targets that differ from the first, weights, thread targets,
   pre-creation) go to `lost`, which may be NULL. */
void ds_profile_line(const struct ds_profile *p, size_t span, struct strbuf *out, struct notes *lost);
/* Adds to `lost` the names in a span that no quotes can hold. */
void ds_profile_line_unquotable(const struct ds_profile *p, size_t span, struct notes *lost);
/* Adds a size as DISKSPD reads it: "64K". */
void ds_profile_line_size(struct strbuf *out, uint64_t bytes);
/* Returns true if one line can express the whole profile. */
bool ds_profile_line_fits(const struct ds_profile *p);

#endif
